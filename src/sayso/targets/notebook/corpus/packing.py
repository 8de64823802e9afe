"""Mined examples as they lie in a file: one notebook a line, its cells once, however many examples share them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sayso.core.types import Example, Piece, Request

Row = Mapping[str, Any]
"""repository, path; `cells`: [kind, text, place]; `examples`: what `mining.example_row` gives, with `meta`."""


def example_id(repository: str, path: str, cell: int) -> str:
    return f"{repository}:{path}:{cell}"


def examples_of(row: Row) -> Iterator[Example]:
    """The examples of one notebook, whose contexts share their pieces."""
    pieces = tuple(Piece(kind, text) for kind, text, _ in row["cells"])
    for one in row["examples"]:
        yield unpacked(row, one, pieces)


def unpacked(row: Row, one: Mapping[str, Any], pieces: tuple[Piece, ...]) -> Example:
    """The request is the cell directly above the target; its context the cells above that one, and given code."""
    above = one["above"]
    context = pieces[: above - 1]
    if one.get("boilerplate"):
        context = (*context, Piece("code", one["boilerplate"], "boilerplate"))
    cell = one["cell"]
    meta = {
        "runnable": one["runnable"],
        "repository": row["repository"],
        "notebook": row["path"],
        "cell": str(cell),
        "origin": one.get("origin", "train"),
        "variant": "paper",
        "assignment": one.get("assignment", f"{row['repository']}:{row['path']}"),
        "tokens": str(one["tokens"]),
    }
    meta.update(one.get("meta", {}))
    request = Request(pieces[above - 1].text, context)
    return Example(example_id(row["repository"], row["path"], cell), request, (one["reference"],), meta)
