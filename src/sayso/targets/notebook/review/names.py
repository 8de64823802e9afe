"""Names: which ones a cell needs from above, which it gives to what is below, and what it imports.

Statements are read in their order; what stands in a function is looked up when it is called, so against all of the
cell. Names that are made at run time (`exec`, `globals()["x"]`) are not seen; a star import says that anything may be.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from sayso.targets.notebook.syntax.canonical import parse
from sayso.targets.notebook.syntax.magics import without_magics

BUILT_IN_NAMES = frozenset(dir(builtins)) | {
    "__file__", "display", "get_ipython", "In", "Out", "_", "__", "___", "_i", "_ii", "_iii", "_dh", "_ih", "_oh",
    "exit", "quit",
}  # fmt: skip
"""What Python and IPython have without an import."""
_NUMBERED = re.compile(r"_i?\d+")
_MAKES_NAMES = re.compile(r"^\s*%(?:pylab|run|load|sql|store)\b|^\s*%%(?:capture|sql|bigquery|R|px)\b", re.M)

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass
class Names:
    """Of one cell."""

    needed: dict[str, ast.AST] = field(default_factory=dict)
    """Neither given before it is used nor built in, with the node that uses it first."""
    given: set[str] = field(default_factory=set)
    imported: set[str] = field(default_factory=set)
    """Modules by their first name."""
    open: bool = False
    """More names may be given than can be seen."""


def names_of(text: str) -> Names | None:
    """None of what does not parse."""
    try:
        tree = parse(without_magics(text))
    except SyntaxError:
        return None
    return names_in(tree, text)


def names_in(tree: ast.Module, text: str = "") -> Names:
    found = Names(open=bool(_MAKES_NAMES.search(text)))
    found.given |= {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    later: list[tuple[Scope, frozenset[str]]] = []
    _read(tree.body, found, frozenset(), later)
    while later:
        scope, inside = later.pop()
        body = scope.body if isinstance(scope.body, list) else [scope.body]
        local = inside | _parameters(scope) | _assigned(body)
        _read(body, found, local, later, own=False)
    return found


def _read(
    nodes: Iterable[ast.AST],
    found: Names,
    local: frozenset[str],
    later: list[tuple[Scope, frozenset[str]]],
    own: bool = True,
) -> None:
    """Uses and definitions in order; `own`: what is given here is given to the notebook."""
    for node in nodes:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                outside = [*node.args.defaults, *(one for one in node.args.kw_defaults if one)]
                if not isinstance(node, ast.Lambda):
                    outside += [*node.decorator_list, *_annotations(node)]
                _read(outside, found, local, later, own)
                later.append((node, local))
                if not isinstance(node, ast.Lambda) and own:
                    found.given.add(node.name)
            case ast.ClassDef():
                _read(
                    [*node.decorator_list, *node.bases, *(one.value for one in node.keywords)], found, local, later, own
                )
                _read(node.body, found, local | _assigned(node.body) | {node.name, "__class__"}, later, False)
                if own:
                    found.given.add(node.name)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                inner = local | _assigned(list(node.generators))
                _read([*node.generators, *_elements(node)], found, inner, later, False)
            case ast.Import() | ast.ImportFrom():
                _read_import(node, found, own)
            case ast.Name(id=name, ctx=ast.Load()):
                _use(name, node, found, local)
            case ast.Name(id=name):
                if isinstance(node.ctx, ast.Del):
                    _use(name, node, found, local)
                elif own:
                    found.given.add(name)
            case ast.AugAssign(target=ast.Name(id=name)):
                _use(name, node.target, found, local)
                _read([node.value, node.target], found, local, later, own)
            case ast.ExceptHandler(name=str(name)):
                _read([node.type] if node.type else [], found, local, later, own)
                _read(node.body, found, local | {name}, later, own)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.given |= {name} if own else set()
                _read(ast.iter_child_nodes(node), found, local, later, own)
            case ast.Assign() | ast.AnnAssign() | ast.NamedExpr() | ast.For() | ast.AsyncFor() | ast.comprehension():
                _read(_value_first(node), found, local, later, own)
            case _:
                _read(ast.iter_child_nodes(node), found, local, later, own)


def _value_first(
    node: ast.Assign | ast.AnnAssign | ast.NamedExpr | ast.For | ast.AsyncFor | ast.comprehension,
) -> Sequence[ast.AST]:
    """The parts in the order in which Python reads them."""
    match node:
        case ast.Assign():
            return [node.value, *node.targets]
        case ast.AnnAssign():
            return [*([node.value] if node.value else []), node.annotation, node.target]
        case ast.NamedExpr():
            return [node.value, node.target]
        case ast.comprehension():
            return [node.iter, node.target, *node.ifs]
    return [node.iter, node.target, *node.body, *node.orelse]


def _use(name: str, node: ast.AST, found: Names, local: frozenset[str]) -> None:
    if name not in local and name not in found.given and name not in BUILT_IN_NAMES and not _NUMBERED.fullmatch(name):
        found.needed.setdefault(name, node)


def _read_import(node: ast.Import | ast.ImportFrom, found: Names, own: bool) -> None:
    for one in node.names:
        if isinstance(node, ast.ImportFrom):
            found.open |= one.name == "*"
            if node.module and not node.level:
                found.imported.add(node.module.split(".")[0])
        else:
            found.imported.add(one.name.split(".")[0])
        # An import in a function is given to the notebook here, which errs to the side of saying nothing.
        found.given.add(one.asname or one.name.split(".")[0])


def _parameters(scope: Scope) -> frozenset[str]:
    given = scope.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return frozenset(one.arg for one in every if one)


def _assigned(body: Sequence[ast.AST]) -> frozenset[str]:
    """Every name that is stored somewhere in there, at whatever depth."""
    return frozenset(_stored(body))


def _stored(body: Sequence[ast.AST]) -> Iterator[str]:
    for part in body:
        for node in ast.walk(part):
            match node:
                case ast.Name(id=name, ctx=ast.Store()):
                    yield name
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
                    yield name
                case ast.alias(name=name, asname=other):
                    yield other or name.split(".")[0]
                case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                    yield name


def _annotations(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    found = [one.annotation for one in every if one.annotation]
    return [*found, node.returns] if node.returns else found


def _elements(node: Comprehension) -> list[ast.expr]:
    return [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
