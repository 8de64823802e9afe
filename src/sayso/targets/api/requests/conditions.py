"""One FILTER of a call as a condition of `$filter`, its value written as the property wants it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta

from sayso.core.errors import BadInstruction
from sayso.targets.api.requests.clock import Clock, Interval
from sayso.targets.api.requests.graph import Mapped, graph
from sayso.targets.api.requests.stretches import stretch_of
from sayso.targets.api.requests.tree import FUNCTIONS, All, Any, Compare, Either, Node, Not, Value, either_of
from sayso.targets.api.syntax.calls import Filter

SIZE = re.compile(r"(?P<n>\d{1,12}(?:\.\d{1,6})?) ?(?P<unit>[kmgt]?i?b|bytes?|[kmgt])?", re.IGNORECASE)
POWERS = {"k": 1, "m": 2, "g": 3, "t": 4}
ROLLING = re.compile(
    r"(?:the )?(?:last|past|previous) (?:\d+|[a-z]+) (?:minute|hour|day|week|fortnight|month|quarter|year)s?",
    re.IGNORECASE,
)
MINUTE = timedelta(minutes=1)


def condition(clause: Filter, clock: Clock) -> Node:
    """message.from eq Bo Ek -> from/emailAddress/name eq 'Bo Ek'; raises BadInstruction where it cannot be."""
    found = graph().properties.get(clause.property)
    if found is None:
        raise BadInstruction(
            f"no request has a property {clause.property}", hint=f"known: {', '.join(graph().properties)}"
        )
    operator = clause.operator
    if operator in ("ne", "lacks"):
        positive = _positive(clause, found, {"ne": "eq", "lacks": "contains"}[operator], clock)
        match positive:
            case Compare(path, "eq", value):
                return Compare(path, "ne", value)
            case Compare(path, "ge", value):
                return Compare(path, "lt", value)
            case All((Compare(path, "ge", start), Compare(_, "lt", end))):
                return Either((Compare(path, "lt", start), Compare(path, "ge", end)))
            case _:
                return Not(positive)
    return _positive(clause, found, operator, clock)


def _positive(clause: Filter, found: Mapped, operator: str, clock: Clock) -> Node:
    value = clause.value
    if found.written in ("time", "wall"):
        if operator == "eq" and ROLLING.fullmatch(value) and not found.ahead:
            operator = "ge"  # what has happened has happened before now
        return _timed(found, operator, stretch_of(value, clock, found.ahead), clause)
    if found.written == "flag":
        return Compare(found.path, _only(clause, operator, "eq"), _closed(clause, {"true": True, "false": False}))
    if found.written == "word":
        return Compare(found.path, _only(clause, operator, "eq"), _closed(clause, found.values))
    if found.written == "number":
        return Compare(found.path, _only(clause, operator, "eq", "gt", "ge", "lt", "le"), _bytes(clause))
    if found.written == "ending":
        _only(clause, operator, "eq")
        return either_of(
            Compare(found.path, "endswith", f".{one}")
            for kind in re.split(r"\s+or\s+", value.casefold().strip(". "))
            for one in graph().endings.get(kind, (kind,))
        )
    _only(clause, operator, "eq", *FUNCTIONS)
    if found.written == "items":
        return Any(found.path, Compare("", operator, value))
    if found.written == "people":
        each = Mapped("emailAddress/name", "person", "emailAddress/address")
        names = _names(value)
        return either_of(Any(found.path, _one_person(each, operator, name)) for name in names)
    if found.written == "person":
        return either_of(_one_person(found, operator, name) for name in _names(value))
    if found.written == "stem" and operator == "eq" and not re.search(r"\.\w{1,5}$", value):
        return Either((Compare(found.path, "eq", value), Compare(found.path, "startswith", f"{value}.")))
    return Compare(found.path, operator, value)


def _names(value: str) -> list[str]:
    """Ann or Bo Ek -> Ann, Bo Ek"""
    return [name for name in re.split(r"\s+or\s+(?:(?:from|by|with|to) )?", value) if name] or [value]


def _one_person(found: Mapped, operator: str, value: str) -> Compare:
    """An address is an address; one word is how a name begins, since hardly anybody is called by a first name alone."""
    if value.startswith("@") and operator == "eq":
        return Compare(found.address, "endswith", value)
    if "@" in value:
        return Compare(found.address, operator, value)
    return Compare(found.path, "startswith" if operator == "eq" and " " not in value else operator, value)


def _timed(found: Mapped, operator: str, span: Interval, clause: Filter) -> Node:
    """`eq` last week is within it, `gt` after its end, `lt` before its start, `ge` from its start, `le` to its end."""

    def at(operator: str, moment: datetime) -> Compare:
        value: Value = moment if found.written == "time" else moment.replace(tzinfo=None).isoformat()
        return Compare(found.path, operator, value)

    if operator == "eq":
        end = span.end if not span.is_moment else span.end + MINUTE
        return All((at("ge", span.start), at("lt", end)))
    _only(clause, operator, "gt", "ge", "lt", "le")
    if operator == "gt":
        return at("gt" if span.is_moment else "ge", span.end)
    if operator == "le":
        return at("le" if span.is_moment else "lt", span.end)
    return at(operator, span.start)


def _only(clause: Filter, operator: str, *able: str) -> str:
    if operator not in able:
        raise BadInstruction(
            f"{clause.property} cannot be compared with {clause.operator}", hint=f"it can with {', '.join(able)}"
        )
    return operator


def _closed(clause: Filter, values: Mapping[str, str] | Mapping[str, bool]) -> str | bool:
    found = values.get(clause.value.casefold())
    if found is None:
        raise BadInstruction(f"{clause.property} is one of {', '.join(values)}, not {clause.value[:40]!r}")
    return found


def _bytes(clause: Filter) -> int:
    """5 MB -> 5242880, as drives count"""
    found = SIZE.fullmatch(clause.value.strip())
    if not found:
        raise BadInstruction(f"{clause.property} is compared with a number, and {clause.value[:40]!r} is none")
    power = POWERS.get((found["unit"] or "b")[0].lower(), 0)
    return int(float(found["n"]) * 1024.0**power)
