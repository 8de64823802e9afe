"""Fits which of the names and versions that a tree says is its own (`reading/likely.py`), on train packages.

`python -m sayso.experiments.build_likely --data DATA [--write]` prints the F1 of both fields in four folds of train and
on dev, the present rules beside them.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sayso.core.files import write_atomically
from sayso.core.types import Split, Workspace
from sayso.learners.linear import Adam
from sayso.targets.build.corpus.splits import evaluated_names, says_any
from sayso.targets.build.evaluation.stage_tasks import load_metadata
from sayso.targets.build.reading import likely
from sayso.targets.build.reading.clues import system_of
from sayso.targets.build.reading.metadata import as_packaged, name_by_rules, version_by_rules
from sayso.targets.build.reading.tree import SourceTree, asked_tree
from sayso.targets.build.stage_metrics import field_f1, fields_of

FOLDS, PULL, ENOUGH = 4, 0.05, 0.6
"""A package none of whose candidates is worth `ENOUGH` teaches nothing."""


@dataclass(frozen=True)
class Rivals:
    """The candidates of one package: features and worth of each, and what the rules alone are worth."""

    features: list[list[str]]
    worth: list[float]
    by_rules: float


def rivals_of(what: str, tree: SourceTree, wanted: str) -> Rivals:
    system = system_of(tree)
    present = version_by_rules(tree) if what == "version" else name_by_rules(tree)
    found = likely.versions(tree, present) if what == "version" else likely.called(tree, present)

    def worth(value: str) -> float:
        return field_f1(what, value if what == "version" else as_packaged(value, system, tree), wanted)

    each = sorted(found)
    return Rivals([sorted(found[one]) for one in each], [worth(one) for one in each], worth(present))


def fit(each: Sequence[Rivals]) -> dict[str, float]:
    """A softmax over the candidates of a package: those worth most are to be likeliest together."""
    kept = [one for one in each if max(one.worth, default=0.0) > ENOUGH]
    names = sorted({name for one in kept for row in one.features for name in row})
    at = {name: number for number, name in enumerate(names)}
    rows = [row for one in kept for row in one.features]
    flat = np.array([at[name] for row in rows for name in row])
    owner = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    group = np.repeat(np.arange(len(kept)), [len(one.features) for one in kept])
    right = np.array([float(value == max(one.worth)) for one in kept for value in one.worth])

    def slope(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.bincount(owner, weights[flat], len(rows))
        most = np.full(len(kept), -np.inf)
        np.maximum.at(most, group, sums)
        powers = np.exp(sums - most[group])
        chance = powers / np.bincount(group, powers)[group]
        wanted = powers * right / np.bincount(group, powers * right)[group]
        down: NDArray[np.float64] = np.bincount(flat, (chance - wanted)[owner], len(names)) + PULL * weights
        return down

    weights = Adam(0.05, 120)(np.zeros(len(names)), slope)
    return dict(zip(names, weights.tolist(), strict=True))


def score(each: Sequence[Rivals], weights: Mapping[str, float]) -> float:
    def chosen(one: Rivals) -> float:
        sums = [sum(weights.get(name, 0.0) for name in row) for row in one.features]
        return one.worth[max(range(len(sums)), key=sums.__getitem__)] if sums else 0.0

    return float(np.mean([chosen(one) for one in each]))


def in_folds(each: Sequence[Rivals], learn: Callable[[Sequence[Rivals]], dict[str, float]] = fit) -> float:
    parts = [
        score(each[fold::FOLDS], learn([one for at, one in enumerate(each) if at % FOLDS != fold]))
        for fold in range(FOLDS)
    ]
    return float(np.mean(parts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the corpora")
    parser.add_argument("--write", action="store_true", help="keep them as the project's weights")
    args = parser.parse_args()
    barred = evaluated_names(args.data)
    kept: dict[str, dict[str, float]] = {}
    for what in ("name", "version"):
        parts: dict[str, list[Rivals]] = {}
        splits: tuple[Split, ...] = ("train", "dev")
        for split in splits:
            examples = load_metadata(Workspace(args.data, args.data), split)
            asked = ((asked_tree(one.request), fields_of(one.references[0]).get(what, "")) for one in examples)
            parts[split] = [rivals_of(what, tree, wanted) for tree, wanted in asked if wanted]
        weights = fit(parts["train"])
        rules = {split: round(float(np.mean([one.by_rules for one in each])), 4) for split, each in parts.items()}
        print(f"{what}: rules {rules}, folds {in_folds(parts['train']):.4f}, dev {score(parts['dev'], weights):.4f}")
        kept[what] = {
            name: round(value, 3)
            for name, value in sorted(weights.items())
            if abs(value) >= 0.005 and not says_any(name, barred)
        }
    content = gzip.compress(json.dumps(kept, separators=(",", ":")).encode(), 9, mtime=0)
    print(f"{len(content)} bytes")
    if args.write:
        with write_atomically(likely.WEIGHTS) as file:
            file.write(content)


if __name__ == "__main__":
    main()
