"""A cell with slots, and the words in which it was asked for, with the same slots."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sayso.targets.notebook.recipes.order import FLIPPED

Part = str | tuple[int, str]
"""Text of a cell, or a slot and how it stands there: i (a name), q (in quotes), a (.name), w (within a text), n (a
number), p (a number in percent), r (True for False)."""
Item = str | int
"""A stem of a phrasing, or a slot."""
ENDS_A_TEXT = re.compile(r"[\"'\\{}\x00-\x1f\x7f]")
CODE_WORD = re.compile(r"[^\W\d]\w*|[<>=!]=|[-+*/%<>|&~]")


@dataclass(frozen=True)
class Slot:
    """`type`: table, column, name, number, text, file, new, deed or own. `kind`: a column's or a name's, or the family
    of a deed. `table`: the slot of a column's table. `default` stands where the request does not say otherwise."""

    type: str
    kind: str = ""
    table: int = -1
    default: str = ""


@dataclass(frozen=True)
class Template:
    parts: tuple[Part, ...]
    slots: tuple[Slot, ...]
    phrasings: tuple[tuple[Item, ...], ...]
    imports: Mapping[str, str]
    """Names that it takes from modules, and the line that imports each."""
    group: str = ""
    """The setting that it was made from: whoever measures leaves its own out."""

    @cached_property
    def words(self) -> frozenset[str]:
        """What the code says beside its slots."""
        return frozenset(word for part in self.parts if isinstance(part, str) for word in CODE_WORD.findall(part))

    @cached_property
    def used(self) -> frozenset[int]:
        return frozenset(part[0] for part in self.parts if not isinstance(part, str))

    @cached_property
    def form(self) -> str:
        """The same for all templates that differ in nothing but where they come from."""
        marks = (
            part if isinstance(part, str) else f"⟪{part[0]}{part[1]}{self.slots[part[0]].type}⟫" for part in self.parts
        )
        return "".join(marks)

    def filled(self, values: Sequence[str]) -> str:
        return "".join(part if isinstance(part, str) else written(values[part[0]], part[1]) for part in self.parts)


def written(value: str, form: str) -> str:
    """unit price, "q" -> "unit price" in quotes"""
    if form == "q":
        return literal(value, '"')
    if form == "s":
        return literal(value, "'")
    if form == "a":
        return f".{value}" if is_name(value) else f"[{literal(value, chr(34))}]"
    if form == "w":
        return ENDS_A_TEXT.sub("", value)
    if form == "i":
        return value if is_name(value) else "_" + re.sub(r"\W", "_", value, flags=re.ASCII)
    if form == "p":
        return f"{float(value) / 100:g}"
    if form == "r":
        return FLIPPED.get(value, value)
    return value


def is_name(value: str) -> bool:
    return value.isidentifier() and not keyword.iskeyword(value)


def literal(value: str, mark: str) -> str:
    """In the quotes that stand there, in others where it has those, as Python writes it where nothing else will do: a
    column may be called whatever somebody likes to see run."""
    if not value.isprintable() or "\\" in value:
        return repr(value)
    other = "'" if mark == '"' else '"'
    return next((f"{one}{value}{one}" for one in (mark, other) if one not in value), repr(value))


def as_json(one: Template) -> list[Any]:
    slots = [[slot.type, slot.kind, slot.table, slot.default] for slot in one.slots]
    parts = [part if isinstance(part, str) else list(part) for part in one.parts]
    return [parts, slots, [list(phrasing) for phrasing in one.phrasings], dict(one.imports), one.group]


def read_json(one: Sequence[Any]) -> Template:
    parts, slots, phrasings, imports, group = one
    return Template(
        tuple(part if isinstance(part, str) else (int(part[0]), str(part[1])) for part in parts),
        tuple(Slot(*slot) for slot in slots),
        tuple(tuple(phrasing) for phrasing in phrasings),
        dict(imports),
        group,
    )


def names_needed(imports: Iterable[tuple[str, str]], given: Iterable[str]) -> list[str]:
    there = set(given)
    return list(dict.fromkeys(line for name, line in imports if name not in there))
