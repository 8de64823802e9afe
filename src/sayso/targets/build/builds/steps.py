"""Where a script may be cut into steps, so that a run can say how many of them succeeded (the paper's section 6.1).

A step is a top-level command: a line, or a part of one between semicolons; a loop, a condition, a function and a list
with && or || are one step each. Cuts are only proposed here: the shell inside the sandbox decides which hold, by
reading what stands before each (`sh -n`). A script that cannot be cut is one step.
"""

from __future__ import annotations

import re

HERE = re.compile(r"(?<!<)<<(?!<)-?\s*(?P<quote>['\"\\]?)(?P<word>\w+)")


def cut(script: str) -> list[str]:
    """Pieces that together are the script; a command never ends within one.

    "cd a; make\nmake install" -> "cd a;", " make\n", "make install"
    """
    pieces: list[str] = []
    lines = script.splitlines(keepends=True)
    at = 0
    while at < len(lines):
        line, end = lines[at], at + 1
        while end < len(lines) and _continues(lines[end - 1]):
            line += lines[end]
            end += 1
        here = [found["word"] for found in HERE.finditer(line)]
        while here and end < len(lines):
            line += lines[end]
            if lines[end].strip() == here[0]:
                here.pop(0)
            end += 1
        pieces += [line] if HERE.search(line) else _at_semicolons(line)
        at = end
    return pieces


def _continues(line: str) -> bool:
    text = line.rstrip("\n")
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


def _at_semicolons(line: str) -> list[str]:
    pieces, start, quote, at = [], 0, "", 0
    while at < len(line):
        char = line[at]
        if quote:
            if char == "\\" and quote == '"':
                at += 1
            elif char == quote:
                quote = ""
        elif char == "\\":
            at += 1
        elif char in "'\"":
            quote = char
        elif char == "#" and (at == 0 or line[at - 1] in " \t;&|("):
            break
        elif char == ";":
            if line[at : at + 2] == ";;":
                at += 1
            else:
                pieces.append(line[start : at + 1])
                start = at + 1
        at += 1
    return [*pieces, line[start:]] if line[start:] else pieces
