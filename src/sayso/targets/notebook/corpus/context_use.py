"""Which names a target takes from the cells above it (table 2): variables, and functions that are defined there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sayso.targets.notebook.corpus.target_cell import parse
from sayso.targets.notebook.syntax.magics import without_magics

WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Defined:
    """What one cell defines; imports are neither."""

    variables: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Use:
    """What one target takes from above, where its request does not say the name."""

    variables: bool
    functions: bool
    several: bool
    """From two cells or more."""

    @property
    def contextual(self) -> bool:
        return self.variables or self.functions


@dataclass
class Above:
    """The names that cells define so far: name -> the place of the last cell that does."""

    variables: dict[str, int] = field(default_factory=dict)
    functions: dict[str, int] = field(default_factory=dict)

    def add(self, place: int, defined: Defined) -> None:
        for name in defined.variables:
            self.variables[name] = place
            self.functions.pop(name, None)
        for name in defined.functions:
            self.functions[name] = place
            self.variables.pop(name, None)


def defined(code: str) -> Defined:
    """Names that a cell binds at its top level; nothing where it does not parse."""
    tree = parse(without_magics(code))
    if tree is None:
        return Defined()
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    variables = {name for node in tree.body for name in stored(node)}
    return Defined(frozenset(variables - functions), frozenset(functions))


def stored(node: ast.AST) -> Iterator[str]:
    """Names that a statement assigns, outside of functions and classes."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    for child in ast.iter_child_nodes(node):
        yield from stored(child)


def use_of(target: str, request: str, above: Above) -> Use:
    said = set(WORD.findall(request))
    taken = {name for name in free_names(target) if name not in said}
    variables = {name: above.variables[name] for name in taken if name in above.variables}
    functions = {name: above.functions[name] for name in taken if name in above.functions}
    places = {*variables.values(), *functions.values()}
    return Use(bool(variables), bool(functions), len(places) > 1)


def free_names(code: str) -> set[str]:
    """Names that a cell reads before it binds them."""
    tree = parse(without_magics(code))
    if tree is None:
        return set()
    reader = Reader()
    reader.read_all(tree.body)
    return reader.free


class Reader:
    """Reads statements in the order in which they run."""

    def __init__(self) -> None:
        self.bound: set[str] = set()
        self.free: set[str] = set()

    def read_all(self, nodes: Sequence[ast.AST]) -> None:
        for node in nodes:
            self.read(node)

    def read(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                self.bound.add(node.id)
            elif node.id not in self.bound:
                self.free.add(node.id)
        elif isinstance(node, ast.AugAssign):  # which reads what it assigns
            self.read_all([ast.Name(node.target.id, ast.Load()) if isinstance(node.target, ast.Name) else node.target])
            self.read_all([node.value, node.target])
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self.bound.update((one.asname or one.name).partition(".")[0] for one in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            self.read_function(node)
        elif isinstance(node, ast.ClassDef):
            self.read_all([*node.bases, *node.decorator_list, *node.body])
            self.bound.add(node.name)
        else:
            self.read_all([child for name in fields_in_order(node) for child in children(node, name)])

    def read_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        """The body has its own names; what it does not bind it takes from outside."""
        arguments = node.args
        self.read_all([*arguments.defaults, *(one for one in arguments.kw_defaults if one)])
        if not isinstance(node, ast.Lambda):
            self.bound.add(node.name)
        inner = Reader()
        named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        inner.bound = self.bound | {one.arg for one in named if one}
        inner.read_all([node.body] if isinstance(node, ast.Lambda) else node.body)
        self.free |= inner.free


FIRST: Mapping[type[ast.AST], tuple[str, ...]] = {
    ast.Assign: ("value", "targets"),
    ast.AnnAssign: ("value", "target"),
    ast.For: ("iter", "target", "body", "orelse"),
    ast.AsyncFor: ("iter", "target", "body", "orelse"),
    ast.comprehension: ("iter", "target", "ifs"),
    ast.ListComp: ("generators", "elt"),
    ast.SetComp: ("generators", "elt"),
    ast.GeneratorExp: ("generators", "elt"),
    ast.DictComp: ("generators", "key", "value"),
    ast.NamedExpr: ("value", "target"),
}


def fields_in_order(node: ast.AST) -> tuple[str, ...]:
    return FIRST.get(type(node), node._fields)


def children(node: ast.AST, name: str) -> list[ast.AST]:
    value = getattr(node, name, None)
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, ast.AST)]
