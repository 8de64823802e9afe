"""How far the chances of `sayso api` can be believed: `python -m sayso.experiments.api_chances --data DATA`, as JSON.

The chance of the first reading is fitted for each domain, half on Okapi's dev and half on short requests of our own;
expected calibration error (ECE) and Brier score before and after are of requests that no fit has seen. `--write` keeps
the fits of those domains where our own requests have the lower Brier score with it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sayso.core.files import write_atomically
from sayso.experiments.api_parser import Pair
from sayso.experiments.api_parser_command import load
from sayso.experiments.api_short import free_pairs
from sayso.learners.linear import Data, fit_newton
from sayso.targets.api.evidence.chances import FILE
from sayso.targets.api.language import fold
from sayso.targets.api.request.rewording import reword
from sayso.targets.api.syntax.calls import parse_call
from sayso.targets.api.syntax.schema import DOMAINS
from sayso.targets.api.systems.parse import Parser, Reading
from sayso.targets.api.systems.shipped import domain_parser

FIT_DEV, CHECK_DEV = 300, 400
START = (3.5, 2.5, 1.5)
"""Slope, intercept and what an unused word takes off: where a fit starts, and where it is pulled to."""
PULL, LEAST = 1.0, 1.0
BINS = 10
OURS = "our own"
Array = NDArray[np.float64]


def held_pairs(domain: str, part: str) -> list[Pair]:
    """Requests of ours that no parser has learnt from, as `sayso api` rewords them; part is fit or check."""
    content = (files("sayso.targets.api") / "data" / "held" / "requests.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in content.splitlines()]
    return [
        (reword(row["text"], domain), parse_call(row["call"]))
        for row in rows
        if (row["domain"], row["part"]) == (domain, part)
    ]


def read(parser: Parser, pairs: Sequence[Pair]) -> tuple[list[Reading], Array]:
    """The first reading of each request, and whether it is right."""
    best = [found[0] for found in parser.readings([text for text, _ in pairs], 2)]
    right = [fold(str(one.call)) == fold(str(call)) for one, (_, call) in zip(best, pairs, strict=True)]
    return best, np.array(right, np.float64)


def fit_chance(groups: Sequence[tuple[Sequence[Reading], Array]]) -> tuple[float, ...]:
    """Logistic, by Newton's steps; each group counts as much as the other, however large."""
    given = np.array([[one.score, 1.0, -float(one.unused)] for best, _ in groups for one in best])
    right = np.concatenate([one for _, one in groups])
    weight = np.concatenate([np.full(len(one), 100.0 / len(one)) for _, one in groups])
    found = fit_newton(Data(given, right, weight), np.array(START), PULL)
    found[2] = max(found[2], LEAST)
    return tuple(round(float(one), 4) for one in found)


def expected_error(chances: Array, right: Array, bins: int = BINS) -> float:
    """ECE: how far chance and share of right ones are apart in each bin of chances, weighted by its size."""
    places = np.minimum((chances * bins).astype(int), bins - 1)
    gaps = [abs(float((chances - right)[places == at].sum())) for at in range(bins)]
    return sum(gaps) / len(chances)


def described(parser: Parser, best: Sequence[Reading], right: Array) -> dict[str, float]:
    chances = np.array([parser.chance(one) for one in best])
    figures = {
        "mean chance": chances.mean(),
        "ECE": expected_error(chances, right),
        "Brier": ((chances - right) ** 2).mean(),
    }
    return {name: round(float(value), 4) for name, value in figures.items()}


def fit_domain(domain: str, data: Path) -> dict[str, Any]:
    parser = domain_parser(domain)
    dev = load(f"union-{domain}", data, "dev")
    Random(0).shuffle(dev)
    fitted = fit_chance(
        [
            read(parser, dev[:FIT_DEV]),
            read(parser, [*held_pairs(domain, "fit"), *free_pairs(domain, "dev")]),
        ]
    )
    after = replace(parser, calibration=fitted)
    checks = {
        "Okapi dev": dev[FIT_DEV : FIT_DEV + CHECK_DEV],
        OURS: [*held_pairs(domain, "check"), *free_pairs(domain, "blind")],
    }
    figures: dict[str, Any] = {}
    for name, pairs in checks.items():
        best, right = read(parser, pairs)
        figures[name] = {"n": len(pairs), "right": round(float(right.mean()), 4)}
        figures[name] |= {"before": described(parser, best, right), "after": described(after, best, right)}
    return {"was": list(parser.calibration), "is": list(fitted), "checks": figures}


def is_better(found: Mapping[str, Any]) -> bool:
    ours = found["checks"][OURS]
    return bool(ours["after"]["Brier"] < ours["before"]["Brier"])


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.api_chances", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the corpora")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help=f"keep the fits in this folder, as {FILE}")
    args = parser.parse_args(argv)
    found = {domain: fit_domain(domain, args.data) for domain in DOMAINS}
    if args.write:
        kept = {domain: {"was": one["was"], "is": one["is"]} for domain, one in found.items() if is_better(one)}
        with write_atomically(args.write / FILE) as file:
            file.write(json.dumps(kept, indent=1).encode() + b"\n")
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
