"""How often a call like this is right: a curve over what is known of a reading, fitted on dev requests.

`python -m sayso.experiments.api_spec_right --data DATA [--write]` asks the dev requests of our two specs
and of ToolAlpaca, fits, and prints what ten folds say of it, with the trunk (`heard-right`) and without
(`right`). Each request stands there once more with words that nobody knows, which no call has: those count as wrong.
The chance that decides on abstaining is another one: whether the API does that at all.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np

from sayso.core.types import Example, Workspace
from sayso.learners.linear import Data, fit_newton, logistics
from sayso.targets import TASKS
from sayso.targets.api.specs.described import brought, reader_for
from sayso.targets.api.specs.prompts.hearing import Hears
from sayso.targets.api.specs.prompts.shipped import shipped_hears
from sayso.targets.api.specs.reader import HEARD, RIGHT, right_columns
from sayso.targets.api.specs.scoring import is_right
from sayso.targets.api.specs.system import clock_of

HERE = Path(str(files("sayso.targets.api") / "data" / "spec_weights.json"))
FROM = ("api/own-specs", "api/toolalpaca")
PULL = 1.0
FOLDS = 10
STRANGE = ("blorbo", "grobnak", "wibblen", "zorpley", "flurbish", "quaxle")
LESS = 0.25
"""What a request with such words counts."""


def examples(data: Path, cache: Path) -> Iterator[Example]:
    for name in FROM:
        yield from (one for one in TASKS[name].load(Workspace(data, cache), "dev") if one.references)


def with_strange_words(asked: Sequence[Example]) -> Iterator[Example]:
    for at, one in enumerate(asked):
        first, second = (STRANGE[(at + step) % len(STRANGE)] for step in (0, 1))
        yield replace(one, request=replace(one.request, text=f"{one.request.text.rstrip(' .?!')} {first} {second}"))


def trials(
    asked: Sequence[Example], cache: Path, names: Sequence[str], hears: Hears | None
) -> tuple[np.ndarray, np.ndarray]:
    """What is known of the first reading of each request, and whether its call is right."""
    rows, truth = [], []
    for one in asked:
        reader = replace(reader_for(*brought(one.request), cache), hears=hears)
        found = reader.read(one.request.text, clock_of(one.request), 2)
        if found:
            columns = right_columns(found)
            rows.append([columns[name] for name in names])
            truth.append(float(is_right(one, found[0].text)))
    return np.array(rows), np.array(truth)


def fitted(rows: np.ndarray, truth: np.ndarray, strange: np.ndarray) -> np.ndarray:
    weight = np.concatenate([np.ones(len(rows)), np.full(len(strange), LESS)])
    right = np.concatenate([truth, np.zeros(len(strange))])
    found: np.ndarray = fit_newton(Data(np.concatenate([rows, strange]), right, weight), np.zeros(rows.shape[1]), PULL)
    return found


def told_in_folds(rows: np.ndarray, truth: np.ndarray, strange: np.ndarray) -> np.ndarray:
    """The chance of each trial by weights that never saw it."""
    told = np.zeros(len(truth))
    folds = np.random.default_rng(0).permutation(len(truth)) % FOLDS
    for fold in range(FOLDS):
        held = folds == fold
        told[held] = logistics(rows[held] @ fitted(rows[~held], truth[~held], strange))
    return told


def loss(told: np.ndarray, truth: np.ndarray) -> float:
    return float(-np.mean(truth * np.log(told) + (1 - truth) * np.log(1 - told)))


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with the corpora")
    parser.add_argument("--cache", type=Path, default=Path("~/.cache/sayso").expanduser())
    parser.add_argument("--write", action="store_true", help="change the weights that ship")
    args = parser.parse_args(argv)
    asked = list(examples(args.data, args.cache))
    weights = json.loads(HERE.read_text(encoding="utf-8"))
    kinds: list[tuple[str, Sequence[str], Hears | None]] = [("right", RIGHT, None)]
    if (hears := shipped_hears()) is not None and "heard" in weights:
        kinds.append(("heard-right", (*RIGHT, *HEARD), hears))
    for kind, names, heard in kinds:
        rows, truth = trials(asked, args.cache, names, heard)
        strange, _ = trials(list(with_strange_words(asked)), args.cache, names, heard)
        report(kind, told_in_folds(rows, truth, strange), truth)
        found = fitted(rows, truth, strange)
        weights[kind] = {name: round(float(value), 3) for name, value in zip(names, found, strict=True)}
        print(json.dumps(weights[kind]))
    if args.write:
        HERE.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    return 0


def report(kind: str, told: np.ndarray, truth: np.ndarray) -> None:
    bins = [(told >= low / 5) & (told < (low + 1) / 5) for low in range(5)]
    print(f"{kind}: n {len(truth)}, right {truth.mean():.3f}, loss {loss(told, truth):.3f} (the mean alone", end=" ")
    print(f"{loss(np.full(len(truth), truth.mean()), truth):.3f}), in ten folds")
    for low, held in enumerate(bins):
        if held.any():
            means = f"told {told[held].mean():.2f}, right {truth[held].mean():.2f}"
            print(f"told {low / 5:.1f} to {(low + 1) / 5:.1f}: n {held.sum()}, {means}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
