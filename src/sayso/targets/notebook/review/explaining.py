"""A cell in plain words, statement by statement; blocks by their first line, then what stands in them."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from sayso.core.types import Note
from sayso.targets.notebook.syntax.canonical import parse
from sayso.targets.notebook.syntax.magics import TIMED, cell_magic, without_magics
from sayso.targets.notebook.syntax.places import Places
from sayso.targets.notebook.syntax.scan import scan

FILE = Path(__file__).parents[1] / "data" / "glosses.toml"
LONGEST = 60
"""Characters of code that are repeated in a gloss."""


@cache
def _glosses() -> dict[str, dict[str, str]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def cell_notes(text: str) -> list[Note]:
    """Notes in the order of the text; a cell that cannot be read has none."""
    try:
        tree = parse(without_magics(text))
    except SyntaxError:
        return []
    places = Places(text)
    magics = list(_magic_notes(text))
    taken = {line for note in magics for line in _lines(text, note)}
    notes = [note for node in tree.body for note in _statement(node, places, taken)]
    return sorted([*magics, *notes], key=lambda note: note.start)


def _lines(text: str, note: Note) -> range:
    first = text.count("\n", 0, note.start) + 1
    return range(first, first + note.text.count("\n") + 1)


def _magic_notes(text: str) -> Iterator[Note]:
    at = 0
    name = cell_magic(text)
    for kind, piece in scan(text):
        if kind == "magic":
            if name and at == len(text) - len(text.lstrip()):
                yield _cell_note(text, name, at, at + len(piece))
            else:
                yield Note(piece, _magic_gloss(piece), at, at + len(piece))
        at += len(piece)


def _cell_note(text: str, name: str, start: int, end: int) -> Note:
    gloss = _glosses()["magics"].get(name, f"gives the cell to IPython's magic {name}")
    return Note(text[start:end], gloss, start, end)


def _magic_gloss(piece: str) -> str:
    if piece.startswith("!"):
        return f"runs the shell command {_short(piece[1:].strip())}"
    if piece.startswith("?") or piece.rstrip().endswith("?"):
        return f"shows help on {piece.strip('? ')}"
    name = piece[1:].split()[0] if piece[1:].split() else ""
    if name in TIMED:
        return f"{_glosses()['magics'].get(name, 'measures')}: {_short(piece[1:].strip()[len(name) :].strip())}"
    return _glosses()["magics"].get(name, f"calls IPython's magic {name}")


def _statement(node: ast.stmt, places: Places, taken: set[int]) -> Iterator[Note]:
    blocks = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
    inner: list[ast.stmt] = [one for block in blocks for one in block if isinstance(one, ast.stmt)]
    handlers: Sequence[ast.ExceptHandler] = getattr(node, "handlers", [])
    if node.lineno not in taken:
        start, end = places.of(node)
        if inner:
            end = min(end, places.of(inner[0])[0])
            end = start + len(places.text[start:end].rstrip().rstrip("\\").rstrip())
        if end > start:
            yield Note(places.text[start:end], _gloss(node), start, end)
    for one in [*inner, *(part for handler in handlers for part in handler.body)]:
        yield from _statement(one, places, taken)


def _gloss(node: ast.stmt) -> str:
    match node:
        case ast.Import(names=names):
            return "loads " + _listed([_alias(one) for one in names])
        case ast.ImportFrom(names=names):
            source = "." * node.level + (node.module or "")
            return f"takes {_listed([_alias(one) for one in names])} from {source}"
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            given = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            return f"defines the function {node.name}" + (f" of {_listed(given)}" if given else "")
        case ast.ClassDef():
            return f"defines the class {node.name}"
        case ast.Assign():
            return f"sets {_listed([_code(one) for one in node.targets])} to {_value(node.value)}"
        case ast.AnnAssign(value=None):
            return f"declares {_code(node.target)}"
        case ast.AnnAssign(value=ast.expr() as value):
            return f"sets {_code(node.target)} to {_value(value)}"
        case ast.AugAssign():
            return f"changes {_code(node.target)} by {_value(node.value)}"
        case ast.For() | ast.AsyncFor():
            return f"for each {_code(node.target)} of {_code(node.iter)}"
        case ast.While():
            return f"as long as {_code(node.test)}"
        case ast.If():
            return f"if {_code(node.test)}"
        case ast.With() | ast.AsyncWith():
            return "with " + _listed([_value(one.context_expr) for one in node.items])
        case ast.Try():
            caught = [_code(one.type) for one in node.handlers if one.type]
            return f"tries what follows, and catches {_listed(caught or ['errors'])}"
        case ast.Expr(value=value):
            return _shown(value)
        case ast.Return():
            return f"gives back {_value(node.value)}" if node.value else "goes back"
        case ast.Raise():
            return f"fails with {_code(node.exc)}" if node.exc else "fails again with the same error"
        case ast.Assert():
            return f"fails unless {_code(node.test)}"
        case ast.Delete():
            return f"forgets {_listed([_code(one) for one in node.targets])}"
        case ast.Pass():
            return "does nothing"
        case ast.Break() | ast.Continue():
            return "ends the loop" if isinstance(node, ast.Break) else "goes on with the next one"
        case ast.Global() | ast.Nonlocal():
            return f"means {_listed(node.names)} from outside"
    return f"does {_code(node)}"


def _shown(value: ast.expr) -> str:
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return "a text that describes the code"
    if isinstance(value, ast.Call):
        return _call(value)
    return f"shows {_code(value)}"


def _value(value: ast.expr) -> str:
    if isinstance(value, ast.Await):
        return _value(value.value)
    return f"what this gives: {_call(value)}" if isinstance(value, ast.Call) else _code(value)


def _call(call: ast.Call) -> str:
    """A chain of calls from the first to the last: groupby, then mean."""
    parts: list[str] = []
    node: ast.expr = call
    while isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else _code(node.func)
        gloss = _glosses()["calls"].get(name)
        parts.append(gloss or f"calls {name}")
        node = node.func.value if isinstance(node.func, ast.Attribute) else node.func
        while isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
    return ", then ".join(reversed(parts))


def _alias(one: ast.alias) -> str:
    return f"{one.name} as {one.asname}" if one.asname else one.name


def _code(node: ast.AST) -> str:
    return _short(" ".join(ast.unparse(node).split()))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
