"""Percent scripts: Python files whose cells begin with `# %%`, as editors and Jupytext write them.

`# %% [markdown]` is a text cell, in comments or in one string; a magic stands there as a comment, so that the file
stays Python. A mark inside a string begins a cell as well. Without any mark the whole file is one cell.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

from sayso.core.errors import UserError
from sayso.targets.notebook.corpus.notebook import Cell, CellKind
from sayso.targets.notebook.hand.spliced import Spliced

MARK = re.compile(r"(# ?%%)(?:[ \t].*|\[.*)?\r?$")
KIND = re.compile(r"\[(markdown|md|raw)\]")
MAGIC = re.compile(r"[%!](?=[A-Za-z])(?!%)")
HIDDEN = re.compile(r"# ([%!](?=[A-Za-z]).*)")
"""A magic as Jupytext hides it from Python."""
FIRST = re.compile(r"\ufeff?(?:#!.*\n)?(?:#.*coding[:=].*\n)?(?:# ---\r?\n(?:#.*\n)*?# ---\r?(?:\n|\Z))?")
"""What belongs to the file and to no cell: the interpreter, the encoding, Jupytext's own lines."""


@dataclass(frozen=True)
class Span:
    """A cell in the text, from its mark to the next; `body` is where the mark's line ends."""

    start: int
    body: int
    end: int
    mark: str
    """"" where the file's first cell has none."""
    kind: CellKind


def read_script(text: str, name: str) -> tuple[tuple[Cell, ...], Callable[[int, str], Spliced]]:
    spans = spans_of(text)

    def splice(at: int, code: str) -> Spliced:
        return put_in(text, spans, at, code, name)

    return tuple(Cell(span.kind, cell_text(text[span.body : span.end], span.kind)) for span in spans), splice


def spans_of(text: str) -> list[Span]:
    """Cells in their order; lines before the first mark are one, unless they are blank."""
    head = FIRST.match(text)
    at = begin = head.end() if head else 0
    marks: list[tuple[int, int, str, CellKind]] = []
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        found = MARK.match(text[at:end].rstrip("\n"))
        if found:
            named = KIND.search(found.group())
            kind: CellKind = "code" if named is None else "raw" if named[1] == "raw" else "text"
            marks.append((at, end, found[1], kind))
        at = end
    first = marks[0][0] if marks else len(text)
    spans = [Span(begin, begin, first, "", "code")] if text[begin:first].strip() else []
    for number, (start, body, mark, kind) in enumerate(marks):
        end = marks[number + 1][0] if number + 1 < len(marks) else len(text)
        spans.append(Span(start, body, end, mark, kind))
    return spans


def cell_text(body: str, kind: CellKind) -> str:
    lines = body.replace("\r\n", "\n").strip("\n").split("\n")
    if kind == "code":
        return "\n".join(HIDDEN.sub(r"\1", line) if HIDDEN.fullmatch(line) else line for line in lines).rstrip()
    if all(line.startswith("#") for line in lines if line.strip()):
        return "\n".join(line.removeprefix("#").removeprefix(" ") for line in lines).strip()
    return string_text("\n".join(lines)).strip()


def string_text(body: str) -> str:
    """Text in one string, or as it stands."""
    try:
        found = ast.literal_eval(body.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return body
    return found if isinstance(found, str) else body


def put_in(text: str, spans: list[Span], at: int, code: str, name: str) -> Spliced:
    """A code cell before cell `at`, or after the last."""
    newline = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    mark = next((span.mark for span in spans if span.mark), "# %%")
    plain = is_python(code)  # then a line that begins with % stands in a string
    lines = [line if plain else hidden(line) for line in code.strip("\n").split("\n")]
    if any(MARK.match(line) for line in lines) or code.lstrip().startswith("%%"):
        raise UserError(
            f"the cell holds a line that begins with %%, which would be a cell of its own in {name}",
            "take another one with --pick, or put it in yourself",
        )
    written = newline.join([mark, *lines]) + newline
    if at < len(spans):
        start = spans[at].start
        # What follows must stay a cell of its own, and a mark says so where it has none.
        after = newline + ("" if spans[at].mark else mark + newline)
        return Spliced(text[:start], written + after, text[start:])
    before = "" if not text or text.endswith("\n") else newline
    if text.strip() and not (text + before).endswith((newline * 2, "\n\n")):
        before += newline
    return Spliced(text, before + written, "")


def is_python(code: str) -> bool:
    try:
        ast.parse(code)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def hidden(line: str) -> str:
    """%matplotlib inline -> # %matplotlib inline"""
    return f"# {line}" if MAGIC.match(line) else line
