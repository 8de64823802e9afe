"""Requests as lines and back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import BadFile
from sayso.core.types import Piece, Request
from sayso.runs.requests import parse_request, request_line

pieces = st.builds(Piece, st.sampled_from(("text", "code", "file", "names", "error")), st.text(), st.text())
requests = st.builds(Request, st.text(), st.lists(pieces, max_size=3).map(tuple))


@given(st.text(), requests)
def test_what_is_exported_is_what_translate_reads(name: str, request: Request) -> None:
    assert parse_request(json.loads(request_line(name, request)), "line 1") == (name, request)


def test_context_is_left_out_where_there_is_none() -> None:
    assert json.loads(request_line("a", Request("list files"))) == {"id": "a", "text": "list files"}


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"text": "x"}, "no id"),
        ({"id": 7, "text": "x"}, "no id"),
        ({"id": "a"}, "no text"),
        ({"id": "a", "text": ["x"]}, "no text"),
        ({"id": "a", "text": "x", "context": "y"}, "context is not a list"),
        ({"id": "a", "text": "x", "context": [{"kind": "odd", "text": "y"}]}, "piece of context"),
        ({"id": "a", "text": "x", "context": ["y"]}, "piece of context"),
    ],
)
def test_a_bad_request_is_named(row: dict[str, Any], says: str) -> None:
    with pytest.raises(BadFile, match=f"f.jsonl:3: .*{says}"):
        parse_request(row, "f.jsonl:3")
