"""Columns that a request may speak of: lines of a live kernel, first lines of files, and where they stand in a row."""

from __future__ import annotations

import pytest

from sayso.core.types import Piece, Request
from sayso.english.cells import COLUMNS, TABLES, read_row, tables_ids
from sayso.english.tables import header_line, table_lines, tables_piece

NAMES = (
    "n: int\ntrips: DataFrame [4, 2] [columns rider:object, km:float64]\nbikes: DataFrame [2, 1] [columns kg:int64 …]"
)


class Letters:
    """An id a character."""

    def encode(self, text: str) -> list[int]:
        return [100 + ord(one) for one in text]


def said(ids: list[int]) -> str:
    return "".join("§" if one == TABLES else chr(one - 100) for one in ids)


def test_tables_of_a_kernel_are_told_with_kinds_the_named_one_first() -> None:
    request = Request("mean km of trips", (Piece("names", NAMES), Piece("tables", 'x.csv: "a"')))
    assert table_lines(request) == ['trips: "rider" text, "km" float', 'bikes: "kg" int …']
    assert table_lines(Request("mean", request.context))[0] == 'bikes: "kg" int …'


@pytest.mark.parametrize(
    ("first", "line"),
    [
        ("rider;km;Order Date", 't.csv: "rider", "km", "Order Date"'),
        ('\ufeff"last, first",km', 't.csv: "last, first", "km"'),
        ("name,2019,2020", 't.csv: "name", "2019", "2020"'),
        ("3.2,4.1", ""),
        ("ann,3.2", ""),
        ("", ""),
    ],
)
def test_a_first_line_is_told_only_where_all_of_it_may_be_names(first: str, line: str) -> None:
    assert header_line("t.csv", first) == line


def test_columns_stand_behind_the_cells_and_before_what_is_asked() -> None:
    cell, tables = Piece("code", "x = 1"), tables_piece(['t.csv: "km"', ""])
    assert tables is not None
    plain = read_row(Letters(), Request("ask", (cell,))).ids
    told = read_row(Letters(), Request("ask", (tables, cell)), tells_tables=True).ids
    assert read_row(Letters(), Request("ask", (tables, cell))).ids == plain  # a trunk that never learnt them
    own = tables_ids(Letters(), Request("ask", (tables, cell)))
    assert said(own) == '§t.csv: "km"\n'
    at = told.index(TABLES)
    assert told[:at] + told[at + len(own) :] == plain
    assert read_row(Letters(), Request("ask", (Piece("names", "n: int"), cell)), tells_tables=True).ids == plain


def test_columns_that_find_no_room_are_left_out() -> None:
    wide = tables_piece(["t.csv: " + ", ".join(f'"column {n}"' for n in range(40))])
    assert wide is not None
    ids = tables_ids(Letters(), Request("ask", (wide,)))
    assert len(ids) <= COLUMNS and said(ids).endswith('" …\n') and said(ids).startswith('§t.csv: "column 0", ')
    assert tables_piece(["", ""]) is None
