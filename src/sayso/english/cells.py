"""A notebook as one row of ids: the tag, what farther cells import and define, cells, columns, what is asked, BOS.

A text cell is its mark and its ids; a code cell stands between BOS and EOS, whether it is read or asked for, so that a
notebook that grows keeps the beginning of its row. Columns that are known (`table_lines`) change with every cell and
stand therefore behind all of them. Code that was given in the asked cell stands after a mark before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from sayso.core.types import Piece, Request
from sayso.english.prompt import MARKS, TAGS
from sayso.english.tables import table_lines
from sayso.english.vocabulary import BOS, EOS

TAG, TEXT, GIVEN, TABLES = TAGS["notebook"], MARKS["text"], MARKS["code"], MARKS["file"]
BOILERPLATE = "boilerplate"
"""The name of a piece that stood in the asked cell."""
MOST = 768
"""Ids of a row up to the answer: trunks learn from windows of 1,024."""
HEAD, TAIL = 128, 256
"""Ids of a long text that are read: where it begins, and where it ends, which is mostly what is asked."""
LONGEST_CODE = 384
SUMMARY = 128
"""Ids of what farther cells import and define."""
COLUMNS = 160
"""Ids of the columns of tables."""
BLOCK = 256
"""Ids by which a row moves down a notebook that is too long for it: until then its beginning stays."""
LETTERS = 16
"""Characters to an id beyond which a cell is not looked at."""
LINE = re.compile(r"^(?:import|from|def|class|async def)\s.*$", re.M)


class Encoder(Protocol):
    def encode(self, text: str) -> list[int]: ...


@dataclass(frozen=True)
class Row:
    """All ids up to the first of the answer; `cells` is how many of the context are read."""

    ids: list[int]
    cells: int
    is_cut: bool
    """Whether what is asked, with what is given, is too long by itself."""


def text_ids(tokens: Encoder, text: str) -> list[int]:
    """A text cell: its mark, and both of its ends."""
    ids = tokens.encode(text[: LETTERS * 4 * LONGEST_CODE].strip())
    return [TEXT, *(ids if len(ids) <= HEAD + TAIL else ids[:HEAD] + ids[-TAIL:])]


def code_ids(tokens: Encoder, code: str) -> list[int]:
    """A code cell; EOS tells that it is whole."""
    ids = tokens.encode(code[: LETTERS * LONGEST_CODE].strip("\n"))
    return [BOS, *ids, EOS] if len(ids) <= LONGEST_CODE else [BOS, *ids[:LONGEST_CODE]]


def given_ids(tokens: Encoder, code: str) -> list[int]:
    """What stands in the asked cell already."""
    return [GIVEN, *tokens.encode(code[: LETTERS * LONGEST_CODE].strip("\n"))[:LONGEST_CODE]]


def tables_ids(tokens: Encoder, request: Request) -> list[int]:
    """The columns that are known, of the tables that matter most; [] where none is. What finds no room is left out."""
    kept: list[list[int]] = []
    room = COLUMNS - 1
    for line in table_lines(request):
        ids = tokens.encode(f"{line}\n")
        while len(ids) > room and ", " in line:
            line = line.rpartition(", ")[0]
            ids = tokens.encode(f"{line} …\n")
        if len(ids) > room:
            break
        kept.append(ids)
        room -= len(ids)
    # What matters most stands nearest to the request.
    return [TABLES, *(one for ids in reversed(kept) for one in ids)] if kept else []


def summary_ids(tokens: Encoder, codes: Iterable[str]) -> list[int]:
    """What cells that are not read import, and the first lines of what they define, once each: [] for nothing."""
    lines = dict.fromkeys(line.rstrip() for code in codes for line in LINE.findall(code))
    imports = [line for line in lines if line.startswith(("import", "from"))]
    others = [line for line in lines if not line.startswith(("import", "from"))]
    room = SUMMARY - 2
    kept: list[str] = []
    for line in [*imports, *reversed(others)]:
        needed = len(tokens.encode(line + "\n"))
        if needed <= room:
            kept.append(line)
            room -= needed
    return [BOS, *tokens.encode("\n".join(kept)), EOS] if kept else []


def first_cell(lengths: Sequence[int], room: int) -> int:
    """The first cell that is read where those from it on have `room`; moves on in blocks while a notebook grows.

    [300, 300, 300], 700 -> 1
    """
    total = sum(lengths)
    if total <= room:
        return 0
    dropped = -(-(total - room) // BLOCK) * BLOCK
    gone = 0
    for place, length in enumerate(lengths):
        if gone >= dropped:
            return place
        gone += length
    return len(lengths)


def read_row(tokens: Encoder, request: Request, most: int = MOST, tells_tables: bool = False) -> Row:
    """The row of a request in its notebook, which ends in BOS; of what is asked, the last ids are kept. Columns of
    tables are told to a trunk that has learnt to read them."""
    cells = [piece for piece in request.context if piece.name != BOILERPLATE and piece.kind in ("text", "code")]
    given = [piece.text for piece in request.context if piece.name == BOILERPLATE]
    tables = tables_ids(tokens, request) if tells_tables else []
    own = [*tables, *text_ids(tokens, request.text)]
    if given:
        own += given_ids(tokens, given[-1])
    is_cut = len(own) > most - 2
    own = own[-(most - 2) :] if is_cut else own
    room = most - 2 - len(own)
    read = [cell_ids(tokens, piece) for piece in cells]
    first = first_cell([*map(len, read)], room)
    if first:
        first = first_cell([*map(len, read)], max(0, room - SUMMARY))
    codes = (piece.text for piece in cells[:first] if piece.kind == "code")
    summary = summary_ids(tokens, codes) if first and room > SUMMARY else []
    shown = [one for ids in read[first:] for one in ids]
    return Row([TAG, *summary, *shown, *own, BOS], len(cells) - first, is_cut)


def cell_ids(tokens: Encoder, piece: Piece) -> list[int]:
    return text_ids(tokens, piece.text) if piece.kind == "text" else code_ids(tokens, piece.text)
