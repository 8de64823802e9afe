"""Cells without what only IPython reads, so that the rest is Python.

- `%time x`, `%timeit -n 5 x`, `%prun x`: the statement stays.
- `%%time`, `%%timeit`, `%%capture` and their like: the first line goes, the cell stays.
- any other cell magic (`%%bash`, `%%html`, `%%writefile`): the cell is in another language, all of it becomes comments.
- any other line magic, `!command`, `?name`, `name?`: a comment, behind a `pass` where the line is indented.
- `x = !ls`, `x = %sql …`: the value is None.

Lines stay where they are, so that a line number of the rest is one of the cell.
"""

from __future__ import annotations

import re

from sayso.targets.notebook.syntax.scan import scan

TIMED = frozenset({"time", "timeit", "prun", "memit", "mprun", "lprun", "pdb", "debug", "snakeviz", "skip"})
"""Magics whose argument is a Python statement."""
PYTHON_CELLS = TIMED | {"capture", "px", "python", "python3", "pypy", "wandb", "heat", "scalene", "test", "ipytest"}
"""Cell magics whose cell is Python."""
_OPTIONS = re.compile(r"\A(?:-[a-zA-Z]+(?:\s*\d+)?\s+|-[fmTs]\s+\S+\s+)*")
_NAMED = re.compile(r"%{1,2}\s*([\w.]+)\s*")


def cell_magic(cell: str) -> str:
    """%%bash -s x⏎… -> bash, "" for a cell without one."""
    start = cell.lstrip()
    named = _NAMED.match(start) if start.startswith("%%") else None
    return named[1] if named else ""


def without_magics(cell: str) -> str:
    """The Python of a cell; the same text where there is no magic."""
    if "%" not in cell and "!" not in cell and "?" not in cell:
        return cell
    magic = cell_magic(cell)
    if magic and magic not in PYTHON_CELLS:
        return "\n".join(f"# {line}" for line in cell.splitlines())
    parts: list[str] = []
    for kind, piece in scan(cell):
        parts.append(_replaced(piece, "".join(parts[-2:])) if kind == "magic" else piece)
    return "".join(parts)


def _replaced(magic: str, before: str) -> str:
    if before.rstrip(" \t").endswith("="):
        return f"None  # {magic}"
    named = None if magic.startswith("%%") else _NAMED.match(magic)
    if named and named[1] in TIMED:
        return _OPTIONS.sub("", magic[named.end() :], count=1) or f"# {magic}"
    return f"pass  # {magic}" if before[-1:] in (" ", "\t") else f"# {magic}"
