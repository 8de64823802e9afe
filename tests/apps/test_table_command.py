"""`sayso table` from the outside."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from sayso.apps.cli.main import main
from sayso.runs.counted import Counted, keep
from sayso.runs.papers import PAPERS
from sayso.runs.papers.items import Shown
from sayso.runs.table_plots import error_of, panels


@pytest.fixture(autouse=True)
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing but a count that is kept: no corpus, no ledger, no checkout."""
    folder = tmp_path / "results"
    monkeypatch.setenv("SAYSO_RESULTS", str(folder))
    monkeypatch.setenv("SAYSO_DATA", str(tmp_path / "none"))
    monkeypatch.chdir(tmp_path)
    keep(Counted("okapi", {"table 3": {"a": {"ours": 5, "paper": 4}}}, {}, 0, "0" * 40, False, "2026-01-02T"), folder)
    return folder


def test_the_list_names_every_item_of_every_paper(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "--list", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["n"] == sum(map(len, PAPERS.values())) >= 55
    assert main(["table", "okapi", "--list"]) == 0
    assert "figure 10" in capfd.readouterr().out


def test_one_table_as_text_as_markdown_and_as_json(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "okapi", "3", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["tables"][0]["rows"]["a"] == {"ours": 5, "paper": 4, "deviation": 1}
    assert main(["table", "okapi", "3"]) == 0
    assert "deviation" in capfd.readouterr().out
    assert main(["table", "okapi", "3", "--markdown"]) == 0
    assert "| a | 5 | 4 | +1 |" in capfd.readouterr().out


def test_a_table_without_our_scores_says_where_they_are(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "okapi", "7"]) == 0
    assert "ask in a checkout of sayso" in capfd.readouterr().err
    assert main(["table", "okapi", "3"]) == 0
    assert "checkout" not in capfd.readouterr().err


@pytest.mark.parametrize("number", ["7", "8", "11", "figure 2"])
def test_without_the_corpus_a_table_says_how_to_get_it(number: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "nl2bash", *number.split()]) == 2
    assert "sayso data get nl2bash" in capfd.readouterr().err


def test_what_is_not_shown_says_why_and_what_is_not_there_what_there_is(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "okapi", "figure", "1"]) == 0
    assert "not shown: a drawing" in capfd.readouterr().out
    assert main(["table", "okapi", "99"]) == 2
    assert main(["table", "okpi", "3"]) == 2
    assert "okapi" in capfd.readouterr().err
    assert main(["table", "okapi"]) == 2


def test_a_table_is_drawn_and_the_same_numbers_make_the_same_bytes(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    for folder in ("a", "b"):
        assert main(["table", "okapi", "3", "--plot", folder]) == 0
        assert capfd.readouterr().err.count("drew ") == 2
    drawn = sorted(one.name for one in (tmp_path / "a").iterdir())
    assert drawn == ["okapi-table-3.png", "okapi-table-3.svg"]
    for name in drawn:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes() != b""
    assert main(["table", "okapi", "figure", "1", "--plot", "a"]) == 2
    assert "no numbers to draw" in capfd.readouterr().err


def test_rows_of_one_score_stand_in_one_panel() -> None:
    rows = {"a, bleu": {"ours": 1.0}, "b, bleu": {"ours": 2.0, "paper": 3}, "a, exact": {"paper": 0.1}, "b, exact": {}}
    found = panels(Shown("t", rows))
    assert {score: list(labels) for score, labels in found.items()} == {"bleu": ["a", "b"], "exact": ["a"]}
    assert list(panels(Shown("t", {"one, two": {"ours": 1}, "three": {"ours": "x"}}))[""]) == ["one, two"]


def test_counts_that_are_kept_anew_say_what_moved(
    results: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def count(ours: int, more: dict[str, int]) -> None:
        rows = {"a": {"ours": ours, "paper": 4}}
        stats = SimpleNamespace(
            corpus="okapi", tables={"table 3": rows}, figures={"figure 3": more}, dropped={}, grounds={}, constants=()
        )
        monkeypatch.setattr("sayso.targets.TARGETS", {"x": SimpleNamespace(corpora={"okapi": lambda *_: stats})})
        assert main(["stats", "okapi", "--keep", "--json"]) == 0

    count(5, {})
    assert "counted 2026-01-02 at 00000000: every count is as it was" in capfd.readouterr().err
    count(6, {f"word {n}": n for n in range(1, 21)})
    told = capfd.readouterr().err
    assert "table 3, a, ours: 6, was 5; figure 3, word 1: 1, was nothing" in told and "; 9 more" in told
    assert json.loads((results / "corpora" / "okapi.json").read_text())["tables"]["table 3"]["a"]["ours"] == 6


def test_a_bar_has_the_spread_that_its_row_shows() -> None:
    ends = error_of(0.5, "0.400–0.650") or []
    assert [round(length, 6) for [length] in ends] == [0.1, 0.15]
    assert error_of(0.5, "± 0.020 over 3 seeds") == [[0.02], [0.02]]
    assert error_of(0.5, "verdicts on 7 of 547") is None
