"""A larger dev for Okapi's Length split, whose own has 100 rows: what the Program split has in train and dev.

`python -m benchmarks.larger_dev [DOMAIN …] [--system default] [--json]`. Of four parameters or more, and no call of
which is in train or test of Length; rows are distinct pairs of request and call, intervals draw whole calls. `untold`
counts wrong and right answers whose call cannot follow from its request, by the rules for annotation mistakes, and
`ceiling` is what would be right with all others.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from sayso.apps.settings import workspace
from sayso.core.types import Example, Workspace
from sayso.metrics.significance import score_with_interval
from sayso.runs.evaluate import predict
from sayso.targets import find_task
from sayso.targets.api import language
from sayso.targets.api.corpus.okapi import load_okapi
from sayso.targets.api.corpus.stats import parameters
from sayso.targets.api.lessons.mistakes import annotation_mistakes
from sayso.targets.api.syntax.calls import parse_call
from sayso.targets.api.syntax.schema import DOMAINS

LEAST = 4
"""Parameters, as in Length's dev and test."""
BATCH = 64


def larger_dev(here: Workspace, domain: str) -> list[Example]:
    held = {
        language.fold(example.references[0])
        for part in ("train", "test")
        for example in load_okapi("length", domain, here, part)
    }
    return [
        example
        for part in ("train", "dev")
        for example in load_okapi("program", domain, here, part)
        if parameters(parse_call(example.references[0])) >= LEAST and language.fold(example.references[0]) not in held
    ]


def untold(examples: Sequence[Example]) -> int:
    return sum(bool(annotation_mistakes(one.request.text, parse_call(one.references[0]))) for one in examples)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.larger_dev", description=__doc__)
    parser.add_argument("domains", nargs="*", metavar="DOMAIN", help=f"of {', '.join(DOMAINS)} (all)")
    parser.add_argument("--system", default="default", help="of api/length-DOMAIN")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    args = parser.parse_args(argv)
    here, told = workspace(), {}
    for domain in args.domains or DOMAINS:
        task = find_task(f"api/length-{domain}")
        examples, system = larger_dev(here, domain), task.systems[args.system](here)
        metric = task.metrics(here)[0]
        found = [
            one
            for at in range(0, len(examples), BATCH)
            for one in predict(system, [(e.id, e.request) for e in examples[at : at + BATCH]], 1)
        ]
        statistics = [metric.measure(e, one.candidates) for e, one in zip(examples, found, strict=True)]
        clusters = [language.fold(example.references[0]) for example in examples]
        score = score_with_interval(metric, statistics, clusters=clusters)
        told[domain] = {"n": score.n, score.name: score.value, "low": score.low, "high": score.high}
        wrong = [e for e, much in zip(examples, statistics, strict=True) if not much]
        lost, kept = untold(wrong), untold(examples) - untold(wrong)
        told[domain] |= {"wrong": len(wrong), "untold": lost, "untold_right": kept, "ceiling": 1 - lost / len(examples)}
    for domain, row in told.items() if not args.json else ():
        print(domain, *(f"{name} {value}" for name, value in row.items()))
    if args.json:
        print(json.dumps(told))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
