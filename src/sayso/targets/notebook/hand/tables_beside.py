"""Tables that cells name and that lie beside their notebook: the names of their columns, never a value.

Of each file the first line alone is read, and told only where every part of it may be a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from sayso.core.given import open_plain
from sayso.core.types import Piece
from sayso.english.tables import header_line, tables_piece
from sayso.targets.notebook.hand.named_files import named

KINDS = (".csv", ".tsv", ".txt")
MOST = 12
LONGEST = 4096


def tables_beside(codes: Iterable[str], folder: Path) -> tuple[Piece, ...]:
    """One piece with a line a table, or none; only plain files in or below the folder."""
    found = tables_piece(header_line(name, line) for name, line in first_lines(codes, folder))
    return (found,) if found else ()


def first_lines(codes: Iterable[str], folder: Path) -> Iterator[tuple[str, str]]:
    names = dict.fromkeys(name for code in codes for name in named(code) if name.lower().endswith(KINDS))
    for name in [*names][-MOST:]:
        path = folder / name
        try:
            if not path.resolve().is_relative_to(folder.resolve()):
                continue
            with open_plain(path) as file:
                line = file.readline(LONGEST)
        except (OSError, ValueError, RuntimeError):  # of a name that no file can have, or a link to itself
            continue
        if line.endswith(b"\n"):
            yield name, line.decode("utf-8", "replace").rstrip("\r\n")
