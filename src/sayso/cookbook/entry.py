"""A recipe: one intent, several ways to ask for it with typed slots, and the instruction with the same slots."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sayso.cookbook.slot_types import TYPES
from sayso.core.types import RiskLevel

SLOT = re.compile(r"\{([a-z]+)(?:\|([a-z]+))?\}")


@dataclass(frozen=True)
class Slot:
    """`default` stands where the request says nothing; an optional slot takes its part of the command with it."""

    name: str
    type: str
    default: str = ""
    optional: bool = False

    @property
    def required(self) -> bool:
        return not self.default and not self.optional

    @property
    def shown(self) -> str:
        return TYPES[self.type].shown


@dataclass(frozen=True)
class Recipe:
    """`needs`: at least one of these slots must be filled, or the recipe is no answer (deleting, of what?)."""

    intent: str
    command: str
    risk: RiskLevel
    slots: Mapping[str, Slot]
    say: tuple[str, ...]
    needs: tuple[str, ...] = ()
    place: str = ""
    """file:line, for messages."""


def parse_slot(name: str, text: str) -> Slot:
    """("dir", "dir=.") -> a slot with a default; ("ext", "extension?") -> an optional one"""
    kind, has_default, default = text.partition("=")
    optional = kind.endswith("?")
    return Slot(name, kind.removesuffix("?"), default if has_default else "", optional)


def pieces(phrasing: str) -> list[tuple[str, bool]]:
    """The text and the slots of a phrasing in order: ("find ", False), ("ext", True), (" files", False)."""
    found: list[tuple[str, bool]] = []
    done = 0
    for match in SLOT.finditer(phrasing):
        found += [(phrasing[done : match.start()], False), (match[1], True)]
        done = match.end() + 2 * phrasing.startswith("th ", match.end())  # the {n}th line
    return [*found, (phrasing[done:], False)]


def spoken(phrasing: str, recipe: Recipe, values: Mapping[str, str] | None = None) -> str:
    """A phrasing with placeholders, or with values, in its slots: "find files larger than SIZE"."""
    return SLOT.sub(lambda match: (values or {}).get(match[1]) or recipe.slots[match[1]].shown, phrasing)


def example_values(recipe: Recipe, turn: int = 0) -> dict[str, str]:
    """Something to say in each slot, as one would say it; two slots of a type get different words."""
    used: dict[str, int] = {}
    values = {}
    for slot in recipe.slots.values():
        examples: Sequence[str] = TYPES[slot.type].examples
        at = used.get(slot.type, turn)
        used[slot.type] = at + 1
        values[slot.name] = examples[at % len(examples)]
    return values
