"""The cell that failed, with what its error says of it; of the message only what is no value of the user's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import ModuleType

from sayso.core.types import Piece
from sayso.targets.notebook.hand.namespace import columns_of
from sayso.targets.notebook.review.names import BUILT_IN_NAMES

OF_A_CELL = re.compile(r"<ipython-input-|[/\\]ipykernel_\d+[/\\]|<ipython-console")
"""How the code of a cell is called in a traceback."""
QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")
NUMBER = re.compile(r"\b\d[\d.,e+-]*\b")
PATH = re.compile(r"(?<![\w.])(?:~|\.{0,2})/[^\s'\":]+")
LONGEST = 300
OF_NAMES = ("NameError", "AttributeError", "ImportError", "ModuleNotFoundError")
"""What they speak of is a name; a key or a file may be a value."""
DOTTED = re.compile(r"[A-Za-z_][\w.]*\Z")


@dataclass(frozen=True)
class Failure:
    """`name` is the one that the error speaks of; `near`: those of the same kind that there are instead."""

    cell: str
    error: str
    message: str
    line: int = 0
    """From 1 on; 0 where it is not known."""
    name: str = ""
    near: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        lines = self.cell.split("\n")
        return lines[self.line - 1] if 0 < self.line <= len(lines) else ""


def failure_of(cell: str, error: BaseException, names: Mapping[str, object]) -> Failure:
    """Nothing of the user's is called: attributes are those that stand in the class and in the object itself."""
    line = getattr(error, "lineno", 0) if isinstance(error, SyntaxError) else line_in(error)
    name, near = "", tuple[str, ...]()
    if isinstance(error, NameError):
        name = str(error.name or next(iter(quoted(str(error))), ""))
        near = tuple(one for one in names if not one.startswith("_"))
    elif isinstance(error, AttributeError):
        name, near = str(error.name or ""), tuple(attributes(error.obj))
    elif isinstance(error, ModuleNotFoundError):
        name = str(error.name or "")
    elif isinstance(error, ImportError):
        name, near = named_in_import(error)
    elif isinstance(error, KeyError):
        key = error.args[0] if error.args else ""
        found = [key] if isinstance(key, str) and "not in index" not in key else [*quoted(str(key))]
        columns = [*frame_columns(cell, names)]
        name = next((one for one in found if one not in columns), "")
        near = tuple(columns)
    elif isinstance(error, FileNotFoundError):
        name = str(error.filename or "")
    return Failure(cell, type(error).__name__, str_of(error), line or 0, name, near)


def line_in(error: BaseException) -> int:
    """The line of the cell that was run, whatever it called."""
    found, step = 0, error.__traceback__
    while step is not None:
        if OF_A_CELL.search(step.tb_frame.f_code.co_filename):
            return step.tb_lineno
        step = step.tb_next
    return found


def str_of(error: BaseException) -> str:
    """The message; one that cannot be told is none."""
    try:
        return error.msg if isinstance(error, SyntaxError) else str(error)
    except Exception:
        return ""


def quoted(text: str) -> Iterator[str]:
    """What stands in quotes: "name 'x' is not defined" -> x"""
    for found in QUOTED.finditer(text):
        yield found[1] if found[1] is not None else found[2]


def attributes(owner: object) -> Iterator[str]:
    """Names behind a dot, without a call of `__dir__` or `__getattr__`."""
    found: dict[str, None] = {}
    for one in type(owner).__mro__ if not isinstance(owner, ModuleType) else ():
        found.update(dict.fromkeys(vars(one)))
    with suppress(AttributeError, TypeError):
        found.update(dict.fromkeys(object.__getattribute__(owner, "__dict__")))
    found.update(dict.fromkeys(one for one in columns_of(owner) if one.isidentifier()))
    yield from (one for one in found if isinstance(one, str) and not one.startswith("_"))


def named_in_import(error: ImportError) -> tuple[str, tuple[str, ...]]:
    """cannot import name 'sqr' from 'math' -> sqr, and what math has"""
    import sys

    module = sys.modules.get(error.name or "")
    name = str(getattr(error, "name_from", "") or next(quoted(str(error)), ""))
    return name, tuple(attributes(module)) if isinstance(module, ModuleType) else ()


def frame_columns(cell: str, names: Mapping[str, object]) -> Iterator[str]:
    """Columns of the tables that a cell names, else of all."""
    tables = {name: columns for name, value in names.items() if (columns := columns_of(value))}
    used = {name for name in tables if re.search(rf"\b{re.escape(name)}\b", cell)}
    yield from dict.fromkeys(one for name, columns in tables.items() if name in used or not used for one in columns)


def error_piece(failure: Failure) -> Piece:
    """The line and the error, without paths, and without what neither the cell says nor a name is."""
    message = told(failure)
    where = f"line {failure.line}: {failure.code.strip()}\n" if failure.code.strip() else ""
    return Piece("error", f"{where}{failure.error}: {message}" if message else f"{where}{failure.error}")


def told(failure: Failure) -> str:
    known = {*failure.near, *([failure.name] if failure.error in OF_NAMES else [])}

    def shown(found: re.Match[str]) -> str:
        text = found.group().strip("'\"")
        return found.group() if text in known or text in failure.cell else "…"

    first = failure.message.strip().split("\n")[0][:LONGEST]
    if failure.error in ("SyntaxError", "IndentationError", "TabError"):
        return first
    # Types are named in quotes too: 'int' object is not callable.
    kept = QUOTED.sub(lambda one: one.group() if is_type(one) else shown(one), PATH.sub(shown, first))
    return NUMBER.sub(shown, kept)


def is_type(found: re.Match[str]) -> bool:
    """ "int", or 'NoneType' object …, or module 'math' …: names of Python's, or ones that a word says to be types."""
    text = found.group().strip("'\"")
    after = found.string[found.end() : found.end() + 10]
    before = found.string[max(found.start() - 9, 0) : found.start()]
    told_so = after.startswith((" object", " and")) or before.endswith(("module ", "type(s) ", "and ", "type "))
    return text in BUILT_IN_NAMES or (bool(DOTTED.match(text)) and told_so)
