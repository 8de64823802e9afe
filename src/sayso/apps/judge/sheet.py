"""Judging on a sheet instead of the page: tab-separated rows of one judge, blind as the page is, written and read back.

A row is one candidate. What others have decided already is not asked again, so a third judge gets what two differ on.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from sayso.apps.judge.board import Board
from sayso.apps.judge.desk import Desk
from sayso.apps.judge.items import Json
from sayso.core.errors import BadFile, UserError
from sayso.core.files import write_atomically
from sayso.core.given import LARGEST, read_up_to
from sayso.metrics.judged import defused

COLUMNS = ("row", "request", "candidate", "structure", "verdict")
OPINIONS: Mapping[str, tuple[bool, bool]] = {"y": (True, True), "s": (False, True), "n": (False, False)}
"""The page's keys -> is the command right, is its structure right."""


def write_sheet(board: Board, annotator: str, items: Sequence[str], seed: int, path: Path) -> int:
    """What this judge may still say something about, the verdicts left empty; returns how many rows."""
    order = list(items)
    random.Random(f"{seed}\0{annotator}").shuffle(order)
    rows = [row for item in order for row in _rows(board, annotator, item, seed)]
    buffer = io.StringIO(newline="")
    # Left alone, `csv` quotes a carriage return only where lines end in one.
    is_odd = any("\r" in cell for row in rows for cell in row)
    quoting: Literal[0, 1] = csv.QUOTE_ALL if is_odd else csv.QUOTE_MINIMAL
    writer = csv.writer(buffer, "excel-tab", lineterminator="\n", quoting=quoting)
    writer.writerow(COLUMNS)
    writer.writerows(rows)
    with write_atomically(path) as file:
        file.write(buffer.getvalue().encode())
    return len(rows)


def read_sheet(path: Path) -> dict[str, str]:
    """Row -> verdict, of the rows that have one; other columns are passed over."""
    try:
        with path.open("rb") as file:
            text = read_up_to(file, LARGEST, str(path)).decode()
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}", "check the path and its permissions") from error
    except UnicodeDecodeError as error:
        raise BadFile(f"{path} is not UTF-8 (byte {error.start})", "save it as UTF-8") from None
    reader = csv.DictReader(io.StringIO(text, newline=""), dialect="excel-tab")
    if not {"row", "verdict"} <= set(reader.fieldnames or ()):
        raise BadFile(f"{path} has no columns row and verdict", "give a sheet that `sayso judge --sheet` wrote")
    found: dict[str, str] = {}
    for line in reader:
        row, verdict = (line["row"] or "").strip(), (line["verdict"] or "").strip().lower()
        if not verdict:
            continue
        if verdict not in OPINIONS:
            raise BadFile(f'{path}:{reader.line_num}: "{verdict}" under verdict', "write y, s, n or nothing")
        if row in found:
            raise BadFile(f'{path}:{reader.line_num}: row "{row}" stands there twice', "keep one of the two")
        found[row] = verdict
    return found


def take(desk: Desk, annotator: str, sheet: Mapping[str, str]) -> int:
    """Keep what a sheet says, all of it or nothing; returns how many verdicts."""
    given: dict[str, list[Json]] = {}
    for row, verdict in sheet.items():
        item, _, number = row.rpartition("#")
        options = desk.board.items[item].options if item in desk.board.items else ()
        if not number.isdecimal() or not 0 < int(number) <= len(options):
            raise UserError(f'there is no row "{row}" in this annotation', "read it into the --store that wrote it")
        command, template = OPINIONS[verdict]
        said: Json = {"text": options[int(number) - 1].text, "command": command, "template": template}
        given.setdefault(item, []).append(said)
    desk.take(annotator, {item: {"verdicts": verdicts} for item, verdicts in given.items()})
    return len(sheet)


def _rows(board: Board, annotator: str, item_id: str, seed: int) -> Iterator[tuple[str, ...]]:
    item, decided, votes = board.items[item_id], board.majority(item_id), board.votes(item_id)
    options = list(enumerate(item.options, 1))
    random.Random(f"{seed}\0{item_id}\0{annotator}").shuffle(options)
    for number, option in options:
        unit = ("command", option.text), ("template", option.text)
        if annotator not in votes.get(unit[0], {}) and None in (decided.get(unit[0]), decided.get(unit[1])):
            yield f"{item_id}#{number}", *map(defused, (item.text, option.text, option.template)), ""
