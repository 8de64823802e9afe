"""How often a call like this is right: a curve over what is known of a reading, fitted on dev requests.

`python -m sayso.experiments.api_spec_right --data DATA [--write]` asks the dev requests of our two specs
and of ToolAlpaca, fits, and prints what ten folds say of it. The chance that decides on abstaining is
another one: whether the API does that at all.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np

from sayso.core.types import Example, Workspace
from sayso.learners.linear import Data, fit_newton, logistics
from sayso.targets import TASKS
from sayso.targets.api.specs.described import brought, reader_for
from sayso.targets.api.specs.reader import RIGHT, right_columns
from sayso.targets.api.specs.scoring import is_right
from sayso.targets.api.specs.system import clock_of

HERE = Path(str(files("sayso.targets.api") / "data" / "spec_weights.json"))
FROM = ("api/own-specs", "api/toolalpaca")
PULL = 1.0
FOLDS = 10


def examples(data: Path, cache: Path) -> Iterator[Example]:
    for name in FROM:
        yield from (one for one in TASKS[name].load(Workspace(data, cache), "dev") if one.references)


def trials(asked: Sequence[Example], cache: Path) -> tuple[np.ndarray, np.ndarray]:
    """What is known of the first reading of each request, and whether its call is right."""
    rows, truth = [], []
    for one in asked:
        found = reader_for(*brought(one.request), cache).read(one.request.text, clock_of(one.request), 2)
        if found:
            columns = right_columns(found)
            rows.append([columns[name] for name in RIGHT])
            truth.append(float(is_right(one, found[0].text)))
    return np.array(rows), np.array(truth)


def fitted(rows: np.ndarray, truth: np.ndarray) -> np.ndarray:
    found: np.ndarray = fit_newton(Data(rows, truth), np.zeros(rows.shape[1]), PULL)
    return found


def told_in_folds(rows: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """The chance of each trial by weights that never saw it."""
    told = np.zeros(len(truth))
    folds = np.random.default_rng(0).permutation(len(truth)) % FOLDS
    for fold in range(FOLDS):
        held = folds == fold
        told[held] = logistics(rows[held] @ fitted(rows[~held], truth[~held]))
    return told


def loss(told: np.ndarray, truth: np.ndarray) -> float:
    return float(-np.mean(truth * np.log(told) + (1 - truth) * np.log(1 - told)))


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with the corpora")
    parser.add_argument("--cache", type=Path, default=Path("~/.cache/sayso").expanduser())
    parser.add_argument("--write", action="store_true", help="change the weights that ship")
    args = parser.parse_args(argv)
    rows, truth = trials(list(examples(args.data, args.cache)), args.cache)
    told = told_in_folds(rows, truth)
    bins = [(told >= low / 5) & (told < (low + 1) / 5) for low in range(5)]
    print(f"n {len(truth)}, right {truth.mean():.3f}, loss {loss(told, truth):.3f} (the mean alone", end=" ")
    print(f"{loss(np.full(len(truth), truth.mean()), truth):.3f}), in ten folds")
    for low, held in enumerate(bins):
        if held.any():
            means = f"told {told[held].mean():.2f}, right {truth[held].mean():.2f}"
            print(f"told {low / 5:.1f} to {(low + 1) / 5:.1f}: n {held.sum()}, {means}")
    weights = json.loads(HERE.read_text(encoding="utf-8"))
    weights["right"] = {name: round(float(value), 3) for name, value in zip(RIGHT, fitted(rows, truth), strict=True)}
    print(json.dumps(weights["right"]))
    if args.write:
        HERE.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
