"""What telling a request back is worth among all columns, and how far the trunk is believed beside it.

`python -m sayso.experiments.told_weight OUT [--write TOLD TRUNK]`, OUT being what `weighing_outcomes` made. The weights
that ship stay what they are, but for two numbers: that of `told_behind`, and what all columns of the trunk are
multiplied with. Every pair of them is tried as in use, where only the best are told back; first and one of three right.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from sayso.answer.rerank import TOLD_BEHIND, Combined
from sayso.answer.weighing import Weighing
from sayso.core.types import Workspace
from sayso.experiments.fit_weighing import Question, answered, questions
from sayso.neural.bundle import load_bundle, write_bundle
from sayso.targets.bash.evidence.features import TRUNK
from sayso.targets.bash.systems.combined import RERANK, best_system
from sayso.targets.bash.tasks import BASH

SETS = ("everyday", "fresh-dev", "steps", "nl2bash", "asked", "asked-form")
TOLD = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
TIMES = (1.0, 1.5, 2.0, 3.0)
OF_TRUNK = (*TRUNK, "is_said")


def scaled(weighing: Weighing, told: float, trunk: float) -> Weighing:
    weights = [
        told if name == TOLD_BEHIND else weight * (trunk if name in OF_TRUNK else 1.0)
        for name, weight in zip(weighing.columns, weighing.weight, strict=True)
    ]
    return replace(weighing, weight=tuple(weights))


def right(asked: Iterable[Question], weighing: Weighing) -> tuple[int, int]:
    """First, and one of three."""
    found = answered(asked, lambda one: weighing)
    return sum(one.first for one in found), sum(one.three for one in found)


def write(weighing: Weighing, folder: Path = RERANK) -> None:
    bundle = load_bundle(folder)
    write_bundle(
        folder,
        name=bundle.name,
        target=bundle.target,
        kind=bundle.kind,
        settings={**bundle.settings, "weighing": weighing.as_json()},
        files={name: bundle.read(name) for name in bundle.files},
        licence=bundle.licence,
    )


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--write", type=float, nargs=2, metavar=("TOLD", "TRUNK"), help="put these into the bundle")
    args = parser.parse_args(argv)
    system = best_system(BASH, Workspace(args.out, args.out)).translator
    assert isinstance(system, Combined)
    if args.write:
        write(scaled(system.weighing, *args.write))
        return 0
    paths = [path for name in SETS if (path := args.out / f"{name}.jsonl").is_file()]
    asked = {path.stem: [one for one in questions(system, path) if one.scored] for path in paths}
    counts = {name: [len(some), sum(any(one.right.values()) for one in some)] for name, some in asked.items()}
    print(json.dumps({"of": counts}))
    for told in TOLD:
        for trunk in TIMES:
            found = {name: right(some, scaled(system.weighing, told, trunk)) for name, some in asked.items()}
            print(json.dumps({"told": told, "trunk": trunk, **found}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
