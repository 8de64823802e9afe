"""`python -m benchmarks.asked_cells [--trunk DIR]`: cells for held-out settings of the asked corpus, run and compared.

Each ask is answered in its first phrasing by recipes of all other settings, by the trunk, and by both (their weights
cross-fitted by setting), as `%sayso` asks (`live`) and as `sayso cell` does (`files`). A cell is right where what it
shows, makes and changes is what the corpus' own cell does (`targets/notebook/inside/pictures.py`). Needs
`sayso data get kernel`. Intervals draw whole settings.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from sayso.apps import settings
from sayso.core.errors import SaysoError
from sayso.core.types import Candidate, Example, Score
from sayso.experiments.asked_lessons import is_held
from sayso.experiments.cell_recipes import FILES, LIVE, recipes_of, request_for
from sayso.experiments.cell_weighing import Item, Question, Remembered, by_setting, held_asks, judged, ranks
from sayso.metrics.average import Pooling
from sayso.metrics.significance import score_with_interval
from sayso.targets.notebook.asked.compared import Comparing
from sayso.targets.notebook.asked.stored import load_asked
from sayso.targets.notebook.kernel_packages import fetched
from sayso.targets.notebook.systems import asked_cells, cells
from sayso.targets.notebook.systems.columns import copies

TOGETHER = 5
ERROR = re.compile(r"\w*(?:Error|Exception)\b")
LAST: Mapping[str, Callable[[str], bool]] = {
    "both, cells that fail last": lambda problem: bool(ERROR.match(problem)),
    "both, unknown attributes last": lambda problem: problem.startswith("AttributeError"),
}
"""What knowing more could give at most: running every cell first, or looking up every attribute."""


def nothing(problem: str) -> bool:
    return False


@dataclass(frozen=True)
class Share:
    """Of 0 and 1."""

    name: str = "tests"
    signature: str = "compared"
    pooling: ClassVar[Pooling] = "mean"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int:
        raise NotImplementedError("it is measured already")

    def reduce(self, stats: Sequence[Any]) -> Score:
        return Score(self.name, sum(stats) / max(1, len(stats)), len(stats), {}, self.signature)


def told(right: Sequence[bool], names: Sequence[str]) -> dict[str, float]:
    found = score_with_interval(Share(), [int(one) for one in right], clusters=names)
    return {"value": round(found.value, 4), "low": round(found.low or 0.0, 4), "high": round(found.high or 0.0, 4)}


def scores(found: Mapping[str, list[list[bool]]], names: Sequence[str]) -> dict[str, Any]:
    """System -> tests@1 and @5 with intervals; `found` has for each request which of its cells, in order, are right."""
    return {
        system: {f"tests@{k}": told([any(one[:k]) for one in some], names) for k in (1, TOGETHER)}
        for system, some in found.items()
    }


def measured(way: str, limit: int, trunk: Path | None, drawn: Path | None, comparing: Comparing) -> dict[str, Any]:
    asked = load_asked()
    at_hand = asked_cells.at_hand()
    alone = asked_cells.alone_of(at_hand)
    recipes = recipes_of(one for one in asked if not is_held(one[0].id))
    model = own = None
    if trunk:
        own = cells.opened(trunk)
        model = Remembered(own.translator.model, own.bundle, drawn)
    joint = asked_cells.Joint(recipes, alone, None, model)
    items: list[Item] = []
    orders: list[dict[str, list[str]]] = []
    for one, place in held_asks(asked, limit):
        phrasing = one[0].asks[place].phrasings[0]
        request = request_for(one, place, phrasing, way)
        order = {"recipes": [option.text for option in joint_alone(joint, request)]}
        options, rows = joint.rows(request)
        if own and model:
            drawn_options = cells.once([*model.options(request)[0], *copies(request)])
            order["trunk"] = [option.text for option, _, _ in own.translator.weighed(request, drawn_options)]
        items.append((one, place, phrasing, [option.text for option in options], rows))
        orders.append(order)
    questions = judged(items, comparing)
    kept = [(question, order) for question, order in zip(questions, orders, strict=True) if question is not None]
    names = [question.setting for question, _ in kept]
    found = {
        system: [rights(question, order[system]) for question, order in kept]
        for system in (orders[0] if orders else ())
    }
    if model:
        some = [question for question, _ in kept]
        weighings = by_setting(some, asked_cells.JOINT)
        orders_of = [ranks(question, weighing) for question, weighing in zip(some, weighings, strict=True)]
        for name, last in {"both": nothing, **LAST}.items():
            found[name] = [
                [question.right[at] for at in sorted(order, key=lambda at: last(question.problems[at]))]
                for question, order in zip(some, orders_of, strict=True)
            ]
    unscored = sum(question is None for question in questions)
    return {"way": way, "n": len(kept), "unscored": unscored, "settings": len(set(names)), **scores(found, names)}


def joint_alone(joint: asked_cells.Joint, request: Any) -> list[Any]:
    """What recipes would answer where no trunk is installed."""
    return asked_cells.Joint(joint.recipes, joint.alone).translate([request], TOGETHER)[0]


def rights(question: Question, texts: Sequence[str]) -> list[bool]:
    by_text = {text.strip(): right for text, right in zip(question.texts, question.right, strict=True)}
    return [by_text.get(text.strip(), False) for text in texts]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.asked_cells", description=__doc__)
    parser.add_argument("--way", choices=(LIVE, FILES), action="append", help="how columns are told (both)")
    parser.add_argument("--limit", type=int, default=10_000, help="asks")
    parser.add_argument("--trunk", type=Path, help="a bundle of notebook cells, to measure it and both together")
    parser.add_argument("--drawn", type=Path, help="a file that keeps what the trunk draws")
    parser.add_argument("--known", type=Path, help="a file that keeps verdicts")
    args = parser.parse_args(argv)
    try:
        cache = settings.workspace().cache
        comparing = Comparing(fetched(cache), cache, args.known)
        for way in args.way or (LIVE, FILES):
            print(json.dumps(measured(way, args.limit, args.trunk, args.drawn, comparing), indent=1))
    except SaysoError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
