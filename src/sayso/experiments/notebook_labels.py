"""JuICe tables 3, 4, 5 and §4 (what can be solved), for readers: examples, items for `sayso judge`, labels.

What readers said is kept as ids, digests and tags, without a word of the corpus.

    python -m sayso.experiments.notebook_labels --data DATA --cache CACHE --items items.jsonl
    sayso judge notebook/code --kind tags --items items.jsonl
    sayso judge notebook/code --kind tags --export said.jsonl
    python -m sayso.experiments.notebook_labels --data DATA --cache CACHE --said said.jsonl --write
"""

from __future__ import annotations

import argparse
import hashlib
import heapq
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from sayso.core.files import write_atomically
from sayso.core.types import Example, Split, Workspace
from sayso.targets.notebook.corpus import examples
from sayso.targets.notebook.corpus.labels import LABELS, TAGS, Labelled

PARTS: tuple[Split, ...] = ("dev", "train")
SAMPLE = 50
SEED = "juice-labels-1"
CELLS, LONGEST = 8, 1_500
"""Of the cells above, so many are shown, each cut at so many characters; the reader is told how many more there are."""


def drawn(found: Iterable[Example], part: str) -> list[Example]:
    """The examples with the smallest digests: the same ones however many there are and in whatever order."""
    return heapq.nsmallest(SAMPLE, found, key=lambda one: hashlib.sha256(f"{SEED}:{part}:{one.id}".encode()).digest())


def items(workspace: Workspace) -> Iterator[dict[str, object]]:
    """Dev with all tags, train with solvability alone, in an order that mixes the two."""
    whole = [tag for tags in TAGS.values() for tag in tags]
    rows = [(example, whole) for example in drawn(examples(workspace, "dev"), "dev")]
    rows += [(example, list(TAGS["solvable"])) for example in drawn(examples(workspace, "train"), "train")]
    for example, tags in sorted(rows, key=lambda row: hashlib.sha256(row[0].id.encode()).digest()):
        yield {"id": example.id, "kind": "tags", "request": example.request.text, "body": body(example), "tags": tags}


def body(example: Example) -> str:
    """The nearest cells above and the code, as a reader needs them to judge."""
    shown = example.request.context[-CELLS:]
    parts = [f"… {len(example.request.context) - len(shown)} cells further above"] if len(shown) == CELLS else []
    for distance, piece in zip(range(len(shown), 0, -1), shown, strict=True):
        text = piece.text if len(piece.text) <= LONGEST else piece.text[:LONGEST] + " …"
        parts.append(f"--- {piece.kind}, {distance} above\n{text}")
    return "\n".join([*parts, "=== the request stands here; the code below it:", example.meta["runnable"]])


def labelled(lines: Iterable[str], known: Mapping[str, tuple[str, Example]]) -> Iterator[Labelled]:
    """What was exported, first looks alone, for examples that exist; readers are told apart by letters."""
    for line in lines:
        row = json.loads(line)
        if row["id"] not in known:
            print(f"left out, since it is no example any more: {row['id']}")
            continue
        part, example = known[row["id"]]
        first = {answer["annotator"]: answer["tags"] for answer in row["answers"] if answer["look"] == 1}
        said = tuple(tuple(tags) for _, tags in sorted(first.items()))
        yield Labelled(example.id, part, digest(example), said)


def digest(example: Example) -> str:
    """Of what was read: a label holds for no other text."""
    return hashlib.sha256(f"{example.request.text}\0{example.meta['runnable']}".encode()).hexdigest()[:16]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the corpora")
    parser.add_argument("--cache", type=Path, required=True, help="where the mined notebooks lie, or are put")
    parser.add_argument("--items", type=Path, metavar="FILE", help="write the items to judge here")
    parser.add_argument("--said", type=Path, metavar="FILE", help="what `sayso judge --export` wrote")
    parser.add_argument("--write", action="store_true", help="keep it as the project's labels")
    args = parser.parse_args()
    workspace = Workspace(args.data, args.cache)
    if args.items:
        with write_atomically(args.items) as file:
            file.writelines(json.dumps(item, ensure_ascii=False).encode() + b"\n" for item in items(workspace))
    if args.said:
        # All of them: what was drawn from an earlier mining may not be what would be drawn now.
        wanted = {json.loads(line)["id"] for line in args.said.read_text("utf-8").splitlines()}
        known = {one.id: (part, one) for part in PARTS for one in examples(workspace, part) if one.id in wanted}
        found = sorted(labelled(args.said.read_text("utf-8").splitlines(), known), key=lambda one: (one.part, one.id))
        print(f"{len(found)} examples, {min(len(one.said) for one in found)} readers or more each")
        if args.write:
            with write_atomically(LABELS) as file:
                file.writelines(json.dumps(one.as_json(), ensure_ascii=False).encode() + b"\n" for one in found)


if __name__ == "__main__":
    main()
