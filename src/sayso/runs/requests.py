"""Requests as lines, `{"id", "text", "context": [{"kind", "text", "name"}]?}`: what `translate` reads."""

from __future__ import annotations

import json
from typing import Any

from sayso.core.errors import BadFile
from sayso.core.types import Example, Piece, Request
from sayso.runs.lines import compact

KINDS = ("text", "code", "file", "names", "error")
SHAPE = (
    'a line is {"id": "…", "text": "…"}, with "context": [{"kind": "code", "text": "…", "name": "…"}] if there is any'
)


def request_line(name: str, request: Request) -> bytes:
    """One line, without its end."""
    row: dict[str, Any] = {"id": name, "text": request.text}
    if request.context:
        row["context"] = [{"kind": one.kind, "text": one.text, "name": one.name} for one in request.context]
    return compact(row)


def example_line(example: Example) -> bytes:
    """A request with what is asked for, in one shape for every task: columns of one type, none left out."""
    context = [{"kind": one.kind, "text": one.text, "name": one.name} for one in example.request.context]
    row = {"id": example.id, "text": example.request.text, "context": context}
    return compact({**row, "references": list(example.references), "meta": json.dumps(dict(example.meta))})


def parse_request(row: dict[str, Any], place: str) -> tuple[str, Request]:
    """The inverse of `request_line`; `place` names the line in the error."""
    name, text, context = row.get("id"), row.get("text"), row.get("context", [])
    if not isinstance(name, str):
        raise BadFile(f"{place}: no id that is text", SHAPE)
    if not isinstance(text, str):
        raise BadFile(f"{place}: no text", SHAPE)
    if not isinstance(context, list):
        raise BadFile(f"{place}: the context is not a list", SHAPE)
    return name, Request(text, tuple(parse_piece(one, place) for one in context))


def parse_piece(row: object, place: str) -> Piece:
    if isinstance(row, dict):
        kind, text, name = row.get("kind"), row.get("text"), row.get("name", "")
        if kind in KINDS and isinstance(text, str) and isinstance(name, str):
            return Piece(kind, text, name)
    raise BadFile(f"{place}: a piece of context is not a kind ({', '.join(KINDS)}) with a text", SHAPE)
