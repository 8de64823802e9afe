"""A file of cells, .ipynb or percent script: what stands above a place, and one more cell put there.

A cell is put in by adding characters at one place. Everything around them stays as it is, byte by byte.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from sayso.core.errors import BadFile, BadRequest, UserError
from sayso.core.types import Piece, Request
from sayso.targets.notebook.corpus.notebook import Cell
from sayso.targets.notebook.hand.ipynb import read_notebook
from sayso.targets.notebook.hand.percent import read_script
from sayso.targets.notebook.hand.spliced import Spliced
from sayso.targets.notebook.hand.tables_beside import tables_beside

LARGEST = 64 << 20
"""Bytes of a file; more than that is output."""


@dataclass(frozen=True)
class Document:
    """`cells` in their order; `splice` puts a code cell before the one with a number, or after the last."""

    name: str
    cells: tuple[Cell, ...]
    splice: Callable[[int, str], Spliced]

    def place(self, at: int | None) -> int:
        """How many cells stand above; all where nobody says. UserError where there are not so many."""
        if at is None:
            return len(self.cells)
        if not 0 <= at <= len(self.cells):
            count = len(self.cells)
            raise UserError(
                f"{self.name} has {count} cell{'s' * (count != 1)}: there is no place {at}",
                f"--at is a number from 0 (above all) to {count} (below all)",
            )
        return at

    def request(self, at: int, words: str, folder: Path | None = None) -> Request:
        """What is asked at a place: the words, or where there are none the text cell directly above.

        With the file's folder, the columns of tables there come first, as far as the cells name them.
        """
        pieces = shown(self.cells[:at])
        codes = [piece.text for piece in pieces if piece.kind == "code"]
        tables = tables_beside(codes, folder) if folder else ()
        if words:
            return Request(words, (*tables, *pieces))
        if not pieces or pieces[-1].kind != "text":
            raise BadRequest(
                f"nothing says what cell {at + 1} of {self.name} should do",
                "say it in quotes, or write it into a text cell directly above",
            )
        return Request(pieces[-1].text.strip(), (*tables, *pieces[:-1]))


def shown(cells: Sequence[Cell]) -> tuple[Piece, ...]:
    """Cells as context, as the corpus has it: text and code that is not blank."""
    return tuple(
        Piece("text" if cell.kind == "text" else "code", cell.text)
        for cell in cells
        if cell.kind != "raw" and cell.text.strip()
    )


def read_document(content: bytes, name: str) -> Document:
    """BadFile says in one line what is wrong with it; UserError where it is neither a notebook nor a script."""
    kind = PurePath(name).suffix.lower()
    if kind not in (".ipynb", ".py"):
        raise UserError(f"{name} is neither a notebook nor a Python script", "give a file that ends in .ipynb or .py")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadFile(f"{name}: not UTF-8 text (at byte {error.start})", "save it as UTF-8") from error
    cells, splice = read_notebook(text, name) if kind == ".ipynb" else read_script(text, name)
    return Document(name, cells, splice)
