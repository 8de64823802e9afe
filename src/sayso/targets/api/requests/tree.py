"""A `$filter` as a small tree: printed as OData v4 writes it, and read back exactly."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from sayso.core.errors import BadInstruction

COMPARES = ("eq", "ne", "gt", "ge", "lt", "le")
FUNCTIONS = ("contains", "startswith", "endswith")
Value = str | bool | int | datetime


@dataclass(frozen=True)
class Compare:
    """`path operator value`, or `function(path,value)`; within `Any` the path is that of an item, or ""."""

    path: str
    operator: str
    value: Value


@dataclass(frozen=True)
class Any:
    """Whether an item of a collection is so: categories/any(x:x eq 'red')"""

    path: str
    each: Compare


@dataclass(frozen=True)
class Not:
    part: Node


@dataclass(frozen=True)
class All:
    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Either:
    parts: tuple[Node, ...]


Node = Compare | Any | Not | All | Either


def all_of(parts: Iterable[Node]) -> Node | None:
    """One node for all, without an `All` in an `All`; None for none."""
    flat = [one for part in parts for one in (part.parts if isinstance(part, All) else (part,))]
    return All(tuple(flat)) if len(flat) > 1 else flat[0] if flat else None


def either_of(parts: Iterable[Node]) -> Node:
    flat = [one for part in parts for one in (part.parts if isinstance(part, Either) else (part,))]
    return Either(tuple(flat)) if len(flat) > 1 else flat[0]


def paths_of(node: Node) -> tuple[str, ...]:
    """Every property that is compared, in order."""
    match node:
        case Compare(path) | Any(path):
            return (path,)
        case Not(part):
            return paths_of(part)
        case All(parts) | Either(parts):
            return tuple(path for part in parts for path in paths_of(part))


def filter_text(node: Node) -> str:
    """from/emailAddress/name eq 'O''Hara' and isRead eq false"""
    match node:
        case Compare(path, operator, value):
            return _compare_text(path, operator, value)
        case Any(path, each):
            inside = f"x/{each.path}" if each.path else "x"
            return f"{path}/any(x:{_compare_text(inside, each.operator, each.value)})"
        case Not(part):
            return f"not ({filter_text(part)})"
        case All(parts):
            return " and ".join(
                f"({filter_text(one)})" if isinstance(one, Either) else filter_text(one) for one in parts
            )
        case Either(parts):
            return " or ".join(f"({filter_text(one)})" if isinstance(one, All) else filter_text(one) for one in parts)


def _compare_text(path: str, operator: str, value: Value) -> str:
    literal = literal_text(value)
    return f"{operator}({path},{literal})" if operator in FUNCTIONS else f"{path} {operator} {literal}"


def literal_text(value: Value) -> str:
    """'O''Hara', true, 5, 2024-05-03T00:00:00Z"""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC).replace(tzinfo=None).isoformat()}Z"
    return "'" + value.replace("'", "''") + "'"


TOKEN = re.compile(
    r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<time>\d{4}-\d\d-\d\dT[\d:.]+Z)|(?P<number>-?\d+)|(?P<punct>[(),:])"
    r"|(?P<word>[A-Za-z_@][\w@.]*(?:/[A-Za-z_@][\w@.]*)*))"
)


def read_filter(text: str) -> Node:
    """The inverse of `filter_text`; raises BadInstruction where it stops."""
    reader = _Reader(text)
    node = reader.either()
    reader.end()
    return node


def _within(path: str, variable: str) -> str:
    """x/emailAddress/name -> emailAddress/name, where x stands for an item"""
    return "" if path == variable else path.removeprefix(f"{variable}/") if variable else path


class _Reader:
    """Reads downwards: or, and, not, and what is compared."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def _next(self) -> tuple[str, str, int]:
        found = TOKEN.match(self.text, self.at)
        if not found or found.lastgroup is None:
            return "", "", self.at
        return found.lastgroup, found[found.lastgroup], found.end()

    def take(self, wanted: str = "", kind: str = "") -> str:
        found, token, end = self._next()
        if (wanted and token != wanted) or (kind and found != kind) or not found:
            raise BadInstruction(f"$filter: expected {wanted or kind}", self.text, self.at)
        self.at = end
        return token

    def peek(self, token: str) -> bool:
        kind, found, _ = self._next()
        return found == token and kind != "text"

    def end(self) -> None:
        if self.text[self.at :].strip():
            raise BadInstruction("$filter: cannot be read from here", self.text, self.at)

    def either(self) -> Node:
        parts = [self.all()]
        while self.peek("or"):
            self.take("or")
            parts.append(self.all())
        return either_of(parts)

    def all(self) -> Node:
        parts = [self.one()]
        while self.peek("and"):
            self.take("and")
            parts.append(self.one())
        found = all_of(parts)
        assert found is not None
        return found

    def one(self) -> Node:
        if self.peek("not"):
            self.take("not")
            return Not(self.one())
        if self.peek("("):
            self.take("(")
            inside = self.either()
            self.take(")")
            return inside
        return self.compare("")

    def compare(self, variable: str) -> Node:
        word = self.take(kind="word")
        if word in FUNCTIONS and self.peek("("):
            self.take("(")
            path = self.take(kind="word")
            self.take(",")
            node = Compare(_within(path, variable), word, self.value())
            self.take(")")
            return node
        if word.endswith("/any") and not variable:
            self.take("(")
            name = self.take(kind="word")
            self.take(":")
            each = self.compare(name)
            self.take(")")
            assert isinstance(each, Compare)
            return Any(word.removesuffix("/any"), each)
        operator = self.take(kind="word")
        if operator not in COMPARES:
            raise BadInstruction(f"$filter: {operator!r} compares nothing", self.text, self.at)
        return Compare(_within(word, variable), operator, self.value())

    def value(self) -> Value:
        kind, token, _ = self._next()
        if kind == "text":
            self.take()
            return token[1:-1].replace("''", "'")
        if kind == "time":
            self.take()
            return datetime.fromisoformat(token)
        if kind == "number":
            self.take()
            return int(token)
        if token in ("true", "false"):
            self.take()
            return token == "true"
        raise BadInstruction("$filter: expected a value", self.text, self.at)
