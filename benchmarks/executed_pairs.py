"""The executed judge without verdicts: references of one train request are equal, and mutants of them are not.

`python -m benchmarks.executed_pairs [--groups 100] [--json] [--rows FILE]`. Positives are the ordered pairs of
references of one request of NL2Bash's train part that differ in canonical form; a reference that cannot be judged by
says why. Negatives are their mutants. Some pairs of references do different things and some mutants do the same, so
the figures are for comparing judges, not for trusting one.

`--classes` runs the pairs of `judge_pairs.jsonl` instead: written without looking at any corpus, kind by kind of what a
judge had missed, each a request, a reference, commands that do something else and commands that do the same. One half
was there while the judge was changed, the other was written afterwards.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from benchmarks.executed import form, opened
from sayso import scale
from sayso.apps.settings import workspace
from sayso.core.errors import SandboxFailed
from sayso.core.types import Unscored
from sayso.sandbox import open_sandbox
from sayso.targets.bash.corpus import nl2bash as corpus
from sayso.targets.bash.executed.equivalence import agreeing, prepare
from sayso.targets.bash.executed.mutants import mutants

PAIRS = Path(__file__).with_name("judge_pairs.jsonl")
Group = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Row:
    """One reference with what the judge says of another text: `what` is "equal" or what was changed in a mutant."""

    request: str
    reference: str
    text: str
    what: str
    same: bool | None
    reason: str = ""

    @property
    def kind(self) -> str:
        return self.what if self.what == "equal" else self.what.rpartition(": ")[2] if ": " in self.what else "stage"


def groups(data: Path) -> list[Group]:
    """The requests of train with references that differ in canonical form, in the order of the corpus."""
    found = []
    for members in corpus.group_pairs(corpus.published_pairs(data, "train")).values():
        references = tuple(dict.fromkeys(pair.command for pair in members))
        if len({form(reference) for reference in references}) > 1:
            found.append((members[0].nl, references))
    return found


def judge_group(folder: Path, group: Group) -> list[Row]:
    request, references = group
    sandbox = opened(folder)
    rows: list[Row] = []
    for reference in references:
        others = {text: "equal" for text in references if form(text) != form(reference)}
        others |= {mutant.text: mutant.what for mutant in mutants(reference) if mutant.text not in others}
        try:
            ready = prepare(request, reference, sandbox)
        except SandboxFailed as error:
            ready = Unscored(error.reason)
        if isinstance(ready, Unscored):
            rows += [Row(request, reference, text, what, None, ready.reason) for text, what in others.items()]
            continue
        same = agreeing(ready, list(others), sandbox)
        rows += [Row(request, reference, text, what, text in same) for text, what in others.items()]
    return rows


def judge_all(some: Sequence[Group], engine: scale.Engine, folder: Path) -> Iterator[Row]:
    open_sandbox(folder)  # fails early, and once
    for result in scale.map(partial(judge_group, folder), some, engine, chunk=1):
        if isinstance(result, scale.Failed):
            raise SandboxFailed(f"a request could not be judged: {result.error}", result.trace)
        yield from result.value


def figures(rows: Sequence[Row]) -> dict[str, object]:
    """Recall on pairs, the share of mutants told apart by kind, and how many references can be judged by."""
    references = {(row.request, row.reference): row.reason for row in rows}
    scored = [row for row in rows if row.same is not None]
    pairs = [row for row in scored if row.what == "equal"]
    changed = [row for row in scored if row.what != "equal"]
    yes = sum(bool(row.same) for row in pairs)
    wrong = sum(bool(row.same) for row in changed)
    kinds = sorted({row.kind for row in changed})
    told = {kind: [not row.same for row in changed if row.kind == kind] for kind in kinds}
    return {
        "references": len(references),
        "scored": sum(not reason for reason in references.values()) / max(1, len(references)),
        "unscored": dict(Counter(reason for reason in references.values() if reason).most_common()),
        "pairs": len(pairs),
        "recall": yes / max(1, len(pairs)),
        "mutants": len(changed),
        "told_apart": 1 - wrong / max(1, len(changed)),
        "told_apart_by_kind": {kind: [sum(said) / len(said), len(said)] for kind, said in told.items()},
        "precision": yes / max(1, yes + wrong),
    }


def judge_pairs(folder: Path) -> dict[str, object]:
    """Half → kind → how many are told apart of those that differ, and taken of those that are the same."""
    sandbox = opened(folder)
    found: dict[str, dict[str, Counter[str]]] = {}
    for line in PAIRS.read_text("utf-8").splitlines():
        row = json.loads(line)
        counts = found.setdefault(row["half"], {}).setdefault(row["class"], Counter())
        ready = prepare(row["request"], row["reference"], sandbox)
        if isinstance(ready, Unscored):
            counts["unscored"] += 1
            continue
        same = agreeing(ready, [*row["different"], *row["same"]], sandbox)
        counts["told apart"] += sum(text not in same for text in row["different"])
        counts["different"] += len(row["different"])
        counts["taken"] += sum(text in same for text in row["same"])
        counts["same"] += len(row["same"])
    return {half: {kind: dict(counts) for kind, counts in kinds.items()} for half, kinds in found.items()}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.executed_pairs", description=__doc__)
    parser.add_argument("--groups", type=int, default=0, help="so many requests, drawn by seed (0: all)")
    parser.add_argument("--seed", type=int, default=0, help="of that draw")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--engine", choices=("serial", "processes", "ray"), default="processes", help="what runs them")
    parser.add_argument("--workers", type=int, default=0, help="of the engine (one per core)")
    parser.add_argument("--rows", type=Path, help="write every pair and mutant with what the judge says of it")
    parser.add_argument("--classes", action="store_true", help="the pairs of judge_pairs.jsonl instead")
    args = parser.parse_args(argv)
    if args.classes:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(judge_pairs(Path(folder)), indent=None if args.json else 1))
        return 0
    some = groups(workspace().data)
    if args.groups:
        some = random.Random(args.seed).sample(some, min(args.groups, len(some)))
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        rows = list(judge_all(some, scale.open_engine(args.engine, args.workers, ""), Path(folder)))
    if args.rows:
        args.rows.write_text("".join(f"{json.dumps(asdict(row))}\n" for row in rows), encoding="utf-8")
    answer = {"groups": len(some), **figures(rows), "minutes": (time.monotonic() - start) / 60}
    print(json.dumps(answer) if args.json else "\n".join(f"{name}: {value}" for name, value in answer.items()))
    return 0


if __name__ == "__main__":
    # Workers of a cluster look for the job in the module of this name.
    from benchmarks.executed_pairs import main as named_main

    sys.exit(named_main(sys.argv[1:]))
