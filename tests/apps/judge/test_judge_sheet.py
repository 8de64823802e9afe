"""Judging on a sheet: blind, one row a candidate, kept whole or not at all, and a third judge for what is open."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sayso.apps.cli.main import main
from sayso.apps.judge.desk import Desk
from sayso.apps.judge.items import Item, Option
from sayso.apps.judge.sheet import OPINIONS, read_sheet, take, write_sheet
from sayso.apps.judge.store import Store
from sayso.core.errors import BadFile, UserError


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, dialect="excel-tab"))


def filled(path: Path, verdict: str) -> Path:
    """The sheet with one verdict everywhere, and only the columns that are needed."""
    out = path.with_suffix(".out.tsv")
    lines = ["row\tverdict", *(f"{row['row']}\t{verdict}" for row in rows_of(path))]
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return out


def test_a_sheet_names_no_system_and_holds_every_candidate_once(tmp_path: Path, verdicts: list[Item]) -> None:
    with Store(tmp_path) as store:
        desk = Desk(store, verdicts)
        assert write_sheet(desk.board, "ada", desk.active, 0, tmp_path / "a.tsv") == 4
    text = (tmp_path / "a.tsv").read_text()
    assert "secret" not in text
    assert sorted((row["request"], row["candidate"]) for row in rows_of(tmp_path / "a.tsv")) == sorted(
        (item.text, option.text) for item in verdicts for option in item.options
    )
    assert all(row["verdict"] == "" for row in rows_of(tmp_path / "a.tsv"))


def test_a_third_judge_gets_what_two_differ_on(tmp_path: Path, verdicts: list[Item]) -> None:
    with Store(tmp_path) as store:
        desk = Desk(store, verdicts)
        for name in ("ada", "ben"):
            write_sheet(desk.board, name, desk.active, 0, tmp_path / f"{name}.tsv")
        given = read_sheet(filled(tmp_path / "ada.tsv", "y"))
        take(desk, "ada", given)
        differing = next(iter(given))
        take(desk, "ben", {**given, differing: "n"})
        assert write_sheet(desk.board, "ben", desk.active, 0, tmp_path / "again.tsv") == 0, "nobody is asked twice"
        assert write_sheet(desk.board, "cy", desk.active, 0, tmp_path / "cy.tsv") == 1
        assert [row["row"] for row in rows_of(tmp_path / "cy.tsv")] == [differing]
        take(desk, "cy", {differing: "s"})
        item, _, number = differing.rpartition("#")
        text = desk.board.items[item].options[int(number) - 1].text
        decided = desk.board.majority(item)
        assert (decided["command", text], decided["template", text]) == ("n", "y")
        assert sum(value == "y" for value in decided.values()) == 3


def test_what_a_sheet_says_is_kept_whole_or_not_at_all(tmp_path: Path, verdicts: list[Item]) -> None:
    with Store(tmp_path) as store:
        desk = Desk(store, verdicts)
        with pytest.raises(UserError, match="no row"):
            take(desk, "ada", {"one#1": "y", "one#9": "y"})
        assert desk.board.votes("one") == {}
        take(desk, "ada", {"one#1": "y"})
        before = desk.board.last
        take(desk, "ada", {"one#1": "y"})
        assert desk.board.last == before, "the same sheet twice says nothing new"
        take(desk, "ada", {"one#2": "n"})
        assert len(desk.board.votes("one")) == 4, "a second sheet adds to the first"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("row\tverdict\none#1\tmaybe\n", '"maybe" under verdict'),
        ("row\tverdict\none#1\ty\none#1\tn\n", "stands there twice"),
        ("name\tverdict\none#1\ty\n", "no columns row and verdict"),
    ],
)
def test_a_bad_sheet_is_refused_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text(text)
    with pytest.raises(BadFile, match=said):
        read_sheet(path)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip), min_size=1,
             max_size=4, unique=True),
    st.lists(st.sampled_from(sorted(OPINIONS)), min_size=4, max_size=4),
)  # fmt: skip
@example(["a\rb"], ["n", "n", "n", "n"])
def test_any_candidate_comes_back_with_its_verdict(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], said: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("sheet")
    item = Item("verdicts", "x", "ask", tuple(Option(text) for text in texts))
    with Store(folder) as store:
        desk = Desk(store, [item])
        write_sheet(desk.board, "ada", ["x"], 3, folder / "a.tsv")
        rows = [row["row"] for row in rows_of(folder / "a.tsv")]
        assert len(rows) == len(texts)
        verdicts = {f"x#{n}": said[n - 1] for n in range(1, len(texts) + 1)}
        assert set(rows) == set(verdicts)
        take(desk, "ada", verdicts)
        votes = desk.board.votes("x")
        for text, verdict in zip(texts, said, strict=False):
            assert (votes["command", text]["ada"] == "y", votes["template", text]["ada"] == "y") == OPINIONS[verdict]


def test_the_command_writes_and_reads_a_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    items, sheet = tmp_path / "items.jsonl", tmp_path / "a.tsv"
    items.write_text('{"id": "i", "request": "list files", "candidates": ["ls", "rm -r ."]}\n')
    base = ["judge", "bash/command", "--store", str(tmp_path / "store")]
    assert main([*base, "--items", str(items), "--sheet", str(sheet)]) == 2, "a sheet is somebody's"
    assert "--annotator" in capsys.readouterr().err
    assert main([*base, "--items", str(items), "--annotator", "ada", "--sheet", str(sheet)]) == 0
    assert main([*base, "--annotator", "ada", "--read-sheet", str(filled(sheet, "y"))]) == 0
    capsys.readouterr()
    assert main([*base, "--export", str(tmp_path / "out.csv"), "--json"]) == 0
    assert '"rows": 2' in capsys.readouterr().out
