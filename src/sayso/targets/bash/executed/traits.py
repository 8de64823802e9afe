"""The sides of every condition that a command puts on files, crossed: kind, ages, size, permissions, owner, text."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, fields
from itertools import pairwise, product
from typing import Literal, TypeVar

from sayso.targets.bash.executed.facts import DAY, Facts

MOST_TRAITS = 240
# In units of the condition. Days are cut close, so that -daystart shows; runs take too long to do so with minutes.
SIDES = (-0.5, 0.5, 1.5)
NEAR_SIDES = (-0.5, 0.5, 1.5, -0.03, 0.03, 0.97, 1.03)
Value = TypeVar("Value")


@dataclass(frozen=True)
class Traits:
    """One combination of sides of all conditions."""

    kind: Literal["file", "dir", "link", "other"] = "file"
    age: float = 5 * DAY
    access: float = 5 * DAY
    size: int | None = None
    mode: int = 0o644
    owner: str = ""
    text: str = ""


def ideals(traits: list[Traits], facts: Facts) -> list[Traits]:
    """What meets all conditions as far as can be told, then all that differ from it in one respect."""
    best = max(traits, key=lambda one: fitness(one, facts))
    names = [item.name for item in fields(Traits)]

    def differ(other: Traits) -> int:
        differing = {name for name in names if getattr(best, name) != getattr(other, name)}
        return len(differing - {"access"}) + ("access" in differing and "age" not in differing)

    return [best, *(other for other in traits if differ(other) == 1)]


def fitness(traits: Traits, facts: Facts) -> tuple[int, ...]:
    kinds = {"f": "file", "d": "dir", "l": "link", "p": "other"}
    wanted = {kinds.get(kind, "other") for kind in facts.types} or {"file"}
    ages = sum(_meets(time, *age) for age in facts.ages for time in (traits.age, traits.access))
    sizes = [size * unit for size, unit in facts.sizes]
    return (
        traits.kind in wanted,
        ages,
        traits.mode in facts.modes,
        bool(traits.owner),
        bool(traits.text),
        traits.size not in (None, 0, *sizes),
    )


def crossed_sides(facts: Facts, rng: random.Random, now: float) -> list[Traits]:
    """All combinations of the sides of all conditions, the first being an ordinary file."""
    kinds: list[Literal["file", "dir", "link", "other"]] = ["file"]
    if not facts.only_files and (facts.types or facts.names):
        kinds.append("dir")
    if "l" in facts.types or (facts.types and not facts.only_files):
        kinds.append("link")
    if set(facts.types) & {"p", "s", "b", "c"}:
        kinds.append("other")
    if facts.utilities & {"cd", "pushd"} and facts.names and "f" not in facts.types:
        kinds = ["dir", "file"]
    moments = times(facts, now)
    sizes = sizes_of(facts)
    modes = unique([0o644, *(side for mode in facts.modes for side in _mode_sides(mode))])
    modes += [0o600, 0o755, 0o666] if facts.modes else [0o444] if facts.asks_force else []
    owners = [
        "",
        *(user for user in facts.users if is_name(user)),
        *(f"user:{name}" for name in facts.groups if is_name(name)),
    ]
    texts = (
        [
            "",
            *unique(facts.texts)[:3],
            *map(" ".join, pairwise(unique(facts.texts)[:3])),
            *(text.swapcase() for text in facts.texts[:1] if facts.asks_case),
        ]
        if facts.texts
        else [""]
    )
    found = [
        Traits(kind, age, access, size, mode, owner, text)
        for kind, (age, access), size, mode, owner, text in product(kinds, moments, sizes, modes, owners, texts)
        if kind == "file" or (not text and not size)
    ]
    return found if len(found) <= MOST_TRAITS else [found[0], *rng.sample(found[1:], MOST_TRAITS - 1)]


def times(facts: Facts, now: float) -> list[tuple[float, float]]:
    """Ages of content and of access: every age on either clock, with an age from afar on the other."""
    ages = list(dict.fromkeys(ages_of(facts, now)))
    if not facts.ages:
        return [(age, 5 * DAY) for age in ages]
    far = ages[len(ages) // 2 :] + ages[: len(ages) // 2]
    pairs = zip(ages, far, strict=True)
    return list(dict.fromkeys(pair for one, two in pairs for pair in ((one, two), (two, one), (one, one))))


def ages_of(facts: Facts, now: float) -> list[float]:
    """Either side of where a condition begins and ends, near and far; what is younger than now is now."""
    found = [
        max(0.0, start + step * unit)
        for start, unit, _ in facts.ages
        for step in (NEAR_SIDES if unit >= DAY else SIDES)
    ]
    if facts.marks:
        found += [15 * DAY, 25 * DAY, 45 * DAY]
    found += [now - date + step * DAY for date in facts.dates for step in (-2, -0.5, 0.5, 2)]
    return found or [5 * DAY]


def sizes_of(facts: Facts) -> list[int | None]:
    found: list[int | None] = [max(0, (n + step) * unit) for n, unit in facts.sizes for step in (-1, 0, 1)]
    if facts.sizes:
        found += [0, 30_000_000, 3_000]
    if facts.asks_empty:
        found += [0, 40]
    return list(dict.fromkeys(found)) or [None]


def _mode_sides(mode: int) -> list[int]:
    """A mode, some with more bits, and those that differ from it in one."""
    bits = [1 << place for place in range(12 if mode > 0o777 else 9)]
    others = (mode | 0o111, mode | 0o222, mode & 0o700 or 0o600, ~mode & 0o777)
    return [mode, *others, *(mode ^ bit for bit in bits)]


def _meets(time: float, start: float, unit: float, sign: str) -> bool:
    """Whether find would say so: whole units are counted."""
    whole, number = int(time // unit), int(start // unit)
    return whole > number if sign == "+" else whole < number if sign == "-" else whole == number


def is_name(text: str) -> bool:
    return text.replace("-", "").replace("_", "").isalnum() and not text.isdecimal()


def unique(values: Iterable[Value]) -> list[Value]:
    return list(dict.fromkeys(values))
