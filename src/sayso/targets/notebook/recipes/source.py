"""Cells that recipes propose for a request in its notebook: the nearest phrasings, filled in several ways, each with
what speaks for it in columns. What the columns weigh is fitted on cells that ran (`experiments/cell_weighing.py`)."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from sayso.core.types import Request
from sayso.targets.notebook.recipes.filling import Filled, fillings, inversions
from sayso.targets.notebook.recipes.index import STOP, Asked, Phrasings, read
from sayso.targets.notebook.recipes.known import Known, known_of
from sayso.targets.notebook.recipes.learnt import Learnt
from sayso.targets.notebook.recipes.spoken import SPOKEN, spoken_columns
from sayso.targets.notebook.recipes.template import Template
from sayso.targets.notebook.review.asked import given_above
from sayso.targets.notebook.review.names import names_of

NEAREST = 120
"""Phrasings that are filled."""
LONGEST = 40
"""Words of a request: nobody asks a recipe for more."""
UNKNOWN = 6.0
"""The weight of a word that no phrasing has."""
FILLED = (
    "bias", "near", "request_share", "phrasing_share", "exact", "sure", "missing", "guesses", "misfits", "untyped",
    "beside", "inverted", "unsure_texts", "swapped", "votes", "rank", "common",
)  # fmt: skip
COLUMNS = (*FILLED, *SPOKEN)


@dataclass(frozen=True)
class Proposal:
    text: str
    row: tuple[float, ...]
    """A number for each of COLUMNS."""
    like: str = ""
    """The phrasing that it was asked for with, in stems."""


@dataclass(frozen=True)
class Recipes:
    templates: Sequence[Template]
    learnt: Learnt
    nearest: int = NEAREST

    @cached_property
    def phrasings(self) -> Phrasings:
        return Phrasings(self.templates, self.learnt)

    def read(self, text: str, known: Known) -> Asked:
        return read(text, self.learnt.told(known), self.learnt)

    def propose(self, request: Request) -> list[Proposal]:
        """Every filling that parses and needs nothing that is not there, once."""
        if len(request.text.split()) > LONGEST:
            return []
        known = known_of(request)
        above = given_above(request)
        given = None if above.open else {*above.given, *known.names, *known.tables}
        return self.propose_in(self.read(request.text, known), given)

    def propose_in(self, asked: Asked, given: Collection[str] | None) -> list[Proposal]:
        """`given`: the names that a cell may need, None where it may be any."""
        made: dict[str, list[Filled]] = {}
        for template, phrasing, near in self.phrasings.nearest(asked, self.nearest):
            for one in fillings(template, phrasing, near, asked):
                made.setdefault(one.text, []).append(one)
        order = sorted(made, key=lambda text: -max(one.near for one in made[text]))
        found = []
        for place, text in enumerate(order):
            if is_whole(text, given):
                said = self.spoken(text, asked)
                rows = [(self.row(one, asked, made[text], place), one) for one in made[text]]
                row, best = max(rows, key=lambda one: plain(one[0]))
                found.append(Proposal(text, (*row, *said), " ".join(map(str, best.phrasing))))
        return found

    def spoken(self, text: str, asked: Asked) -> list[float]:
        return spoken_columns(text, asked, self.learnt, self.phrasings.index.weights)

    def row(self, one: Filled, asked: Asked, alike: Sequence[Filled], place: int) -> list[float]:
        """A number for each of FILLED."""
        weights = self.phrasings.index.weights
        stems = [stem for stem in asked.stems if stem not in STOP]
        own = [item for item in one.phrasing if isinstance(item, str) and item not in STOP]
        both = share([weights.get(stem, UNKNOWN) for stem in stems], [stem in own for stem in stems])
        back = share([weights.get(stem, UNKNOWN) for stem in own], [stem in stems for stem in own])
        said = [one.values[at] for at in one.said if at in one.values and one.template.slots[at].type != "table"]
        typed = [(one.template.slots[at], value) for at, value in one.values.items()]
        columns = [value for slot, value in typed if slot.type in ("column", "name")]
        forms = {(other.template.group, other.template.form): other.near for other in alike}
        return [
            1.0,
            one.near,
            both,
            back,
            float(both > 0.999 and back > 0.999),
            sum(value.sure for value in said) / len(said) if said else 0.5,
            float(sum(value.first < 0 for value in said)),
            float(one.guesses),
            float(sum(value.fits < 0 for value in columns)),
            float(sum(0 < value.fits < 1 for value in columns)),
            sum(value.beside for value in said) / len(said) if said else 0.0,
            float(inversions(one)),
            float(sum(value.sure == 0.5 and slot.type in ("text", "new") for slot, value in typed)),
            float(sum(slot.type == "deed" and value.text != slot.default for slot, value in typed)),
            math.log1p(sum(forms.values())),
            math.log1p(place),
            math.log(self.phrasings.common[one.template.form]),
        ]


def plain(row: Sequence[float]) -> float:
    """Which of several ways to the same cell tells of it: the one that explains most."""
    return row[1] + row[2] + row[3] + row[5] - row[6]


def share(weights: Sequence[float], there: Sequence[bool]) -> float:
    total = sum(weights)
    return sum(weight for weight, is_there in zip(weights, there, strict=True) if is_there) / total if total else 1.0


def is_whole(text: str, given: Collection[str] | None) -> bool:
    """Whether it parses and needs no name that is not there."""
    names = names_of(text)
    return names is not None and (given is None or names.open or all(name in given for name in names.needed))
