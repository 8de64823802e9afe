"""The everyday set as it is stored: notebooks in small, each request with a check, a right cell and wrong ones.

Settings in the order of their digests are dev and test by turns, so that no notebook stands in both.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from sayso.core.types import Example, Piece, Request, Split
from sayso.english.tables import tables_piece
from sayso.targets.notebook.asked.written import Ask, Setting, read_settings

FOLDER = "data/everyday"
FROZEN = "digest.txt"
TABLES = "tables.json"
"""What is told of the files beside each notebook: setting -> lines. Made by running what is hidden."""


@dataclass(frozen=True)
class Entry:
    setting: Setting
    place: int

    @property
    def ask(self) -> Ask:
        return self.setting.asks[self.place]

    @property
    def id(self) -> str:
        text = "\0".join([self.setting.id, *map(str, self.ask.phrasings), self.ask.code])
        return f"everyday:{hashlib.sha256(text.encode()).hexdigest()[:10]}"

    @property
    def half(self) -> Split:
        return halves()[self.setting.id]

    @property
    def above(self) -> tuple[str, ...]:
        """The code that has run when it is asked, but for what is hidden."""
        return (*self.setting.shown, *(one.code for one in self.setting.before(self.place)))


def folder() -> Path:
    return Path(str(files("sayso.targets.notebook").joinpath(FOLDER)))


@cache
def digest() -> str:
    """Of the whole set: requests, right and wrong cells, checks and what they call, what is told of files."""
    return digest_of(folder())


def digest_of(where: Path) -> str:
    whole = hashlib.sha256()
    for path in sorted(path for path in where.iterdir() if path.suffix in (".txt", ".py", ".json")):
        if path.name != FROZEN:
            whole.update(f"{path.name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


@cache
def entries() -> tuple[Entry, ...]:
    found = (one for path in sorted(folder().glob("everyday-*.txt")) for one in read_settings(path))
    return tuple(Entry(setting, place) for setting in found for place in range(len(setting.asks)))


@cache
def halves() -> dict[str, Split]:
    ids = sorted({one.setting.id for one in entries()}, key=lambda one: hashlib.sha256(one.encode()).hexdigest())
    return {one: "test" if place % 2 else "dev" for place, one in enumerate(ids)}


@cache
def told_tables() -> dict[str, list[str]]:
    return dict(json.loads((folder() / TABLES).read_text(encoding="utf-8")))


def examples(split: Split) -> Iterator[Example]:
    """As `sayso cell` asks: the cells above, and the columns of the files that lie beside."""
    for one in entries():
        if one.half == split:
            tables = tables_piece(told_tables().get(one.setting.id, ()))
            cells = tuple(Piece("code", cell) for cell in one.above)
            context = (*((tables,) if tables else ()), *cells)
            yield Example(one.id, Request(one.ask.phrasings[0], context), (one.ask.code,), meta_of(one))


def meta_of(one: Entry) -> dict[str, str]:
    """What a check needs. Wrong cells stay with the files: no system and no metric reads them."""
    return {
        "assignment": one.setting.id,
        "hidden": one.setting.hidden,
        "runnable": one.ask.code,
        "tests": one.ask.check,
        "theme": one.ask.check.partition("\n")[0].lstrip("# "),
        "variant": "runnable",
    }
