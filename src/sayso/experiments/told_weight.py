"""What telling a request back is worth among all columns, and how far the trunk is believed beside it.

`python -m sayso.experiments.told_weight OUT [--write TOLD TRUNK]`, OUT being what `weighing_outcomes` made. The weights
that ship stay what they are, but for two numbers: that of `told_behind`, and what all columns of the trunk are
multiplied with. Every pair of them is tried as in use, where only the best are told back; first and one of three right.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from sayso.answer.rerank import TOLD_BACK, Combined, believed, told_back
from sayso.answer.weigh import best_first
from sayso.answer.weighing import Weighing
from sayso.core.types import Request, Workspace
from sayso.experiments.fit_weighing import Question, questions
from sayso.neural.bundle import load_bundle, write_bundle
from sayso.targets.bash.evidence.features import TRUNK
from sayso.targets.bash.systems.combined import RERANK, best_system
from sayso.targets.bash.tasks import BASH

SETS = ("everyday", "fresh-dev", "steps", "nl2bash", "asked", "asked-form")
TOLD = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
TIMES = (1.0, 1.5, 2.0, 3.0)
OF_TRUNK = (*TRUNK, "is_said")


def scaled(weighing: Weighing, told: float, trunk: float) -> Weighing:
    behind = TOLD_BACK[1]
    weights = [
        told if name == behind else weight * (trunk if name in OF_TRUNK else 1.0)
        for name, weight in zip(weighing.columns, weighing.weight, strict=True)
    ]
    return replace(weighing, weight=tuple(weights))


def right(asked: Iterable[Question], weighing: Weighing) -> tuple[int, int]:
    """First, and one of three."""
    first = three = 0
    behind = weighing.columns.index(TOLD_BACK[1])
    for one in asked:
        options = one.options
        told = {draft.text: row[behind] for draft, row in zip(options.drafts, options.rows, strict=True)}
        rows = [[*row] for row in options.rows]
        for row in rows:
            for name in TOLD_BACK:
                row[weighing.columns.index(name)] = 0.0
        if any(told.values()):
            weighed = believed(options.drafts, options.seen, [weighing.score(row) for row in rows])
            rows = told_back(Request(one.id), weighed, rows, weighing.columns, partial(look_up, told))
        ranked = best_first(believed(options.drafts, options.seen, [weighing.score(row) for row in rows]))
        found = [one.right.get(some.draft.text, False) for some in ranked[:3]]
        first, three = first + any(found[:1]), three + any(found)
    return first, three


def look_up(told: Mapping[str, float], request: Request, texts: Sequence[str]) -> list[float]:
    return [told[text] for text in texts]


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
