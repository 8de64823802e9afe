"""What a cell that failed may have meant: an import, a name, an attribute or a column that is nearly as written.

Only what the error says and the kernel knows is used; what no cell can mend is said.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from sayso.core.types import Candidate, Piece
from sayso.targets.notebook.hand.broken_code import mended_code
from sayso.targets.notebook.hand.failure import Failure, error_piece, failure_of
from sayso.targets.notebook.hand.needs import distribution_of, import_of, known, module_of
from sayso.targets.notebook.review.asked import is_installed
from sayso.targets.notebook.review.names import names_of
from sayso.targets.notebook.syntax.magics import cell_magic
from sayso.targets.notebook.syntax.scan import scan

NEAR = 0.7
MOST_NEAR = 2
SURE, LIKELY, HAPLY = 0.9, 0.8, 0.5
"""Scores: an import under its usual name, the nearest name, a module that is not installed."""


@dataclass(frozen=True)
class Repaired:
    """Cells to run instead, best first; `said` is what no cell mends; `pieces` tell a model what failed."""

    candidates: tuple[Candidate, ...]
    said: tuple[str, ...]
    pieces: tuple[Piece, ...]


def repairs(cell: str, error: BaseException, names: Mapping[str, object]) -> Repaired:
    failure = failure_of(cell, error, names)
    found: dict[str, Candidate] = {}
    for one in sorted(proposed(failure), key=lambda one: -one.score):
        if one.text != cell and names_of(one.text) is not None:
            found.setdefault(one.text, one)
    return Repaired(tuple(found.values()), tuple(advice(failure)), (Piece("code", cell), error_piece(failure)))


def proposed(failure: Failure) -> Iterator[Candidate]:
    match failure.error:
        case "NameError" | "UnboundLocalError":
            if line := import_of(failure.name):
                yield imported(failure, line)
            for name, likeness in nearest(failure.name, [*failure.near, *public_builtins()]):
                why = f"{failure.name} is not defined; {name} is"
                yield Candidate(renamed(failure, name, "name"), LIKELY * likeness, (why,))
        case "AttributeError":
            for name, likeness in nearest(failure.name, failure.near):
                why = f"there is no {failure.name} here; {name} is there"
                yield Candidate(renamed(failure, name, "attribute"), LIKELY * likeness, (why,))
        case "KeyError":
            for name, likeness in nearest(failure.name, failure.near):
                why = f'there is no column "{failure.name}"; "{name}" is one'
                yield Candidate(renamed(failure, name, "string"), LIKELY * likeness, (why,))
        case "ImportError":
            for name, likeness in nearest(failure.name, failure.near):
                why = f"the module has no {failure.name}; it has {name}"
                yield Candidate(renamed(failure, name, "name"), LIKELY * likeness, (why,))
        case "ModuleNotFoundError":
            first = failure.name.partition(".")[0]
            modules = {line.partition(".")[0] for line in known()["modules"].values()}
            for name, likeness in nearest(first, [one for one in modules if is_installed(one)]):
                why = f"there is no module {first}; {name} is installed"
                yield Candidate(renamed(failure, name, "name", first), LIKELY * likeness, (why,))
        case "SyntaxError" | "IndentationError" | "TabError":
            yield from mended_code(failure.cell, failure.message, failure.line)


def imported(failure: Failure, line: str) -> Candidate:
    """The import above the cell; below a cell magic, which must stay first."""
    magic, _, rest = failure.cell.partition("\n") if cell_magic(failure.cell) else ("", "", failure.cell)
    text = "\n".join(part for part in (magic, line, rest) if part)
    if not is_installed(module_of(line)):
        return Candidate(text, HAPLY, (f"{failure.name} is not imported; {module_of(line)} is not installed here",))
    return Candidate(text, SURE, (f"{failure.name} is not imported",))


def advice(failure: Failure) -> Iterator[str]:
    """What no cell can mend."""
    if failure.error == "FileNotFoundError":
        yield f"there is no file {failure.name or 'of that name'} where the kernel stands: nothing here mends that"
    elif failure.error == "ModuleNotFoundError":
        name = failure.name.partition(".")[0]
        if not is_installed(name):
            # Of a module that nobody knows, a package of that name may be anybody's.
            is_known = name in {
                module.partition(".")[0] for table in ("modules", "members") for module in known()[table].values()
            }
            cure = f": %pip install {distribution_of(name)}" if is_known else ""
            yield f"{name} is not installed for this kernel{cure}"
    elif failure.error == "MemoryError":
        yield "the kernel has no memory left: nothing here mends that"


def public_builtins() -> list[str]:
    return [one for one in dir(builtins) if not one.startswith("_")]


def nearest(word: str, options: Iterable[str]) -> list[tuple[str, float]]:
    """prce among price, day -> price; letters in another case count as the same."""
    if len(word) < 2:
        return []
    rated = []
    for option in dict.fromkeys(options):
        if option != word and abs(len(option) - len(word)) <= 1 + len(word) // 3:
            likeness = SequenceMatcher(None, word.lower(), option.lower(), autojunk=False).ratio()
            if likeness >= NEAR:
                rated.append((option, likeness))
    return sorted(rated, key=lambda one: -one[1])[:MOST_NEAR]


def renamed(failure: Failure, new: str, kind: str, old: str = "") -> str:
    """The cell with another name, attribute or text: on the line that failed if it stands there, else wherever."""
    old = old or failure.name
    places = [*occurrences(failure.cell, old, kind)]
    on_line = [one for one in places if failure.cell.count("\n", 0, one) + 1 == failure.line]
    text = failure.cell
    for start in reversed(places if kind == "name" or not on_line else on_line):
        text = text[:start] + new + text[start + len(old) :]
    return text


def occurrences(cell: str, old: str, kind: str) -> Iterator[int]:
    """Where it stands as a name, behind a dot, or as all of a string."""
    at, before = 0, ""
    for token, piece in scan(cell):
        if kind == "string" and token == "string":
            inside = piece.lstrip("rbuRBU").strip("'\"")
            if inside == old:
                yield at + piece.index(old)
        elif token == "name" and piece == old and (before == ".") == (kind == "attribute") and kind != "string":
            yield at
        before = piece if token != "space" else before
        at += len(piece)
