"""What a cell can speak of: tables with their columns and the kinds of these, and the other names that live.

A kernel tells it all. Without one it is read from the cells above (a file's first line, literals, new columns), as far
as that goes: the kind of a column that nothing tells is "".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from sayso.core.types import Request
from sayso.english.tables import LIVE, kind_of
from sayso.targets.notebook.syntax.canonical import parse
from sayso.targets.notebook.syntax.magics import without_magics

KIND = re.compile(r"(\w+): (\w+)")
LYING = re.compile(r"\"([^\"]*)\"")
TABLE, COLUMN = "DataFrame", "Series"
LABEL = "label"
LABELS = frozenset(("id", "no", "nr"))
"""Last words of such columns: of 158 asked cells that name an order_id or its like, 9 compute with it."""
PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
MAKERS = ("list", "dict", "set", "int", "float", "str", "sorted")
KEPT = """
    copy dropna fillna sort_values reset_index query head tail drop_duplicates sort_index sample astype replace nlargest
    nsmallest convert_dtypes loc iloc where mask round interpolate ffill bfill
    """
KEEPS = frozenset(KEPT.split())
"""Methods after which a table has the columns that it had."""


@dataclass(frozen=True)
class Known:
    """Table -> column -> kind, the latest table last; other names -> the name of their type."""

    tables: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


def group_of(kind: str) -> str:
    return "number" if kind in ("int", "float") else "text" if kind == "category" else kind


def labelled(tables: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """Numbers that only tell things apart, as labels."""
    return {
        name: {one: LABEL if kind in ("number", "") and is_label(one) else kind for one, kind in held.items()}
        for name, held in tables.items()
    }


def is_label(column: str) -> bool:
    parts = PARTS.findall(column)
    return bool(parts) and parts[-1].lower() in LABELS


def live_columns(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Table -> column -> the kind of what it holds."""
    found = {}
    for line in filter(None, map(LIVE.fullmatch, names)):
        columns = (column.partition(":") for column in line[2].split(", ") if column)
        found[line[1]] = {name: kind_of(dtype) for name, _, dtype in columns}
    return found


def known_of(request: Request) -> Known:
    lines = [line for piece in request.context if piece.kind == "names" for line in piece.text.splitlines()]
    if lines:
        return from_names(lines)
    files = dict(lying(line for piece in request.context if piece.kind == "tables" for line in piece.text.splitlines()))
    return from_cells((piece.text for piece in request.context if piece.kind == "code"), files)


def from_names(lines: Iterable[str]) -> Known:
    lines = list(lines)
    tables = live_columns(lines)
    told = (found for found in map(KIND.match, lines) if found)
    names = {found[1]: found[2] for found in told if found[1] not in tables}
    grouped = {name: {one: group_of(kind) for one, kind in held.items()} for name, held in tables.items()}
    return Known(labelled(grouped), names)


def lying(lines: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """trips.csv: "rider", "km" -> trips.csv, [rider, km]"""
    for line in lines:
        name, _, columns = line.partition(": ")
        yield name, LYING.findall(columns)


def from_cells(codes: Iterable[str], files: Mapping[str, list[str]]) -> Known:
    reader = Reader(files)
    for code in codes:
        try:
            tree = parse(without_magics(code))
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in tree.body:
            reader.read(node)
    return Known(labelled(reader.tables), reader.names)


class Reader:
    """Goes down the statements of a notebook and notes what each name is."""

    def __init__(self, files: Mapping[str, list[str]]) -> None:
        self.files = files
        self.tables: dict[str, dict[str, str]] = {}
        self.names: dict[str, str] = {}

    def read(self, node: ast.stmt) -> None:
        match node:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                for given in names:
                    self.names[given.asname or given.name.partition(".")[0]] = "module"
            case ast.FunctionDef(name=name):
                self.names[name] = "function"
            case ast.ClassDef(name=name):
                self.names[name] = "class"
            case ast.Assign(targets=[target], value=value):
                self.bind(target, value)
            case ast.AugAssign(target=ast.Name(id=name), value=value) if name not in self.names:
                self.bind(ast.Name(id=name), value)
            case ast.For(target=target, body=body) | ast.With(items=[ast.withitem(optional_vars=target)], body=body):
                if isinstance(target, ast.Name):
                    self.names.setdefault(target.id, "?")
                for one in body:
                    self.read(one)
            case ast.If(body=body):
                for one in body:
                    self.read(one)

    def bind(self, target: ast.expr, value: ast.expr) -> None:
        match target:
            case ast.Name(id=name):
                columns = self.columns(value)
                self.tables.pop(name, None)
                self.names.pop(name, None)
                if columns is None:
                    self.names[name] = self.kind(value)
                else:
                    self.tables[name] = columns
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(column))) if name in self.tables:
                self.tables[name] = {**self.tables[name], column: self.entry_kind(value)}
            case ast.Attribute(value=ast.Name(id=name), attr="columns") if name in self.tables:
                if (given := strings(value)) is not None:
                    self.tables[name] = dict(zip(given, self.tables[name].values(), strict=False))
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for one in parts:
                    if isinstance(one, ast.Name):
                        self.names[one.id] = "?"

    def columns(self, value: ast.expr) -> dict[str, str] | None:
        """Those of a table that an expression makes, None where it makes none."""
        match value:
            case ast.Name(id=name) if name in self.tables:
                return dict(self.tables[name])
            case ast.Call(func=ast.Attribute(attr=method), args=args, keywords=keywords) if method.startswith("read_"):
                names = [one.value for one in args[:1] if isinstance(one, ast.Constant)]
                found = dict.fromkeys(self.files.get(str(names[0]) if names else "", ()), "")
                for keyword in keywords:
                    for column in strings(keyword.value) or ():
                        if keyword.arg == "parse_dates":
                            found[column] = "date"
                        elif keyword.arg == "index_col":
                            found.pop(column, None)
                return found
            case ast.Call(func=ast.Attribute(value=inner, attr="set_index"), args=[part, *_]):
                held, gone = self.columns(inner), strings(part) or ()
                return None if held is None else {name: kind for name, kind in held.items() if name not in gone}
            case ast.Call(
                func=ast.Attribute(attr="DataFrame") | ast.Name(id="DataFrame"), args=args, keywords=keywords
            ):
                return self.made(args, keywords)
            case ast.Call(func=ast.Attribute(value=inner, attr="assign"), keywords=keywords):
                held = self.columns(inner)
                new = {one.arg: self.entry_kind(one.value) for one in keywords if one.arg}
                return None if held is None else {**held, **new}
            case ast.Call(func=ast.Attribute(value=inner, attr="merge"), args=[other, *_]):
                left, right = self.columns(inner), self.columns(other)
                return None if left is None else {**left, **(right or {})}
            case ast.Call(func=ast.Attribute(value=inner, attr="rename"), keywords=keywords):
                held = self.columns(inner)
                return None if held is None else dict(renamed(held, keywords))
            case ast.Call(func=ast.Attribute(value=inner, attr="drop"), keywords=keywords):
                held = self.columns(inner)
                gone = [one for word in keywords if word.arg == "columns" for one in strings(word.value) or ()]
                return None if held is None else {name: kind for name, kind in held.items() if name not in gone}
            case ast.Call(func=ast.Attribute(value=inner, attr=method)) if method in KEEPS:
                return self.columns(inner)
            case ast.Subscript(value=ast.Attribute(value=inner, attr="loc")):
                return self.columns(inner)
            case ast.Subscript(value=inner, slice=ast.List() as part):
                held = self.columns(inner)
                return None if held is None else {name: held.get(name, "") for name in strings(part) or ()}
            case ast.Subscript(value=inner, slice=part) if not isinstance(part, ast.Constant):
                return self.columns(inner)
        return None

    def made(self, args: list[ast.expr], keywords: list[ast.keyword]) -> dict[str, str]:
        match args:
            case [ast.Dict(keys=keys, values=values), *_]:
                pairs = zip(keys, values, strict=True)
                return {
                    key.value: self.entry_kind(value)
                    for key, value in pairs
                    if isinstance(key, ast.Constant) and isinstance(key.value, str)
                }
            case [ast.List(elts=[ast.Dict() as first, *_]), *_]:
                return self.made([first], [])
        for keyword in keywords:
            if keyword.arg == "columns":
                return dict.fromkeys(strings(keyword.value) or (), "")
        return {}

    def entry_kind(self, value: ast.expr) -> str:
        """What the entries of a new column are."""
        match value:
            case ast.List(elts=[first, *_]) | ast.BinOp(left=ast.List(elts=[first, *_])):
                return self.entry_kind(first)
            case ast.Constant(value=one):
                kinds = {bool: "bool", int: "number", float: "number", str: "text"}
                return kinds.get(type(one), "")
            case ast.Call(func=ast.Attribute(attr="to_datetime" | "date_range" | "Timestamp")):
                return "date"
            case ast.Call(func=ast.Attribute(attr="to_numeric" | "sum" | "cumsum" | "mean" | "astype")):
                return "number"
            case ast.Compare():
                return "bool"
            case ast.BinOp(op=ast.Mult() | ast.Div() | ast.Sub()):
                return "number"
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(column))) if name in self.tables:
                return self.tables[name].get(column, "")
        return ""

    def kind(self, value: ast.expr) -> str:
        match value:
            case ast.List() | ast.ListComp():
                return "list"
            case ast.Dict() | ast.DictComp():
                return "dict"
            case ast.Set() | ast.SetComp():
                return "set"
            case ast.Tuple():
                return "tuple"
            case ast.JoinedStr():
                return "str"
            case ast.Constant(value=one):
                return type(one).__name__
            case ast.Call(func=ast.Attribute(value=ast.Name(id="np"), attr=made)):
                return "float" if made in ("mean", "sum", "std", "median", "min", "max") else "ndarray"
            case ast.Call(func=ast.Name(id=made) | ast.Attribute(attr=made)) if made[:1].isupper() or made in MAKERS:
                return "list" if made == "sorted" else made
            case ast.Subscript(value=ast.Name(id=name)) if name in self.tables:
                return COLUMN
        return COLUMN if "groupby" in ast.dump(value) else "?"


def strings(value: ast.expr) -> list[str] | None:
    match value:
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        case ast.Constant(value=str(one)):
            return [one]
    return None


def renamed(held: Mapping[str, str], keywords: Iterable[ast.keyword]) -> Iterator[tuple[str, str]]:
    changed: dict[str, str] = {}
    for keyword in keywords:
        if keyword.arg == "columns" and isinstance(keyword.value, ast.Dict):
            for key, value in zip(keyword.value.keys, keyword.value.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(value, ast.Constant):
                    changed[str(key.value)] = str(value.value)
    yield from ((changed.get(name, name), kind) for name, kind in held.items())
