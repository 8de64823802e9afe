"""Recipes of cells from the asked corpus: templates, and what is counted on them.

A setting is a notebook in small, so whoever measures makes recipes from other settings than those that are asked.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence

from sayso.core.types import Piece, Request
from sayso.english.tables import tables_piece
from sayso.experiments.asked_lessons import file_lines, lesson_of
from sayso.targets.notebook.asked.stored import Asked
from sayso.targets.notebook.recipes.known import from_names
from sayso.targets.notebook.recipes.learnt import learn
from sayso.targets.notebook.recipes.making import template_of
from sayso.targets.notebook.recipes.source import Recipes
from sayso.targets.notebook.recipes.template import Template

LIVE, FILES = "live", "files"
"""How columns are told: as `%sayso` tells them, and as `sayso cell` does."""


def templates_of(one: Asked) -> list[Template]:
    setting, tried = one
    found = []
    for place, ask in enumerate(setting.asks):
        above = [*setting.shown, *(other.code for other in setting.before(place))]
        found.append(template_of(tried[place].names, above, ask.phrasings, ask.code, setting.id))
    return found


def recipes_of(asked: Iterable[Asked]) -> Recipes:
    some = list(asked)
    templates = [template for one in some for template in templates_of(one)]
    tables = [from_names(tried[0].names) for _, tried in some if tried]
    return Recipes(templates, learn(templates, tables))


def request_for(one: Asked, place: int, phrasing: str, way: str) -> Request:
    """One ask as a user's notebook has it."""
    setting, tried = one
    lesson = lesson_of(setting, place, phrasing, tried, None)
    cells = tuple(Piece("code", text) for _, text in lesson.above)
    if way == LIVE:
        return Request(phrasing, (Piece("names", "\n".join(lesson.names)), *cells))
    lying = tables_piece(file_lines(lesson))
    return Request(phrasing, (*((lying,) if lying else ()), *cells))


def drawn_asks(
    asked: Sequence[Asked], n: int, draw: random.Random, wanted: Callable[[str], bool]
) -> list[tuple[Asked, int, str, str]]:
    """So many asks of the settings that are wanted, each in one phrasing and in one of the two ways."""
    every = [(one, place) for one in asked if wanted(one[0].id) for place in range(len(one[0].asks))]
    some = draw.sample(every, min(n, len(every)))
    return [(one, place, draw.choice(one[0].asks[place].phrasings), draw.choice((LIVE, FILES))) for one, place in some]
