"""Recipes of cells from the asked corpus: templates, and what is counted on them.

A setting is a notebook in small, so whoever measures makes recipes from other settings than those that are asked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

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


def drawn_asks(asked: Sequence[Asked], n: int, seed: str) -> list[tuple[Asked, int, str, str]]:
    """So many asks, each in one phrasing and in one of the two ways; more of them begin with the same ones."""
    every = [(digest(f"{seed}:{one[0].id}:{place}"), one, place) for one in asked for place in range(len(one[0].asks))]
    found = []
    for number, one, place in sorted(every, key=lambda some: some[0])[:n]:
        phrasings = one[0].asks[place].phrasings
        found.append((one, place, phrasings[number % len(phrasings)], (LIVE, FILES)[number // 8 % 2]))
    return found


def digest(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:12], 16)
