"""What each part of the Bash answers is worth: the same proposals weighed without one source, or without some columns.

`python -m sayso.experiments.bash_ablation OUT`, OUT being what `weighing_outcomes` made. Weights stay as they
ship. Of each set that OUT holds: how many requests have their first answer right, and one of three.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sayso.answer.rerank import TOLD_BEHIND, Combined
from sayso.answer.weighing import Weighing
from sayso.core.types import Workspace
from sayso.experiments.fit_weighing import questions
from sayso.experiments.told_weight import right
from sayso.targets.bash.evidence.features import OF_REQUEST, OF_TEXT
from sayso.targets.bash.systems.combined import best_system
from sayso.targets.bash.tasks import BASH

SETS = ("everyday", "fresh-dev", "steps", "nl2bash", "asked", "asked-form")


@dataclass(frozen=True)
class Part:
    """What is left out: sources that are not heard, columns that do not count."""

    name: str
    silent: Collection[str] = ()
    columns: Collection[str] = ()


PARTS = (
    Part("all"),
    Part("without the trunk", ("model",)),
    Part("without recipes", ("quick", "steps")),
    Part("without steps", ("steps",)),
    Part("without what is recalled", ("recalled",)),
    Part("without acts and risk", columns=OF_REQUEST),
    Part("without what a text is like", columns=OF_TEXT),
    Part("without both", columns=(*OF_REQUEST, *OF_TEXT)),
    Part("without telling the request back", columns=(TOLD_BEHIND,)),
)


def without(weighing: Weighing, columns: Collection[str]) -> Weighing:
    kept = [0.0 if name in columns else much for name, much in zip(weighing.columns, weighing.weight, strict=True)]
    return replace(weighing, weight=tuple(kept))


def ablation(system: Combined, out: Path) -> Iterator[dict[str, object]]:
    """A row for each part, and first of all how many requests there are, and have a right answer among all."""
    paths = {path.stem: path for name in SETS if (path := out / f"{name}.jsonl").is_file()}
    for part in PARTS:
        found: dict[str, object] = {}
        for name, path in paths.items():
            some = [one for one in questions(system, path, part.silent) if one.scored]
            if part.name == "all":
                texts = [(one, {draft.text for draft in one.options.drafts}) for one in some]
                reached = sum(any(one.right.get(text, False) for text in all_of) for one, all_of in texts)
                found[name] = [*right(some, system.weighing), reached, len(some)]
            else:
                found[name] = list(right(some, without(system.weighing, part.columns)))
        yield {"part": part.name, **found}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    args = parser.parse_args(argv)
    system = best_system(BASH, Workspace(args.out, args.out)).translator
    assert isinstance(system, Combined)
    for row in ablation(system, args.out):
        print(json.dumps(row), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
