"""JuICe table 8: what is wrong with 50 wrong answers on dev, in six classes that overlap.

    python -m benchmarks.notebook_errors lstm-k3 --items items.jsonl
    sayso judge notebook/code --kind tags --items items.jsonl --store DIR
    sayso judge notebook/code --kind tags --store DIR --export said.jsonl
    python -m benchmarks.notebook_errors lstm-k3 --said said.jsonl --write

What readers said of which answers is kept in `results/labels/notebook_errors.jsonl` as ids, digests and classes.
"""

from __future__ import annotations

import argparse
import hashlib
import heapq
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sayso.core.files import write_atomically
from sayso.core.types import Example
from sayso.experiments.notebook_errors import CLASSES, FILE, PAPER, kept, shares
from sayso.experiments.notebook_labels import body
from sayso.runs.predictions import Prediction, read_predictions
from sayso.targets.notebook.corpus import examples
from sayso.targets.notebook.metrics.text import joined

ERRORS = Path(__file__).parents[1] / "results" / FILE
SAMPLE = 50
SEED = "juice-errors-1"


def wrong(found: Iterable[Example], predictions: Mapping[str, Prediction]) -> Iterator[tuple[Example, str]]:
    """Examples with their first answer, where it is not the reference."""
    for example in found:
        candidates = predictions[example.id].candidates
        answer = candidates[0].text if candidates else ""
        if joined(answer) not in {joined(reference) for reference in example.references}:
            yield example, answer


def drawn(pairs: Iterable[tuple[Example, str]]) -> list[tuple[Example, str]]:
    """Those with the smallest digests: the same examples for every system that is wrong on them."""
    return heapq.nsmallest(SAMPLE, pairs, key=lambda one: hashlib.sha256(f"{SEED}:{one[0].id}".encode()).digest())


def item(example: Example, answer: str) -> dict[str, object]:
    classes = [f"{name}: {meaning}" for name, meaning in CLASSES.items()]
    text = f"{body(example)}\n=== the answer, its strings replaced by one:\n{answer}"
    return {"id": item_id(example, answer), "kind": "tags", "request": example.request.text, "body": text,
            "tags": classes}  # fmt: skip


def item_id(example: Example, answer: str) -> str:
    """A verdict holds for no other answer."""
    return f"{example.id}:{hashlib.sha256(answer.encode()).hexdigest()[:12]}"


def said_of(lines: Iterable[str]) -> dict[str, list[list[str]]]:
    """Item → the classes that each reader chose at the first look."""
    found = {}
    for line in lines:
        row: dict[str, Any] = json.loads(line)
        first = {answer["annotator"]: answer["tags"] for answer in row["answers"] if answer["look"] == 1}
        found[str(row["id"])] = [[tag.partition(":")[0] for tag in tags] for _, tags in sorted(first.items())]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", help="whose stored answers to dev are read")
    parser.add_argument("--items", type=Path, metavar="FILE", help="write the items to judge here")
    parser.add_argument("--said", type=Path, metavar="FILE", help="what `sayso judge --export` wrote")
    parser.add_argument("--write", action="store_true", help="keep it as what was said of this system's answers")
    args = parser.parse_args()
    if args.items:
        from sayso.apps import settings

        stored = settings.results().stored("notebook/code", args.system, "dev")
        predictions = {one.id: one for one in read_predictions(stored)}
        pairs = drawn(wrong(examples(settings.workspace(), "dev"), predictions))
        with write_atomically(args.items) as file:
            file.writelines(json.dumps(item(*pair), ensure_ascii=False).encode() + b"\n" for pair in pairs)
    said = (
        said_of(args.said.read_text("utf-8").splitlines())
        if args.said
        else kept(ERRORS.parents[1]).get(args.system, {})
    )
    if said:
        for name, share in shares(list(said.values())).items():
            print(f"{name:26} {share:5.1f} %   paper {PAPER[name]} %")
    if args.said and args.write:
        every = kept(ERRORS.parents[1]) | {args.system: said}
        with write_atomically(ERRORS) as file:
            rows = (
                {"id": one, "system": system, "said": tags}
                for system, some in sorted(every.items())
                for one, tags in sorted(some.items())
            )
            file.writelines(json.dumps(row).encode() + b"\n" for row in rows)


if __name__ == "__main__":
    main()
