"""What a wide search is worth where several acts are asked for, and what it and telling back cost.

`python -m sayso.experiments.wide_search DATA CACHE [--search wide|one]`: the requests of several acts of fresh dev,
everyday dev and steps dev, as the system that ships answers them, with the trunk as wide as its bundle says, or in the
hurry of single acts. First and one of three right by running, CPU of an answer and of telling its request back.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sayso.answer.rerank import Combined, Pace, Tells
from sayso.core.types import Asked, Request, Translator, Unscored, Workspace
from sayso.experiments.weighing_outcomes import Trial, trials
from sayso.neural.beam import Beam
from sayso.sandbox import open_sandbox
from sayso.targets.bash.evidence.features import has_several_acts
from sayso.targets.bash.systems.combined import ACT, ONE, TRUNK, best_system, load_trunk, searching
from sayso.targets.bash.tasks import BASH

SETS = ("fresh-dev", "everyday", "steps")
LIMITS = {"wide": None, "one": ONE}


@dataclass
class Timed:
    """Telling back, and the CPU seconds of each time."""

    tells: Tells
    seconds: list[float] = field(default_factory=list)

    def __call__(self, request: Request, texts: Sequence[str]) -> Sequence[float]:
        start = time.process_time()
        told = self.tells(request, texts)
        self.seconds.append(time.process_time() - start)
        return told


def held(system: Combined, limits: Beam | None) -> Combined:
    """The system with the trunk held to other limits for whole requests, or to none."""
    trunk = load_trunk(TRUNK)

    def model(asked: Asked, pace: Pace) -> Translator:
        return searching(trunk, ACT if pace == "act" else limits)

    return replace(system, model=model)


def of_several_acts(system: Combined, here: Workspace) -> Iterator[Trial]:
    for name in SETS:
        for trial in trials(name, here, open_sandbox(here.cache)):
            if has_several_acts(system.target.read(Request(trial.request))):
                yield trial


def measured(system: Combined, asked: Sequence[Trial]) -> dict[str, int | float]:
    counts = {"n": 0, "first": 0, "one of three": 0}
    seconds = []
    for trial in asked:
        start = time.process_time()
        ranked, _ = system.weigh(system.target.read(Request(trial.request)))
        seconds.append(time.process_time() - start)
        texts = [one.draft.text for one in ranked[:3]]
        verdicts = trial.judging(texts) if texts else {}
        if not isinstance(verdicts, Unscored):
            right = [verdicts[text] for text in texts]
            counts = {
                "n": counts["n"] + 1,
                "first": counts["first"] + any(right[:1]),
                "one of three": counts["one of three"] + any(right),
            }
    cuts = statistics.quantiles(seconds, n=20) if len(seconds) > 1 else [*seconds * 19]
    return {**counts, "p50": round(cuts[9], 3), "p95": round(cuts[18], 3)}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--search", choices=sorted(LIMITS), help="how whole requests are searched (as it ships)")
    args = parser.parse_args(argv)
    here = Workspace(args.data, args.cache)
    system = best_system(BASH, here).translator
    assert isinstance(system, Combined) and system.tells is not None
    timed = Timed(system.tells)
    asked = replace(held(system, LIMITS[args.search]) if args.search else system, tells=timed)
    found = measured(asked, list(of_several_acts(asked, here)))
    told = {"median": round(statistics.median(timed.seconds), 3), "most": round(max(timed.seconds), 3)}
    print(json.dumps({**found, "telling back": told}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
