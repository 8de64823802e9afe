"""What a plan leaves to this side, done with rows as the service sends them; nothing here opens a connection."""

from __future__ import annotations

import operator as compare
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sayso.targets.api.requests.odata import url_of
from sayso.targets.api.requests.planner import Find, First, Keep, Number, Plan, Show, Sort, Step
from sayso.targets.api.requests.tree import COMPARES, All, Any, Compare, Either, Node, Not

Row = Mapping[str, object]
Get = Callable[[str], Mapping[str, object]]
"""A URL -> the answer's JSON: `value`, and where there is more `@odata.nextLink`."""
FRACTION = re.compile(r"(?<=\d\d:\d\d:\d\d)\.\d+")
MOST_PAGES = 100_000


@dataclass(frozen=True)
class Answer:
    rows: tuple[Row, ...]
    count: int | None = None
    """Where it was asked for: how many there are, however many are shown."""


def answer_of(plan: Plan, get: Get, root: str = "") -> Answer:
    """Asks for the pages that a plan needs, and does the rest."""
    count: list[int] = []
    rows = list(pages(url_of(plan.server, root), get, count))
    if plan.server.top is not None:
        rows = rows[: plan.server.top]
    found, counted = done(plan.client, rows)
    return Answer(tuple(found), counted if counted is not None else count[0] if count else None)


def pages(url: str, get: Get, count: list[int]) -> Iterator[Row]:
    """Rows of one page after another; the service's own count is put into `count`."""
    for _ in range(MOST_PAGES):
        page = get(url)
        told, rows, more = page.get("@odata.count"), page.get("value"), page.get("@odata.nextLink")
        if isinstance(told, int) and not count:
            count.append(told)
        assert isinstance(rows, list)
        yield from rows
        if not isinstance(more, str):
            return
        url = more


def done(steps: Sequence[Step], rows: Iterable[Row]) -> tuple[list[Row], int | None]:
    """The rows that are left, and their number where one was asked for."""
    found, number = list(rows), None
    for step in steps:
        match step:
            case Keep(node):
                found = [row for row in found if holds(node, row)]
            case Find(words, paths):
                found = [row for row in found if mentions(row, words, paths)]
            case Number():
                number = len(found)
            case Sort(by):
                found = sorted_rows(found, by)
            case First(n):
                found = found[:n]
            case Show(names):
                found = [{name: row[name] for name in (*names, "id") if name in row} for row in found]
    return found, number


def holds(node: Node, row: Row) -> bool:
    """Whether a condition is true of a row; texts compare whatever their case, as Graph does."""
    match node:
        case Compare(path, operator, value):
            return compared(value_at(row, path), operator, value)
        case Any(path, each):
            items = value_at(row, path)
            return isinstance(items, list) and any(
                compared(value_at(one, each.path) if each.path else one, each.operator, each.value) for one in items
            )
        case Not(part):
            return not holds(part, row)
        case All(parts):
            return all(holds(one, row) for one in parts)
        case Either(parts):
            return any(holds(one, row) for one in parts)


def compared(found: object, operator: str, value: object) -> bool:
    """What is missing differs from everything, and is neither before nor after anything."""
    if found is None:
        return operator == "ne"
    left, right = plain(found), plain(value)
    if isinstance(left, str) and isinstance(right, str):
        match operator:
            case "contains":
                return right in left
            case "startswith":
                return left.startswith(right)
            case "endswith":
                return left.endswith(right)
    elif isinstance(left, str) or isinstance(right, str):
        return operator == "ne"
    return operator in COMPARES and bool(getattr(compare, operator)(left, right))


def plain(value: object) -> str | float | bool:
    """As two values are compared: texts in one case, times to the second in UTC."""
    if isinstance(value, datetime):
        value = value.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, bool | int | float):
        return value
    return FRACTION.sub("", str(value)).casefold()


def value_at(row: object, path: str) -> object:
    """from/emailAddress/name of a row; None where there is no such thing."""
    for name in path.split("/"):
        row = row.get(name) if isinstance(row, Mapping) else None
    return row


def mentions(row: Row, words: str, paths: Sequence[str]) -> bool:
    wanted = " ".join(words.casefold().split())
    texts = (value_at(row, path) for path in paths)
    return any(wanted in " ".join(text.casefold().split()) for text in texts if isinstance(text, str))


def sorted_rows(rows: Iterable[Row], by: Sequence[tuple[str, str]]) -> list[Row]:
    """Ties by id, also in a falling order; what has no value comes first in a rising order, as in OData."""
    found = sorted(rows, key=lambda row: str(row.get("id", "")))
    for path, way in reversed(by):
        found.sort(key=lambda row: _rank(value_at(row, path)), reverse=way == "desc")
    return found


def _rank(value: object) -> tuple[int, object]:
    return (0, 0) if value is None else (1, plain(value))
