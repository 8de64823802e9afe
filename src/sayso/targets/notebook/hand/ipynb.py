"""A cell spliced into the JSON of a notebook, written as the cells around it are: indentation, keys, ids, letters."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sayso.core.errors import BadFile, UserError
from sayso.core.given import parse_json
from sayso.targets.notebook.corpus.notebook import Cell, notebook_of
from sayso.targets.notebook.hand.spliced import Spliced

BLANK = re.compile(r"[ \t\n\r]*")
ESCAPED = re.compile(r"\\u(?!00[0-7])[0-9a-fA-F]{4}")
"""A letter outside ASCII that the file spells out."""
FRESH: dict[str, Any] = {"cell_type": "code", "execution_count": None, "id": "", "metadata": {}, "outputs": []}
IDS_SINCE = 5
"""The minor version of nbformat 4 from which on a cell has an id."""
MARK = "\ufeff"
"""Some editors put it before the text."""


@dataclass(frozen=True)
class Places:
    """Where a list of cells stands: just behind its bracket, each cell's start and end, the closing bracket."""

    open: int
    spans: tuple[tuple[int, int], ...]
    close: int
    key: int
    """Where the key of the list begins."""
    colon: str
    """What stands between key and list."""


@dataclass(frozen=True)
class Layout:
    """White space as the file has it: before a cell, one step of indentation ("" on one line), after marks."""

    gap: str
    step: str
    comma: str
    colon: str


def read_notebook(text: str, name: str) -> tuple[tuple[Cell, ...], Callable[[int, str], Spliced]]:
    """The cells, and what puts one more among them; BadFile says what is wrong."""
    try:
        document = parse_json(text.removeprefix(MARK), unique=True)
    except ValueError as error:
        raise BadFile(f"{name}: not JSON: {error}", "open and save it in Jupyter, or restore it") from error
    notebook = notebook_of(document, "", name)
    if notebook.language not in ("", "python", "ipython"):
        raise BadFile(f"{name}: a notebook in {notebook.language[:40]}, not in Python", "only Python cells are written")

    def splice(at: int, code: str) -> Spliced:
        if notebook.format != 4:
            raise UserError(
                f"{name} is of nbformat {notebook.format}: a cell is put into nbformat 4 only",
                "open it in Jupyter and save it, which brings it to nbformat 4",
            )
        return put_in(text, document, at, code)

    return notebook.cells, splice


def put_in(text: str, document: Mapping[str, Any], at: int, code: str) -> Spliced:
    """A code cell before cell `at`, or after the last."""
    found = places_of(text)
    layout = layout_of(text, found)
    cell = made(document, at, code, text)
    written = json.dumps(
        cell,
        ensure_ascii=spells_out(text, code),
        indent=layout.step or None,
        separators=(layout.comma, layout.colon),
    ).replace("\n", layout.gap if layout.step else "\n")
    if not found.spans:
        blank = text[found.open : found.close]
        closing = layout.gap[: -len(layout.step)] if layout.step and "\n" not in blank else ""
        return Spliced(text[: found.open], layout.gap * bool(layout.step) + written + closing, text[found.open :])
    between = "," + (layout.gap if layout.step else layout.comma[1:])
    if at < len(found.spans):
        start = found.spans[at][0]
        return Spliced(text[:start], written + between, text[start:])
    end = found.spans[-1][1]
    return Spliced(text[:end], between + written, text[end:])


def places_of(text: str) -> Places:
    """Where the cells of a notebook lie in its text, which is known to be JSON."""
    decode = json.JSONDecoder().raw_decode
    at = skipped(text, len(MARK) if text.startswith(MARK) else 0) + 1
    while True:
        start = at = skipped(text, at)
        key, end = decode(text, at)
        at = skipped(text, skipped(text, end) + 1)
        if key == "cells":
            break
        _, at = decode(text, at)
        at = skipped(text, at) + 1
    colon, opened, at = text[end:at], at + 1, at + 1
    spans: list[tuple[int, int]] = []
    while text[at := skipped(text, at)] != "]":
        _, end = decode(text, at)
        spans.append((at, end))
        at = skipped(text, end)
        at += text[at] == ","
    return Places(opened, tuple(spans), at, start, colon)


def skipped(text: str, at: int) -> int:
    found = BLANK.match(text, at)
    return found.end() if found else at


def layout_of(text: str, found: Places) -> Layout:
    """From the first cell, or where there is none from the key of the list."""
    colon = ": " if "\n" in found.colon else found.colon
    if found.spans:
        gap = text[found.open : found.spans[0][0]]
        inner = text[found.spans[0][0] + 1 : skipped(text, found.spans[0][0] + 1)]
        # An empty object has no inside: its own indentation is two steps.
        step = (
            inner[len(gap) :] if inner.startswith(gap) and len(inner) > len(gap) else tail(gap)[: len(tail(gap)) // 2]
        )
    else:
        before = text[len(text[: found.key].rstrip()) : found.key]
        step = tail(before) if "\n" in before else ""
        gap = before + step
    newline = "\r\n" if "\r\n" in gap else "\n"
    if "\n" not in gap or not step.strip("\r\n"):
        comma = ", " if re.search(r'[\]}"\d], "', text[:4096]) else ","
        return Layout("", "", comma, colon)
    return Layout(newline + tail(gap), step, ",", colon)


def tail(gap: str) -> str:
    """What stands behind the last line end."""
    return gap.rpartition("\n")[2]


def made(document: Mapping[str, Any], at: int, code: str, text: str) -> dict[str, Any]:
    """A fresh code cell with the keys of the nearest one, in its order."""
    cells: Sequence[Mapping[str, Any]] = document["cells"]
    near = sorted(range(len(cells)), key=lambda place: abs(place - at + 0.5))
    model = next((cells[place] for place in near if cells[place]["cell_type"] == "code"), {})
    any_cell = model or next((cells[place] for place in near), {})
    as_lines = not isinstance(any_cell.get("source", []), str)
    cell = {**FRESH, "source": code.splitlines(keepends=True) if as_lines else code}
    minor = document.get("nbformat_minor", 0)
    if (isinstance(minor, int) and minor >= IDS_SINCE) or "id" in any_cell:
        cell["id"] = fresh_id({str(one.get("id", "")) for one in cells}, f"{at}\0{code}\0{text}")
    else:
        del cell["id"]
    order = [key for key in model if key in cell]
    return {key: cell[key] for key in (*order, *(key for key in cell if key not in order))}


def fresh_id(known: set[str], seed: str) -> str:
    """Eight hexadecimal digits, as Jupyter's; the same for the same cell at the same place."""
    digest = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()
    while digest[:8] in known:
        digest = hashlib.sha256(digest.encode()).hexdigest()
    return digest[:8]


def spells_out(text: str, code: str) -> bool:
    """Whether letters outside ASCII are written as escapes: as the file does, and where they have no UTF-8."""
    lone = any(0xD800 <= ord(one) <= 0xDFFF for one in code)
    return lone or (text.isascii() and ESCAPED.search(text) is not None)
