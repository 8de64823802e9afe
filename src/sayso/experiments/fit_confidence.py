"""Fit how sure Bash answers are of their first on what came of running that one, as the system that ships gives it.

`python -m sayso.experiments.fit_confidence DATA CACHE OUT [--write] [--facts all|said|list]`. OUT/confidence-SET.jsonl
keeps for each request what was known of its first answer and whether that was right; what it holds is not asked again.
Requests are those of `weighing_outcomes`, and those that no command answers. Every set is told by curves that saw none
of its fold. `--write` puts the curve of all into the bundle.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sayso.answer.calibrate import calibration_error
from sayso.answer.rerank import LIST, TOLD_BEHIND, Combined
from sayso.core.errors import SandboxFailed
from sayso.core.progress import Progress, silent
from sayso.core.types import Request, Unscored, Workspace
from sayso.experiments.fit_weighing import fit_curve, write
from sayso.experiments.weighing_outcomes import Trial, trials
from sayso.sandbox import open_sandbox
from sayso.targets.bash.evidence.features import SOURCES, TRUNK
from sayso.targets.bash.systems.combined import FACTS, best_system
from sayso.targets.bash.tasks import BASH

SETS = ("everyday", "fresh-dev", "steps", "elsewhere", "asked")
FOLDS = 5
CHOICES: Mapping[str, Sequence[str]] = {
    "all": FACTS,
    "said": (*SOURCES, *TRUNK, *LIST, TOLD_BEHIND),
    "list": (*LIST, TOLD_BEHIND, "unused"),
}
"""What a curve may be told: all, what sources say without what a command looks like, or hardly more than the list."""
BELOW = (0.25, 0.3, 0.35, 0.4, 0.45, 0.5)


@dataclass(frozen=True)
class First:
    """What is known of a first answer, and whether it is right."""

    id: str
    set: str
    facts: Mapping[str, float]
    first: bool
    """Whether it is right."""

    @property
    def fold(self) -> int:
        return int(hashlib.sha256(f"c:{self.id}".encode()).hexdigest(), 16) % FOLDS


def judged(system: Combined, trial: Trial) -> dict[str, Any]:
    """A row of the file; `right` is None where it cannot be told."""
    ranked, facts = system.weigh(system.target.read(Request(trial.request)))
    right: bool | None = False
    if ranked:
        text = ranked[0].draft.text
        try:
            verdicts = trial.judging([text])
        except SandboxFailed:
            verdicts = Unscored("the sandbox failed")
        right = None if isinstance(verdicts, Unscored) else verdicts[text]
    return {"id": trial.id, "facts": {name: round(much, 5) for name, much in facts.items()}, "right": right}


def asked(name: str, system: Combined, here: Workspace, out: Path, progress: Progress = silent) -> Iterator[First]:
    path = out / f"confidence-{name}.jsonl"
    known = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []
    done = {row["id"] for row in known}
    todo = [one for one in trials(name, here, open_sandbox(here.cache)) if one.id not in done]
    with path.open("a", encoding="utf-8") as file:
        for at, trial in enumerate(todo):
            row = judged(system, trial)
            file.write(json.dumps(row) + "\n")
            file.flush()
            known.append(row)
            progress(name, at + 1, len(todo))
    for row in known:
        if row["right"] is not None:
            yield First(row["id"], name, row["facts"], row["right"])


def crossed(some: Sequence[First], facts: Sequence[str]) -> list[float]:
    """How sure curves are that did not see the request's fold."""
    curves = [fit_curve([one for one in some if one.fold != fold], facts) for fold in range(FOLDS)]
    return [curves[one.fold](one.facts) if one.facts else 0.0 for one in some]


def ranks(points: Sequence[tuple[float, bool]]) -> float:
    """How often a right answer is surer than a wrong one."""
    right, wrong = ([score for score, is_right in points if is_right is truth] for truth in (True, False))
    pairs = [(one > other) + (one == other) / 2 for one in right for other in wrong]
    return sum(pairs) / max(1, len(pairs))


def told(some: Sequence[First], sure: Sequence[float]) -> dict[str, Any]:
    """For each set: n, right, calibration, order, and at each threshold the share answered and right of these."""
    found: dict[str, Any] = {}
    for name in ("all", *SETS):
        points = [(much, one.first) for one, much in zip(some, sure, strict=True) if name in ("all", one.set)]
        if not points:
            continue
        found[name] = {
            "n": len(points),
            "right": round(sum(right for _, right in points) / len(points), 3),
            "ece": round(calibration_error(points), 3),
            "auc": round(ranks(points), 3),
            "at": {str(below): answered_at(points, below) for below in BELOW},
        }
    return found


def answered_at(points: Sequence[tuple[float, bool]], below: float) -> list[float]:
    given = [right for score, right in points if score >= below]
    return [round(len(given) / len(points), 3), round(sum(given) / max(1, len(given)), 3)]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("data", "cache", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--sets", nargs="*", default=SETS, choices=SETS)
    parser.add_argument("--facts", choices=tuple(CHOICES), default="all")
    parser.add_argument("--below", type=float, help="the confidence below which nothing is answered (as it ships)")
    parser.add_argument("--write", action="store_true", help="put the curve into the bundle")
    args = parser.parse_args(argv)
    here = Workspace(args.data, args.cache)
    shipped = best_system(BASH, here)
    system = shipped.translator
    assert isinstance(system, Combined)
    some = [one for name in args.sets for one in asked(name, system, here, args.out)]
    as_shipped = [system.settings.curve(one.facts) if one.facts else 0.0 for one in some]
    print(json.dumps({"as it ships": told(some, as_shipped)}))
    for name, facts in CHOICES.items():
        print(json.dumps({name: told(some, crossed(some, facts))}))
    if args.write:
        below = shipped.abstain_below if args.below is None else args.below
        write(system.weighing, fit_curve(some, CHOICES[args.facts]), below)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
