"""Values to fill a field with: around what a condition compares with, on both sides of it, and others for variety."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from sayso.targets.api.requests.tree import All, Any, Compare, Either, Node, Not
from sayso.targets.api.service.model import Kind, Value

CLOSED = {
    "importance": ("low", "normal", "high"),
    "shared/scope": ("users", "anonymous", "organization"),
    "flag/flagStatus": ("notFlagged", "flagged", "complete"),
}
"""Fields that hold one of a few words."""
NAMES = ("Ada Moreau", "Ines Varga", "Tomas Lindqvist", "Noor Haddad", "Kofi Asante", "Mei Tanaka", "Lars Brandt")
ADDRESS = "somebody@example.org"
PERSON = f"{NAMES[3]} <{ADDRESS}>"
NOUNS = ("harbour", "lantern", "meadow", "quarry", "saddle", "tunnel", "violet", "walnut", "yarrow", "zephyr", "basalt")
ENDINGS = (".txt", ".csv", ".odt", ".zip")
SECOND = timedelta(seconds=1)
SPREAD = tuple(timedelta(days=days) for days in (-800, -380, -45, -9, -3, -1, 0, 1, 3, 9, 45, 380))
PARTS = 12
"""Into how many parts the time between two bounds is cut."""


def literals(node: Node) -> Iterable[tuple[str, object]]:
    """(operator, value) of everything that is compared in a condition."""
    match node:
        case Compare(_, operator, value):
            yield operator, value
        case Any(_, each):
            yield each.operator, each.value
        case Not(part):
            yield from literals(part)
        case All(parts) | Either(parts):
            for part in parts:
                yield from literals(part)


def near(field: str, kind: Kind, conditions: Sequence[Node]) -> list[Value]:
    """Values that meet the conditions and values that just do not, in a fixed order."""
    compared = [pair for node in conditions for pair in literals(node)]
    if kind == "flag":
        return [True, False]
    if kind == "number":
        numbers = sorted({value for _, value in compared if isinstance(value, int)})
        return [n + step for n in numbers for step in (-1000, -1, 0, 1, 1000) if n + step >= 0]
    if kind in ("time", "local"):
        return list(_near_times([value for _, value in compared], kind))
    texts = list(dict.fromkeys(_near_texts([(operator, str(value)) for operator, value in compared])))
    if field in CLOSED:
        texts = [*CLOSED[field], *(text for text in texts if text not in CLOSED[field])]
    if kind == "people":
        people = [f"{NAMES[2]} <{text}>" if "@" in text else f"{text} <{ADDRESS}>" for text in texts]
        return [*((one,) for one in people), *((PERSON, one) for one in people[:2]), (), (PERSON,)]
    if kind == "texts":
        return [
            *((text,) for text in texts),
            *((NOUNS[0].title(), text) for text in texts[:2]),
            (),
            (NOUNS[1].title(),),
        ]
    return [*texts]


def _near_times(values: Sequence[object], kind: Kind) -> Iterable[Value]:
    bounds = sorted({value if isinstance(value, datetime) else read_time(str(value)) for value in values})
    moments = {bound + step for bound in bounds for step in (-SECOND, timedelta(), SECOND)}
    for start, end in pairwise(bounds):
        moments |= {start + (end - start) * part / PARTS for part in range(1, PARTS)}
    for bound in (bounds[0], bounds[-1]) if bounds else ():
        moments |= {bound + step + timedelta(hours=hours) for step in SPREAD for hours in (-5, 7)}
    return [of_kind(moment.replace(microsecond=0), kind) for moment in sorted(moments)]


def of_kind(moment: datetime, kind: Kind) -> str:
    """2026-05-03T10:00:00Z; a time of day without its zone is written without one."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S") + ("Z" if kind == "time" else "")


def read_time(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def _near_texts(compared: Sequence[tuple[str, str]]) -> Iterable[str]:
    """What is compared with, joined where several parts of one text are, then with something missing or added."""
    begins = [value for operator, value in compared if operator in ("eq", "ne", "startswith")]
    ends = [value for operator, value in compared if operator == "endswith"]
    inside = [value for operator, value in compared if operator == "contains"]
    for end in ends:
        yield from (begin.removesuffix(".") + end for begin in begins)
        yield from (f"{noun}{end}" for noun in NOUNS[:6])
    for begin in begins:
        yield begin
        yield from (f"{begin.removesuffix('.')}{ending}" for ending in ENDINGS[:2])
        yield from (f"{begin} {NAMES[0].split()[1]}", f"{begin}s", f"{NAMES[1].split()[0]} {begin}", f"{begin[:-1]}~")
        words = begin.split()
        if len(words) > 1:
            yield from (" ".join(words[1:]), " ".join(words[:-1]), words[0], words[-1], " ".join(reversed(words)))
    for part in inside:
        yield from (part, f"{NOUNS[0]} {part} {NOUNS[1]}", f"{part}{NOUNS[2]}", part[:-1] + "~", part[1:])


def varied(field: str, kind: Kind, size: int, now: datetime) -> list[Value]:
    """Values of a field that nothing is asked of: as many as there are rows where an order may be made of them."""
    if field == "id":
        return [""]
    if field in CLOSED:
        return list(CLOSED[field])
    if kind == "flag":
        return [True, False]
    if kind == "number":
        return [1_000 + 3_517 * n for n in range(size)]
    if kind in ("time", "local"):
        # Rows beyond the spread lie further back, an hour and some minutes apart: no two are the same.
        steps = [*SPREAD, *(timedelta(days=-60, minutes=-97 * n) for n in range(size))][: max(size, 2)]
        return [of_kind(now + step + timedelta(minutes=11 * n), kind) for n, step in enumerate(steps)]
    if kind == "people":
        people = [f"{name} <{name.split()[0].lower()}@example.org>" for name in NAMES]
        return [*((one,) for one in people[:4]), (), (people[4], people[5])]
    if kind == "texts":
        return [*((NOUNS[n].title(),) for n in range(4)), (), (NOUNS[4].title(), NOUNS[5].title())]
    if field == "name":
        return [f"{NOUNS[n % len(NOUNS)]} {n}{ENDINGS[n % len(ENDINGS)]}" for n in range(size)]
    if field.endswith(("/address", "/email")):
        return [f"{name.split()[0].lower()}@example.org" for name in NAMES]
    if field.endswith(("/name", "/displayName")) and not field.startswith(("location", "calendar")):
        return list(NAMES)
    return [f"{one} {other}".title() for one, other in zip(NOUNS, (*NOUNS[3:], *NOUNS[:3]), strict=True)]
