"""Asked cells as lessons: one phrasing with all that stands above it, in the very form in which the hand asks.

What is drawn makes one ask look like many notebooks: titles, cells of other asks above, other names (`asked_renamed`),
other quotes. Columns are told as a live kernel tells them, as the first line of a file, or not at all where request and
cells show all that the answer needs.
"""

from __future__ import annotations

import ast
import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from sayso.core.types import Piece, Request
from sayso.english.tables import header_line, tables_piece
from sayso.experiments.asked_renamed import Lesson, Pools, renamed, single_quoted, whole
from sayso.targets.notebook.asked.tried import Tried
from sayso.targets.notebook.asked.written import Setting
from sayso.targets.notebook.recipes.known import live_columns

LIVE_SHARE, FILE_SHARE = 0.4, 0.3
"""How often columns are told as a kernel tells them, and as a file's first line; the rest is told nothing."""
TITLED, SINGLE, OTHERS, CAPITAL = 0.2, 0.3, 0.25, 0.15
HELD = 0.05


def is_held(setting: str, share: float = HELD) -> bool:
    return int(hashlib.sha256(f"held:{setting}".encode()).hexdigest()[:8], 16) < share * 2**32


@cache
def is_looking(code: str) -> bool:
    """Whether a cell only shows something, so that others below it find everything as it was."""
    try:
        body = ast.parse(code).body
    except SyntaxError:
        return False
    return all(isinstance(one, ast.Expr) for one in body) and "inplace" not in code and ".to_" not in code


def lesson_of(
    setting: Setting, place: int, phrasing: str, tried: Sequence[Tried], draw: random.Random | None
) -> Lesson:
    """One ask with all that stands above it; `draw` adds what other notebooks have there, None leaves it plain."""
    above = [("code", cell) for cell in setting.shown]
    if draw and draw.random() < TITLED:
        above.insert(draw.randrange(len(above) + 1), ("text", draw.choice(titles(setting))))
    if draw and draw.random() < OTHERS:
        others = [
            one for at, one in enumerate(setting.asks) if at != place and not one.follows and is_looking(one.code)
        ]
        for one in draw.sample(others, min(len(others), draw.randint(1, 2))):
            above += told(one.phrasings, one.code, draw)
    for one in setting.before(place):
        above += told(one.phrasings, one.code, draw)
    return Lesson(tuple(above), phrasing, setting.asks[place].code, tried[place].names, tried[place].tables)


def told(phrasings: Sequence[str], code: str, draw: random.Random | None) -> list[tuple[str, str]]:
    """A cell above as `%sayso` knows it, with what was asked, or as a file has it."""
    is_asked = draw is not None and draw.random() < 0.5
    return [*([("text", draw.choice(phrasings))] if is_asked and draw else []), ("code", code)]


def titles(setting: Setting) -> list[str]:
    words = [match for cell in setting.shown for match in re.findall(r"^(\w+) = pd\.", cell, re.M)] or ["notes"]
    name = words[0].replace("_", " ")
    return [f"# {name.capitalize()}", f"## {name.capitalize()}", "Load the data", "## Data", f"Notebook about {name}"]


def request_of(lesson: Lesson, draw: random.Random | None) -> Request:
    """As the hand asks: with a live kernel, with files beside the notebook, or with neither where that is enough."""
    pieces = tuple(Piece("text" if kind == "text" else "code", text) for kind, text in lesson.above)
    way = draw.random() if draw else 0.0
    files = tables_piece(file_lines(lesson))
    if way >= LIVE_SHARE + FILE_SHARE and not is_enough(lesson):
        way = draw.random() * (LIVE_SHARE + FILE_SHARE) if draw else 0.0
    known: tuple[Piece, ...] = ()
    if way < LIVE_SHARE and lesson.names:
        known = (Piece("names", "\n".join(lesson.names)),)
    elif way < LIVE_SHARE + FILE_SHARE and files:
        known = (files,)
    return Request(lesson.request, (*known, *pieces))


def file_lines(lesson: Lesson) -> Iterator[str]:
    """Tables that the cells above name, "" for one without a header."""
    codes = "\n".join(text for kind, text in lesson.above if kind == "code")
    return (header_line(name, first) for name, first in lesson.tables if name in codes)


def is_enough(lesson: Lesson) -> bool:
    """Whether every column that the answer has stands in what is shown or asked."""
    shown = "\n".join([lesson.request, *(text for _, text in lesson.above)])
    columns = {column for held in live_columns(lesson.names).values() for column in held}
    return all(whole(one).search(shown) for one in columns if whole(one).search(lesson.code))


def varied(lesson: Lesson, pools: Pools, draw: random.Random, is_first: bool) -> Lesson:
    lesson = lesson if is_first else renamed(lesson, pools, draw)
    lesson = single_quoted(lesson) if draw.random() < SINGLE else lesson
    if draw.random() < CAPITAL:
        lesson = replace(lesson, request=lesson.request[:1].upper() + lesson.request[1:])
    return lesson
