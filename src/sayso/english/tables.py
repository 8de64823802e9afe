"""Tables that a request may speak of, a line each: what lives in a kernel, and what lies in files beside the notebook.

    trips: "rider" text, "km" float, "day" date
    trips.csv: "rider", "km", "day"

Columns stand in quotes as cells write them, so that a trunk can copy them letter by letter.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator

from sayso.core.types import Piece, Request

LIVE = re.compile(r"(\w+): \w*DataFrame .*?\[columns (.*?)( …)?\]")
NAME = re.compile(r"(?=.*[A-Za-z]|(?:19|20)\d\d$)[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\"]{1,60}")
"""What may be the name of a column: it has a letter, or is a year, and nothing in it ends or turns a line."""
KINDS = (
    (re.compile(r"u?int\d*", re.I), "int"),
    (re.compile(r"float\d*", re.I), "float"),
    (re.compile(r"datetime.*|period.*"), "date"),
    (re.compile(r"timedelta.*"), "span"),
    (re.compile(r"bool.*"), "bool"),
    (re.compile(r"category"), "category"),
    (re.compile(r"object|str|string.*"), "text"),
)


def table_lines(request: Request) -> list[str]:
    """Those that the request names first, then the latest; of files only those that no live table was read from."""
    live = [line for piece in request.context if piece.kind == "names" for line in live_lines(piece.text.splitlines())]
    lying = [line for piece in request.context if piece.kind == "tables" for line in piece.text.splitlines()]
    latest = (live or lying)[::-1]
    said = set(re.findall(r"\w+", request.text))
    return sorted(latest, key=lambda line: line.partition(":")[0].partition(".")[0] not in said)


def live_lines(lines: Iterable[str]) -> Iterator[str]:
    """trips: DataFrame [4, 2] [columns rider:object, km:float64] -> trips: "rider" text, "km" float"""
    for found in filter(None, map(LIVE.fullmatch, lines)):
        columns = (column.partition(":") for column in found[2].split(", ") if column)
        told = ", ".join(f'"{name}" {kind_of(dtype)}'.rstrip() for name, _, dtype in columns)
        yield f"{found[1]}: {told}{found[3] or ''}"


def kind_of(dtype: str) -> str:
    """float64 -> float; "" for what has no plain word."""
    return next((word for form, word in KINDS if form.fullmatch(dtype)), "")


def header_line(name: str, first: str) -> str:
    """trips.csv, rider;km -> trips.csv: "rider", "km"; "" where the line is no header.

    Only what reads as names is told: in a file without a header the first line is data.
    """
    mark = max(",;\t|", key=first.count)
    try:
        columns = next(csv.reader([first.removeprefix("\ufeff")], delimiter=mark), [])
    except csv.Error:  # a line within the line
        return ""
    names = [column for column in columns if NAME.fullmatch(column.strip(" \t"))]
    if not names or len(names) < len([column for column in columns if column.strip(" \t")]):
        return ""
    return f"{name}: " + ", ".join(f'"{column}"' for column in names)


def tables_piece(lines: Iterable[str]) -> Piece | None:
    text = "\n".join(line for line in lines if line)
    return Piece("tables", text) if text else None
