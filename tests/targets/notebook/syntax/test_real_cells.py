"""Cells of the real corpus's dev part: they come back to the character, and are read as who stored them read them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sayso.targets.notebook import language
from sayso.targets.notebook.corpus.stored import stored_rows
from sayso.targets.notebook.metrics.text import paper_tokens
from sayso.targets.notebook.syntax.calls import api_sequence
from sayso.targets.notebook.syntax.tokens import code_text, code_tokens

pytest.importorskip("zstandard")


@pytest.fixture(scope="module")
def rows(corpora: Path) -> list[dict[str, Any]]:
    return list(stored_rows(corpora, "dev"))


def test_every_cell_comes_back(rows: list[dict[str, Any]]) -> None:
    """As sub-tokens, which are tokens first."""
    for row in rows:
        cell = row["code_raw"]
        assert language.join(language.split(cell, "subtoken"), "subtoken") == cell


def test_the_plain_layout_of_every_target_is_its_tokens(rows: list[dict[str, Any]]) -> None:
    for row in rows[::3]:
        tokens = paper_tokens(row["code_raw"])
        assert code_tokens(code_text(tokens)) == tokens, row["path"]


def test_calls_are_those_that_were_read_from_the_tree(rows: list[dict[str, Any]]) -> None:
    """They were stored by others with the standard library's tree; a cell whose Python 2 they converted may differ."""
    same = sum(api_sequence(row["code_raw"]) == row["api"] for row in rows)
    assert same / len(rows) > 0.98


def test_no_cell_is_too_much(rows: list[dict[str, Any]]) -> None:
    """Risk, findings and notes of every tenth cell: nothing raises, and everything points into the text."""
    for row in rows[::10]:
        cell = row["code_raw"]
        language.risk(cell)
        places = [(one.start, one.end) for one in language.check(cell)]
        places += [(one.start, one.end) for one in language.explain(cell)]
        assert all(-1 <= start <= end <= len(cell) for start, end in places)
