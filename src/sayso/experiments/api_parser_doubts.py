"""When `sayso api` should not answer: `python -m sayso.experiments.api_parser_doubts`, as JSON.

Fits what takes off the chance of a request that names no files, emails or events. One half of `data/beyond` (requests
that no call can serve, and some that one can) is fitted on, the other reported; `--write` keeps the fit.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from sayso.core.files import write_atomically
from sayso.learners.linear import Data, Descent, fit_logistic
from sayso.targets.api.evidence.chances import better_fit
from sayso.targets.api.language import fold
from sayso.targets.api.request.around import lift
from sayso.targets.api.request.beyond import DOUBTS, FILE, beyond
from sayso.targets.api.syntax.schema import DOMAINS
from sayso.targets.api.systems.asking import ask, known_times, likely_domain, measured
from sayso.targets.api.systems.parse import Parser
from sayso.targets.api.systems.shipped import domain_parser

PULL = 0.3
SETS = (("held", "fit"), ("free", "dev"))
"""Requests that have a call, which the doubts must leave alone."""


def requests(folder: str, part: str) -> list[dict[str, str]]:
    content = (files("sayso.targets.api") / "data" / folder / "requests.jsonl").read_text(encoding="utf-8")
    return [row for row in map(json.loads, content.splitlines()) if row["part"] == part]


def parsers() -> dict[str, Parser]:
    """As `sayso api` opens them."""
    opened = {name: domain_parser(name) for name in DOMAINS}
    return {name: replace(one, calibration=better_fit(name, one.calibration)) for name, one in opened.items()}


def seen(rows: Sequence[dict[str, str]], asked: dict[str, Parser]) -> Iterator[tuple[float, tuple[float, ...], bool]]:
    """The chance, the doubts and whether the call is right, of what no pattern stops."""
    for row in rows:
        name, named = likely_domain(row["text"], asked)
        lifted = lift(row["text"], name, known_times(asked[name]))
        if beyond(lifted.base, name):
            continue
        best, doubts, _ = measured(lifted, asked[name], name, bool(named), 1)
        yield best[0].score, doubts, bool(row["call"]) and fold(best[0].text) == fold(row["call"])


def fit(groups: Sequence[Sequence[tuple[float, tuple[float, ...], bool]]]) -> dict[str, float]:
    """Logistic with the logit of the chance as it is; no doubt adds to a chance. Each group counts as much."""
    rows = [(one, 100.0 / len(group)) for group in groups for one in group]
    chance = np.clip([one[0] for one, _ in rows], 1e-6, 1 - 1e-6)
    offset, given = np.log(chance / (1 - chance)), -np.array([one[1] for one, _ in rows])
    right, weight = np.array([float(one[2]) for one, _ in rows]), np.array([much for _, much in rows])
    data = Data(given, right, weight, offset)
    found = fit_logistic(data, Descent(0.01, 3000, least=0.0), np.zeros(len(DOUBTS)), PULL)
    return {name: round(float(one), 3) for name, one in zip(DOUBTS, found, strict=True)}


def report(part: str, asked: dict[str, Parser]) -> dict[str, Any]:
    """By kind: how many are answered, asked back about, or not answered; what is right of those that have a call."""
    counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for row in requests("beyond", part):
        found, one = ask(row["text"], "", 2, asked), counts[row["kind"]]
        right = bool(row["call"]) and fold(found.candidates[0].text) == fold(row["call"])
        one["n"] += 1
        one["abstained"] += found.abstained
        one["asked back"] += bool(found.question) and not found.abstained
        one["answered"] += not found.abstained and not found.question
        one["answered, right"] += right and not found.abstained
        one["answered, 50 % or surer, wrong"] += not right and not found.abstained and found.candidates[0].score >= 0.5
    return {kind: {name: int(value) for name, value in one.items()} for kind, one in counts.items()}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.api_parser_doubts", description=__doc__)
    parser.add_argument("--write", type=Path, metavar="FOLDER", help=f"keep the fit in this folder, as {FILE}")
    parser.add_argument("--part", default="fit", choices=("fit", "check"), help="the half to report")
    args = parser.parse_args(argv)
    asked = parsers()
    rows = requests("beyond", "fit")
    able = [*(row for row in rows if row["call"]), *(row for one in SETS for row in requests(*one))]
    fitted = fit([list(seen(able, asked)), list(seen([row for row in rows if not row["call"]], asked))])
    if args.write:
        with write_atomically(args.write / FILE) as file:
            file.write(json.dumps(fitted).encode() + b"\n")
    sys.stdout.write(json.dumps({"fit": fitted, "part": args.part, "kinds": report(args.part, asked)}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
