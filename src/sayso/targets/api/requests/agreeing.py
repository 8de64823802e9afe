"""Whether a call can be met at all: nothing starts at midnight, after nine tomorrow and before the day after."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from sayso.core.errors import BadInstruction
from sayso.targets.api.requests.clock import Clock, Interval
from sayso.targets.api.requests.stretches import stretch_of
from sayso.targets.api.syntax.calls import Call, Filter
from sayso.targets.api.syntax.schema import domain_of, schema

DAYS = tuple(Clock(datetime(2024, 5, day, 12, tzinfo=UTC), UTC) for day in range(15, 22))
"""After Monday and before Friday: on some days of a week the latest Friday lies behind the latest Monday."""
FIRST, LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def can_be_met(call: Call) -> bool:
    """Whether the times that one property is compared with leave any time at all, on some day of a week."""
    compared = [one for one in call.clauses if isinstance(one, Filter)]
    if len({one.property for one in compared}) == len(compared):
        return True
    return any(is_met(call, clock) for clock in DAYS)


def is_met(call: Call, clock: Clock) -> bool:
    bounds: dict[str, Interval] = {}
    for name, one in times_of(call, clock):
        held = bounds.get(name, Interval(FIRST, LAST))
        bounds[name] = Interval(max(held.start, one.start), min(held.end, one.end))
    return all(one.start <= one.end for one in bounds.values())


def times_of(call: Call, clock: Clock) -> Iterator[tuple[str, Interval]]:
    """What each comparison with a time leaves; what no clock tells leaves everything."""
    domain = domain_of(call.resource)
    for one in call.clauses:
        found = schema(domain).find(one.property) if domain and isinstance(one, Filter) else None
        if not isinstance(one, Filter) or found is None or found.type != "time":
            continue
        try:
            told = stretch_of(one.value, clock, domain == "calendar")
        except BadInstruction:
            continue
        match one.operator:
            case "eq":
                yield one.property, told
            case "ge":
                yield one.property, Interval(told.start, LAST)
            case "gt":
                yield one.property, Interval(told.end, LAST)
            case "lt":
                yield one.property, Interval(FIRST, told.start)
            case "le":
                yield one.property, Interval(FIRST, told.end)
