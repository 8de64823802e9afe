"""Requests that were written blind, packed to learn from: `data/asked/blind.txt.xz`.

    python -m sayso.experiments.api_asked_pack FILE... --data DATA [--name apart|more]

`apart` are those that no reader of slots has learnt from; when to say nothing is learnt from them
(`api_asked --apart`). `more` came later; the trunk learns from all (`trunk_calls`).

What is near a dev or test request of the described APIs or of `strangers` (the same words, or .8 of them) is left out
and counted, and so is a request that stands twice, or whose answer its function cannot take.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path

from sayso.core.types import Workspace
from sayso.targets import TASKS
from sayso.targets.api.corpus.asked import taught_in
from sayso.targets.api.specs.calls import wrong

NEAR = 0.8
ASKED = (
    *("own-specs", "toolalpaca", "bfcl-simple", "bfcl-multiple"),
    *("bfcl-irrelevance", "bfcl-live-simple", "bfcl-live-multiple"),
)
HERE = Path(str(files("sayso.targets.api"))) / "data" / "asked"
STRANGERS = Path(str(files("sayso.targets.api"))) / "data" / "own"


def words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", text.casefold()))


def tested(data: Path, cache: Path) -> Iterator[str]:
    for name in ASKED:
        for split in ("dev", "test"):
            yield from (one.request.text for one in TASKS[f"api/{name}"].load(Workspace(data, cache), split))
    for path in sorted(STRANGERS.glob("strangers.*.jsonl")):
        yield from (json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines())


class Known:
    """Requests by their words."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.sets = [found for one in texts if (found := words(one))]
        self.having: dict[str, list[int]] = {}
        for at, one in enumerate(self.sets):
            for word in one:
                self.having.setdefault(word, []).append(at)

    def is_near(self, text: str) -> bool:
        mine = words(text)
        shared = Counter(at for word in mine for at in self.having.get(word, ()))
        return any(much / len(mine | self.sets[at]) >= NEAR for at, much in shared.items())


def is_taken(group: Sequence[str], line: str) -> bool:
    """Whether the functions of a group, the last of which is asked, can take an answer as they are described."""
    try:
        (made,) = taught_in("\n".join(("# one", *group, line)))
    except (AssertionError, ValueError):
        return False
    operation = made.api.find(made.wanted[0].operation)
    return operation is None or not any(
        wrong(slot, made.wanted[0].values[slot.path]) for slot in operation.slots if slot.path in made.wanted[0].values
    )


def packed(texts: Iterable[str], known: Known) -> tuple[str, Counter[str]]:
    """The texts one after another without what is left out, and how much that is."""
    lines: list[str] = []
    counts: Counter[str] = Counter()
    seen: set[str] = set()
    for text in texts:
        group: list[str] = []
        for line in text.strip().splitlines():
            if line.startswith("## "):
                group = [line]
            elif line.startswith("fn "):
                group.append(line)
            if line.startswith("> "):
                asked = line[2:].partition(" => ")[0]
                why = "near a dev or test request" if known.is_near(asked) else "twice" if line in seen else ""
                why = why or ("" if is_taken(group, line) else "an answer that its function cannot take")
                counts[why or "kept"] += 1
                if why:
                    continue
                seen.add(line)
            elif line.startswith("#>"):
                continue
            lines.append(line.rstrip())
    return "\n".join(lines) + "\n", counts


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m sayso.experiments.api_asked_pack", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="the folder with the corpora")
    parser.add_argument("--name", default="blind", choices=("blind", "apart", "more"))
    parser.add_argument("--cache", type=Path, default=Path("~/.cache/sayso").expanduser())
    args = parser.parse_args(argv)
    known = Known(tested(args.data, args.cache))
    text, counts = packed((one.read_text(encoding="utf-8") for one in args.files), known)
    groups = list(taught_in(text))
    operations = sum(len(group.api.operations) for group in groups)
    asked = [one for group in groups for one in group.wanted]
    nothing = sum(not one.operation for one in asked)
    print(json.dumps({"groups": len(groups), "operations": operations, "requests": len(asked), "for nothing": nothing}))
    print(json.dumps({"held against": len(known.sets), **counts}))
    (HERE / f"{args.name}.txt.xz").write_bytes(lzma.compress(text.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
