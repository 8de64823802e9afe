"""The script behind `targets/build/data/systems.json`: a linear choice among the build systems of one folder.

Fitted on packages of train whose top holds several systems, with the system that the corpus records as the truth; T, V
and their groups are no part of it. `python -m sayso.experiments.fit_build_systems DATA` writes it and prints accuracy.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from sayso.core.files import write_atomically
from sayso.core.types import Split
from sayso.learners.linear import Adam, fit_ranking, rivals
from sayso.targets.build.corpus.records import Package
from sayso.targets.build.corpus.splits import load_packages
from sayso.targets.build.planning.choice import features_of
from sayso.targets.build.planning.finding import systems_in
from sayso.targets.build.planning.plan import Ground
from sayso.targets.build.planning.said import documents_read, said_in
from sayso.targets.build.planning.told import told_words
from sayso.targets.build.reading.tree import SourceTree

SAME = {"configure": "autotools"}
PULL, RATE, ROUNDS = 0.02, 0.05, 400
OUT = Path(__file__).parents[1] / "targets" / "build" / "data" / "systems.json"
Question = tuple[list[dict[str, float]], int]


def ground_of(package: Package) -> Ground:
    texts = {one.path: one.text for one in (*package.documents, *package.build_files)}
    files = {entry.path: True for entry in package.tree} | dict.fromkeys(texts, True)
    tree = SourceTree(tuple((path, 0) for path in files), texts)
    said = tuple(one for path in documents_read(tree) for one in said_in(path, texts[path]))
    return Ground(files, texts, said)


def questions(data: Path, split: Split) -> Iterator[Question]:
    for package in load_packages(data, split):
        ground = ground_of(package)
        found = list(systems_in(ground, ""))
        truth = SAME.get(package.build_system, package.build_system)
        if len(found) > 1 and truth in [one.system for one in found]:
            told = told_words(ground)
            yield [features_of(ground, one, told) for one in found], [one.system for one in found].index(truth)


def accuracy(asked: Sequence[Question], weights: dict[str, float]) -> float:
    right = 0
    for rows, truth in asked:
        scores = [sum(weights.get(name, 0.0) * value for name, value in row.items()) for row in rows]
        right += scores.index(max(scores)) == truth
    return right / len(asked)


def main(argv: Sequence[str]) -> int:
    data = Path(argv[0])
    train, dev = list(questions(data, "train")), list(questions(data, "dev"))
    names = sorted({name for rows, _ in train for row in rows for name in row})
    asked = rivals(
        [
            (
                [[row.get(name, 0.0) for name in names] for row in rows],
                [float(at == truth) for at in range(len(rows))],
                1.0,
            )
            for rows, truth in train
        ]
    )
    fitted = fit_ranking(asked, Adam(RATE, ROUNDS), np.zeros(len(names)), PULL)
    weights = {name: round(float(value), 3) for name, value in zip(names, fitted, strict=True)}
    facts = {"train": len(train), "train_right": round(accuracy(train, weights), 3)}
    facts |= {"dev": len(dev), "dev_right": round(accuracy(dev, weights), 3)}
    with write_atomically(OUT) as file:
        file.write(json.dumps({"fit": facts, "weights": weights}, indent=1).encode() + b"\n")
    print(json.dumps(facts))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
