"""A notebook as it is mined: its cells, its language, and what its metadata says about grading.

Read from a line of the raw corpus, or from an .ipynb file of any nbformat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from sayso.core.errors import BadFile
from sayso.core.given import parse_json

CellKind = Literal["text", "code", "raw"]
KINDS: Mapping[str, CellKind] = {"markdown": "text", "code": "code", "raw": "raw"}
OLD_KINDS: Mapping[str, CellKind] = {**KINDS, "html": "text", "heading": "text"}
WHOLE = "save it again in Jupyter, or leave it out"


@dataclass(frozen=True)
class Cell:
    """One cell. `failed`: its stored output is an error; `executed`: it was run before it was stored."""

    kind: CellKind
    text: str
    executed: bool = False
    failed: bool = False
    nbgrader: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Notebook:
    """`language` and `kernel` are "" where the notebook names none."""

    repository: str
    path: str
    cells: tuple[Cell, ...]
    language: str = ""
    kernel: str = ""
    format: int = 4


def read_row(row: Mapping[str, Any]) -> Notebook:
    """A line of the raw corpus, parsed."""
    cells = tuple(
        Cell(
            KINDS[cell["type"]],
            cell["source"],
            bool(cell.get("executed")),
            bool(cell.get("error")),
            cell.get("nbgrader") or {},
            tuple(map(str, cell.get("tags") or ())),
        )
        for cell in row["cells"]
    )
    return Notebook(row["repo"], row["path"], cells, row.get("lang") or "", row.get("kernel") or "", row["nbformat"])


def read_ipynb(content: bytes, repository: str, path: str) -> Notebook:
    """An .ipynb file; BadFile says in one line what is wrong with it."""
    try:
        document = parse_json(content)
    except (ValueError, UnicodeDecodeError) as error:
        raise BadFile(f"{path}: not JSON: {error}", WHOLE) from error
    return notebook_of(document, repository, path)


def notebook_of(document: object, repository: str, path: str) -> Notebook:
    """The same of what its JSON says."""
    if not isinstance(document, dict):
        raise BadFile(f"{path}: not a notebook: its JSON is no object", WHOLE)
    version = document.get("nbformat")
    if not isinstance(version, int) or version < 1:
        raise BadFile(f"{path}: not a notebook: it names no nbformat", WHOLE)
    if version > 4:
        raise BadFile(f"{path}: nbformat {version} is newer than any that is read (1 to 4)", "save it as nbformat 4")
    try:
        cells = tuple(map(read_cell, cells_of(document, version)))
        language, kernel = language_of(document, version)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise BadFile(f"{path}: not a notebook of nbformat {version}: {error}", WHOLE) from error
    return Notebook(repository, path, cells, language, kernel, version)


def cells_of(document: Mapping[str, Any], version: int) -> list[dict[str, Any]]:
    """The cells in order; those of an old nbformat lie in worksheets."""
    if version == 3 or (version < 3 and "cells" not in document):
        return [cell for sheet in document["worksheets"] for cell in sheet["cells"]]
    if not isinstance(document["cells"], list):
        raise ValueError("its cells are no list")
    return list(document["cells"])


def read_cell(cell: Mapping[str, Any]) -> Cell:
    """A cell of any nbformat: 3 keeps code in `input` and headings as a kind of cell."""
    kind = OLD_KINDS.get(cell["cell_type"])
    if kind is None:
        shown = " ".join(str(cell["cell_type"])[:40].split())
        raise ValueError(f'a cell is of the unknown kind "{shown}"')
    text = joined(cell.get("source", cell.get("input", "")))
    if cell["cell_type"] == "heading":
        text = f"{'#' * int(cell.get('level', 1))} {text}"
    metadata = cell.get("metadata") or {}
    outputs = cell.get("outputs") or ()
    failed = any(output.get("output_type") in ("error", "pyerr") for output in outputs)
    executed = cell.get("execution_count", cell.get("prompt_number")) is not None
    graded, tags = metadata.get("nbgrader"), metadata.get("tags")
    return Cell(
        kind,
        text,
        executed,
        failed,
        graded if isinstance(graded, dict) else {},
        tuple(map(str, tags)) if isinstance(tags, list) else (),
    )


def joined(source: object) -> str:
    """Text is one string, or a list of lines with their ends."""
    if isinstance(source, str):
        return source
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    raise ValueError("the source of a cell is no text")


def language_of(document: Mapping[str, Any], version: int) -> tuple[str, str]:
    """(language, kernel), lower case; "" where none is named. Until nbformat 4 a code cell names its language."""
    metadata = document.get("metadata") or {}
    spec, info = metadata.get("kernelspec") or {}, metadata.get("language_info") or {}
    language = info.get("name") or spec.get("language") or ""
    if not language and version < 4:
        cells = cells_of(document, version)
        language = next((str(cell["language"]) for cell in cells if cell.get("language")), "")
    return str(language).lower(), str(spec.get("name") or "")
