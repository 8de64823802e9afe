"""`$filter`, `$search` and `$orderby` as conditions of the ORM; odata-query reads the first.

odata-query's own visitor takes a path for a relation and any attribute of a class for a field; here both are looked up
among the fields of the type, types are compared, and functions that could run for long are not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from odata_query import ast
from odata_query.exceptions import ODataException
from odata_query.grammar import ODataLexer, ODataParser
from odata_query.sqlalchemy.orm import AstToSqlAlchemyOrmVisitor
from sqlalchemy import ColumnElement, func, literal, or_, true

from sayso.targets.api.service.model import ITEMS, Kind
from sayso.targets.api.service.refusals import Refused, shown
from sayso.targets.api.service.tables import HOLDS, SAYS, Mapped

LONGEST, DEEPEST, MOST_CONDITIONS, MOST_WORDS = 8_000, 30, 100, 50
DEPTH = re.compile(r"'(?:[^']|'')*'|\(|\)|\bnot\s|\s(?:and|or)\s", re.IGNORECASE)
SEARCHED = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s"]+)|(")')
"""A phrase in double quotes, where a backslash takes the next character as it is; a word; a quote that stays open."""
TESTS = ("contains", "startswith", "endswith")
BIGGEST = 2**63 - 1
NO_ITEMS: Mapping[str, Any] = {}


def condition(text: str, one: Mapped) -> ColumnElement[bool]:
    """isRead eq false and from/emailAddress/name eq 'Bo' -> what the ORM filters by; raises Refused."""
    tree, reader = parse_filter(text), Reader(one)
    try:
        found: ColumnElement[bool] = reader.visit(reader.of_conditions(tree, tree))
    except ODataException as error:
        raise Refused(f"Invalid filter clause: {error}") from None
    return found == true() if path_of(tree) else found


def parse_filter(text: str) -> ast._Node:
    """The tree of a `$filter`; raises Refused where it is too long, too deep or none."""
    if len(text) > LONGEST:
        raise Refused(f"Invalid filter clause: longer than {LONGEST} characters")
    depth = deepest = conditions = 0
    for mark in DEPTH.finditer(text):
        word = mark[0].strip().casefold()
        depth += {"(": 1, ")": -1}.get(word, 0)
        conditions += word in ("and", "or", "not")
        deepest = max(deepest, depth)
    if deepest > DEEPEST or conditions > MOST_CONDITIONS:
        raise Refused(f"Invalid filter clause: more than {MOST_CONDITIONS} conditions or {DEEPEST} brackets deep")
    try:
        tree = ODataParser().parse(ODataLexer().tokenize(text))
    except (ODataException, ValueError, NotImplementedError):
        raise Refused(f"Invalid filter clause: syntax error in {shown(text)}") from None
    if not isinstance(tree, ast._Node):
        raise Refused(f"Invalid filter clause: syntax error in {shown(text)}")
    return tree


def path_of(node: object) -> str:
    """The field that a node names, "" where it names none."""
    if isinstance(node, ast.Identifier):
        return node.name
    if isinstance(node, ast.Attribute):
        owner = path_of(node.owner)
        return f"{owner}/{node.attr}" if owner and isinstance(node.attr, str) else ""
    return ""


class Reader(AstToSqlAlchemyOrmVisitor):
    """Nodes to conditions; inside `any` and `all`, `variable` stands for one value of a collection."""

    def __init__(self, one: Mapped, variable: str = "", items: Mapping[str, Any] = NO_ITEMS) -> None:
        entity: Any = one.columns["id"].class_
        super().__init__(entity)
        self.one, self.variable, self.items = one, variable, items

    def visit_Identifier(self, node: ast.Identifier) -> Any:
        return self._field(path_of(node))

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        return self._field(path_of(node))

    def _item(self, path: str) -> str | None:
        """x/emailAddress/name -> emailAddress/name, where x stands for an item; None of another path"""
        if not self.variable or path.split("/")[0] != self.variable:
            return None
        return path.partition("/")[2]

    def _field(self, path: str) -> Any:
        if (inside := self._item(path)) is not None:
            if inside not in self.items:
                raise Refused(f"Could not find a property named {shown(path)} of an item")
            return self.items[inside]
        if path not in self.one.type.fields:
            raise Refused(f"Could not find a property named {shown(path)} on type {self.one.type.name!r}")
        return self.one.columns[path]

    def _kind(self, node: ast._Node) -> Kind | None:
        if path := path_of(node):
            self._field(path)
            return "text" if self._item(path) is not None else self.one.type.fields[path]
        if isinstance(node, ast.Call):
            return "text" if node.func.name.casefold() in ("tolower", "toupper") else "flag"
        return LITERALS.get(type(node))

    def visit_Compare(self, node: ast.Compare) -> Any:
        left, right = self._kind(node.left), self._kind(node.right)
        values = node.right.val if isinstance(node.right, ast.List) else [node.right]
        if isinstance(node.right, ast.List):
            right = self._kind(values[0]) if len({self._kind(value) for value in values}) == 1 else None
        if left is None or right is None or left in ITEMS or not _comparable(left, right):
            raise Refused(
                f"A binary operator with incompatible types was detected: {_named(left)} and {_named(right)} for "
                f"{type(node.comparator).__name__!r}"
            )
        operator = self.visit(node.comparator)
        if "local" in (left, right) or "time" in (left, right):
            timed = [self._time(value, "local" in (left, right)) for value in (node.left, *values)]
            return operator(timed[0], timed[1:] if isinstance(node.right, ast.List) else timed[1])
        return operator(self.visit(node.left), self.visit(node.right))

    def _time(self, node: ast._Node, local: bool) -> Any:
        if path_of(node):
            return self.visit(node)
        moment = instant(str(getattr(node, "val", "")))
        return literal(moment.removesuffix("Z") if local else moment)

    def visit_NotEq(self, node: ast.NotEq) -> Any:
        return lambda one, other: one.is_distinct_from(other)  # what is missing differs from everything

    def visit_Integer(self, node: ast.Integer) -> Any:
        if len(node.val) > 20 or abs(int(node.val)) > BIGGEST:
            raise Refused(f"The number {shown(node.val)} is too large")
        return literal(int(node.val))

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        raise Refused("Arithmetic in a filter is not supported")

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        return super().visit_BoolOp(self.of_conditions(node, node.left, node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        return super().visit_UnaryOp(self.of_conditions(node, node.operand))

    def of_conditions(self, node: Any, *parts: ast._Node) -> Any:
        """The node, where these parts of it are true or false of a row."""
        for part in parts:
            if not isinstance(part, ast.BoolOp | ast.UnaryOp | ast.Compare | ast.CollectionLambda) and (
                self._kind(part) != "flag"
            ):
                raise Refused("Invalid filter clause: a text, a number or a time is no condition")
        return node

    def visit_CollectionLambda(self, node: ast.CollectionLambda) -> Any:
        path = path_of(node.owner)
        self._field(path)
        if path not in self.one.collections:
            raise Refused(f"{shown(path)} is no collection, so that any and all say nothing of it")
        relation, inside = self.one.columns[path], None
        if node.lambda_:
            each = Reader(self.one, node.lambda_.identifier.name, self.one.collections[path][1])
            inside = each.visit(each.of_conditions(node.lambda_.expression, node.lambda_.expression))
        if isinstance(node.operator, ast.Any):
            return relation.any(inside)
        if inside is None:
            raise Refused("Invalid filter clause: all() needs a condition")
        return ~relation.any(~inside)

    def visit_Call(self, node: ast.Call) -> Any:
        name = node.func.name.casefold()
        if name in ("tolower", "toupper") and len(node.args) == 1 and self._kind(node.args[0]) == "text":
            return self.visit(node.args[0])  # every comparison is without regard to case
        if name not in TESTS:
            raise Refused(f"The function {shown(node.func.name)} is not supported", "NotImplemented")
        if len(node.args) != 2 or [self._kind(part) for part in node.args] != ["text", "text"]:
            raise Refused(f"No function signature for the function with name {name!r} matches these arguments")
        return func.coalesce(getattr(func, HOLDS)(self.visit(node.args[0]), self.visit(node.args[1]), name), False) == 1


LITERALS: dict[type[Any], Kind] = {
    ast.String: "text",
    ast.GUID: "text",
    ast.Boolean: "flag",
    ast.Integer: "number",
    ast.DateTime: "time",
    ast.Date: "time",
}


def _comparable(left: Kind, right: Kind) -> bool:
    return left == right or {left, right} in ({"local", "text"}, {"local", "time"})


def _named(kind: Kind | None) -> str:
    return {"text": "Edm.String", "flag": "Edm.Boolean", "number": "Edm.Int64", "local": "Edm.String"}.get(
        str(kind), "Edm.DateTimeOffset" if kind == "time" else "an unknown type"
    )


def instant(text: str) -> str:
    """2026-05-03T10:00:00+02:00 -> 2026-05-03T08:00:00Z; raises Refused"""
    try:
        found = datetime.fromisoformat(text)
        found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refused(f"{shown(text)} is no time") from None
    return found.strftime("%Y-%m-%dT%H:%M:%S") + (f".{found.microsecond:06}" if found.microsecond else "") + "Z"


def searched(text: str, one: Mapped) -> ColumnElement[bool]:
    """ "annual report" 2026 -> the phrase and the word both stand somewhere in a row; raises Refused."""
    conditions = [
        or_(*(getattr(func, SAYS)(one.columns[field], part) == 1 for field in one.type.search))
        for part in search_parts(text)
    ]
    found = conditions[0]
    for other in conditions[1:]:
        found = found & other
    return found


def search_parts(text: str) -> list[str]:
    """Phrases in double quotes, and words; AND joins them, as leaving it out does."""
    if len(text) > LONGEST:
        raise Refused(f"Invalid search clause: longer than {LONGEST} characters")
    parts = [part for part in _parts(text) if part != "AND"]
    if not parts or len(parts) > MOST_WORDS or not all(map(str.strip, parts)):
        raise Refused("Invalid search clause: no words to look for, or too many")
    if any(part in ("OR", "NOT") for part in parts):
        raise Refused("Invalid search clause: OR and NOT are not supported", "NotImplemented")
    return parts


def _parts(text: str) -> Iterator[str]:
    for phrase, word, unclosed in SEARCHED.findall(text):
        if unclosed:
            raise Refused("Invalid search clause: a double quote stays open")
        yield word or re.sub(r"\\(.)", r"\1", phrase)


def order(text: str, one: Mapped) -> list[Any]:
    """receivedDateTime desc,subject -> columns to sort by, ties broken by `id`; raises Refused."""
    columns: list[Any] = []
    for part in text.split(",") if text else ():
        name, _, direction = part.strip().partition(" ")
        if one.type.fields.get(name, "texts") in ITEMS:
            raise Refused(f"Could not find a property named {shown(name)} to sort {one.type.name!r} by")
        if direction.strip() not in ("", "asc", "desc") or len(columns) == MOST_WORDS:
            raise Refused(f"Syntax error in the orderby clause {shown(text)}")
        columns.append(one.columns[name].desc() if direction.strip() == "desc" else one.columns[name].asc())
    return [*columns, one.columns["id"].asc()]
