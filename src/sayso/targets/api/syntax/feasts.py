"""Days of the year that have a name (`data/graph.toml`): of one date, or counted from Easter Sunday."""

from __future__ import annotations

import re
import tomllib
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

SAID = re.compile(r"(?:(?P<way>last|this|next) )?(?P<name>[a-z' ]+?)(?:(?: of)? (?P<year>\d{4}))?")


def feast(text: str, today: date, ahead: bool) -> tuple[date, date] | None:
    """The first day of a feast and the day behind its last: christmas, last easter, good friday 2024, this lent.

    A bare name is the nearest on this side of today, one that is under way among them.
    """
    found = SAID.fullmatch(text)
    if found is None or not is_feast(found["name"]):
        return None
    name, way = found["name"], found["way"] or ""
    if found["year"] or way == "this":
        return days_of(name, int(found["year"] or today.year))
    near = [days_of(name, today.year + step) for step in (-1, 0, 1)]
    if way == "last" or not (way or ahead):
        return max((one for one in near if (one[1] <= today if way else one[0] <= today)), default=None)
    return min((one for one in near if (one[0] > today if way else one[1] > today)), default=None)


def names_feast(text: str) -> bool:
    found = SAID.fullmatch(text.casefold().removeprefix("the ").replace("’", "'"))
    return found is not None and is_feast(found["name"])


def is_feast(name: str) -> bool:
    return name == "advent" or name in _table()["feasts"] or name in _table()["from easter"]


def days_of(name: str, year: int) -> tuple[date, date]:
    """The first day in a year, and the day behind the last."""
    if name == "advent":
        eve = date(year, 12, 24)
        return eve - timedelta(days=(eve.weekday() + 1) % 7 + 21), eve + timedelta(days=1)
    if name in _table()["feasts"]:
        month, day = _table()["feasts"][name]
        return date(year, month, day), date(year, month, day) + timedelta(days=1)
    first, length = _table()["from easter"][name]
    start = easter_of(year) + timedelta(days=first)
    return start, start + timedelta(days=length)


def easter_of(year: int) -> date:
    """Easter Sunday of the Gregorian calendar, by the method of 1876 that needs no table."""
    golden, (century, rest) = year % 19, divmod(year, 100)
    leaps, left = divmod(century, 4)
    moved = (century - (century + 8) // 25 + 1) // 3
    moon = (19 * golden + century - leaps - moved + 15) % 30
    weekday = (32 + 2 * left + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (golden + 11 * moon + 22 * weekday) // 451
    month, day = divmod(moon + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((files("sayso.targets.api") / "data" / "graph.toml").read_text(encoding="utf-8"))
