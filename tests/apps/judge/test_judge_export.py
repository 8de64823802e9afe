"""The CSV shape that NL2Bash released, and JSONL."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from sayso.apps.judge.desk import Desk
from sayso.apps.judge.export import export, letter
from sayso.apps.judge.items import Item
from sayso.apps.judge.store import Store
from sayso.core.errors import UserError
from sayso.metrics.judged import read_verdicts


def answered(folder: Path, items: list[Item]) -> Desk:
    desk = Desk(Store(folder), items)
    for name, command, template in (("ada", True, True), ("ben", False, True), ("cy", False, True)):
        verdicts = [{"text": one.text, "command": command, "template": template} for one in items[0].options]
        desk.save(name, items[0].id, 1, {"verdicts": verdicts, "note": f"by {name}"}, False)
    desk.save(
        "ada",
        items[1].id,
        1,
        {"verdicts": [{"text": one.text, "command": False, "template": False} for one in items[1].options]},
        False,
    )
    desk.store.close()
    return desk


def test_csv_has_the_released_columns_and_names_no_system(tmp_path: Path, verdicts: list[Item]) -> None:
    path = tmp_path / "verdicts.csv"
    assert export(answered(tmp_path, verdicts).board, path) == 4
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    assert rows[0] == [
        "description", "prediction", "template", "correct template", "correct command",
        "correct template A", "correct command A", "correct template B", "correct command B",
        "correct template C", "correct command C",
    ]  # fmt: skip
    assert rows[1] == [
        "delete all empty folders under /srv/uploads", "find /srv/uploads -type d -empty -delete", "find",
        "y", "n", "y", "y", "y", "n", "y", "n",
    ]  # fmt: skip
    assert rows[3][3:] == ["", "", "n", "n", "", "", "", ""], "one judge of three decides nothing"
    assert "secret" not in path.read_text() and "ada" not in path.read_text()
    assert [row.correct_command for row in read_verdicts(path)] == [False, False, None, None]


def test_jsonl_keeps_everything(tmp_path: Path, verdicts: list[Item]) -> None:
    path = tmp_path / "all.jsonl"
    assert export(answered(tmp_path, verdicts).board, path) == 2
    first, second = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert [(a["annotator"], a["look"], a["note"]) for a in first["answers"]] == [
        ("ada", 1, "by ada"),
        ("ben", 1, "by ben"),
        ("cy", 1, "by cy"),
    ]
    assert {"measure": "template", "of": "rmdir /srv/uploads/*", "value": "y"} in first["majority"]
    assert first["candidates"][0]["systems"] == ["secret-alpha", "secret-beta"]
    assert all(entry["value"] is None for entry in second["majority"])


def test_there_must_be_something_and_a_known_ending(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        board = Desk(store, [Item("describe", "a", "ls")]).board
    for name, why in (("x.csv", "no verdicts"), ("x.jsonl", "nothing to export"), ("x.xls", "format")):
        with pytest.raises(UserError, match=why):
            export(board, tmp_path / name)
        assert not (tmp_path / name).exists()


def test_letters() -> None:
    assert [letter(n) for n in (0, 1, 25, 26, 27, 51, 52)] == ["A", "B", "Z", "AA", "AB", "AZ", "BA"]
