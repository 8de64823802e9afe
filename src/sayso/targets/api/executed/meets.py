"""Whether one value of a field meets a condition, as the service decides it: texts without regard to case."""

from __future__ import annotations

from datetime import UTC, datetime

from sayso.targets.api.requests.tree import All, Any, Compare, Either, Node, Not
from sayso.targets.api.requests.tree import Value as Literal
from sayso.targets.api.service.model import Value


def meets(node: Node, value: Value) -> bool:
    """Of a condition on this field alone: startswith(name,'Q') met by "q3 plan.pdf"."""
    match node:
        case Compare(_, operator, literal):
            return _compares(operator, value, literal)
        case Any(_, each):
            return isinstance(value, tuple) and any(_compares(each.operator, one, each.value) for one in value)
        case Not(part):
            return not meets(part, value)
        case All(parts):
            return all(meets(part, value) for part in parts)
        case Either(parts):
            return any(meets(part, value) for part in parts)


def _compares(operator: str, value: Value, literal: Literal) -> bool:
    left, right = _comparable(value), _comparable(literal)
    if isinstance(left, str) and isinstance(right, str):
        if operator in ("contains", "startswith", "endswith"):
            return {"contains": right in left, "startswith": left.startswith(right), "endswith": left.endswith(right)}[
                operator
            ]
        sign = (left > right) - (left < right)
    elif isinstance(left, int) and isinstance(right, int):
        sign = (left > right) - (left < right)
    else:
        return False
    return {"eq": sign == 0, "ne": sign != 0, "gt": sign > 0, "ge": sign >= 0, "lt": sign < 0, "le": sign <= 0}[operator]


def _comparable(value: Value | Literal) -> str | int | None:
    if isinstance(value, tuple):
        return None
    if isinstance(value, datetime):
        return written_time(value).casefold()
    return value.casefold() if isinstance(value, str) else int(value)


def written_time(moment: datetime) -> str:
    """As rows hold it: 2026-05-03T10:00:00Z"""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def read_time(text: str) -> datetime:
    """Of a row, or of a text that stands for a time; in UTC."""
    found = datetime.fromisoformat(text)
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
