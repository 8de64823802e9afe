"""Cells that do not parse, where one mark is missing: a colon, a bracket, the brackets of Python 2's print."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.types import Candidate
from sayso.targets.notebook.syntax.canonical import parse
from sayso.targets.notebook.syntax.magics import without_magics

CLOSES = {"(": ")", "[": "]", "{": "}"}
OPEN = re.compile(r"'([(\[{])' was never closed")
PRINT = re.compile(r"^(\s*)print[ \t]+(?!\()(.+?)(\s*)$")
MARKED = 0.85


def mended_code(cell: str, message: str, line: int) -> Iterator[Candidate]:
    """Only what parses then; raw text, as far as the error tells which mark it is."""
    lines = cell.split("\n")
    if not 0 < line <= len(lines):
        return
    at = line - 1
    tries: list[tuple[str, str]] = []
    if "expected ':'" in message or "invalid syntax" in message:
        tries.append((with_line(lines, at, ended(lines[at], ":")), "a colon was missing"))
    if found := OPEN.search(message):
        mark = CLOSES[found[1]]
        tries += [
            (with_line(lines, at, ended(lines[at], mark)), f"a {mark} was missing"),
            (with_line(lines, len(lines) - 1, ended(lines[-1], mark)), f"a {mark} was missing"),
        ]
    if "Missing parentheses in call to 'print'" in message:
        fixed = "\n".join(PRINT.sub(r"\1print(\2)\3", one) for one in lines)
        tries.append((fixed, "print is a function"))
    for text, why in tries:
        if parses(text):
            yield Candidate(text, MARKED, (why,))
            return


def with_line(lines: list[str], at: int, line: str) -> str:
    return "\n".join([*lines[:at], line, *lines[at + 1 :]])


def ended(line: str, mark: str) -> str:
    """The mark behind the code of a line, before a comment."""
    code, hash_mark, comment = line.partition("  #")
    return f"{code.rstrip()}{mark}{hash_mark}{comment}"


def parses(text: str) -> bool:
    try:
        parse(without_magics(text))
    except SyntaxError:
        return False
    return True
