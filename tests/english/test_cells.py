"""A notebook as one row of ids: nearest cells whole, a beginning that stays, room for the answer."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sayso.core.types import Piece, Request
from sayso.english.cells import (
    BLOCK,
    BOILERPLATE,
    GIVEN,
    HEAD,
    TAG,
    TAIL,
    TEXT,
    first_cell,
    read_row,
    text_ids,
)
from sayso.english.vocabulary import BOS, EOS


class Letters:
    """An id a character."""

    def encode(self, text: str) -> list[int]:
        return [100 + ord(one) for one in text]


TOKENS = Letters()


def said(ids: list[int]) -> str:
    marks = {TAG: "¤", TEXT: "¶", GIVEN: "…", BOS: "[", EOS: "]"}
    return "".join(marks.get(one) or chr(one - 100) for one in ids)


def code(text: str) -> Piece:
    return Piece("code", text)


def test_cells_stand_in_order_and_what_is_given_stands_before_the_answer() -> None:
    context = (Piece("text", "Load it"), code("x = 1"), Piece("code", "y = ...", BOILERPLATE))
    row = read_row(TOKENS, Request("Double it", context))
    assert said(row.ids) == "¤¶Load it[x = 1]¶Double it…y = ...["
    assert (row.cells, row.is_cut) == (2, False)


def test_kinds_that_are_no_cells_are_passed_over() -> None:
    assert said(read_row(TOKENS, Request("a", (Piece("file", "b", "c.csv"),))).ids) == "¤¶a["


def test_of_a_long_notebook_the_nearest_cells_stay_whole_and_the_rest_is_told_by_its_first_lines() -> None:
    far = code("import os\nfrom math import pi\ndef area(r):\n    return pi * r")
    cells = (far, *(code(str(n) * 100) for n in range(9)))
    row = read_row(TOKENS, Request("ask", cells), most=600)
    text = said(row.ids)
    assert text.startswith("¤[import os\nfrom math import pi\ndef area(r):][")
    assert "return" not in text and text.endswith("[" + "8" * 100 + "]¶ask[")
    assert len(row.ids) <= 600 and row.cells < len(cells)


def test_what_is_asked_is_cut_at_its_beginning_where_it_is_longer_than_a_row() -> None:
    row = read_row(TOKENS, Request("ab" * 200 + "the end"), most=100)
    assert row.is_cut and len(row.ids) == 100 and said(row.ids).endswith("the end[")


def test_of_a_long_text_both_ends_are_read() -> None:
    ids = text_ids(TOKENS, "a" * 300 + "b" * 300)
    assert said(ids) == "¶" + "a" * HEAD + "b" * TAIL


@given(st.lists(st.integers(1, 120), min_size=1, max_size=25), st.integers(1, 700))
def test_cells_from_the_first_one_on_have_room_and_little_more_is_left_out(lengths: list[int], room: int) -> None:
    first = first_cell(lengths, room)
    assert sum(lengths[first:]) <= room
    assert first == 0 or sum(lengths[first - 1 :]) > room - BLOCK


@given(st.lists(st.text("ab\n", min_size=1, max_size=60), min_size=1, max_size=40))
def test_a_notebook_that_grows_mostly_keeps_the_beginning_of_its_row(texts: list[str]) -> None:
    rows = [read_row(TOKENS, Request("q", tuple(map(code, texts[:n])))).ids for n in range(len(texts) + 1)]
    assert all(len(row) <= 768 and row[0] == TAG and row[-1] == BOS for row in rows)
    moved = sum(later[: len(before) - 3] != before[:-3] for before, later in pairwise(rows))  # less ¶q[
    assert moved <= 1 + sum(len(one) + 2 for one in texts) // (BLOCK - 62)
