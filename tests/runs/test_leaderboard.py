"""The static page of results: what stands on it, that nothing in it acts, and that it works in a real browser."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sayso.apps.cli.main import main
from sayso.core.types import Score, System
from sayso.runs.evaluate import evaluate
from sayso.runs.leaderboard import page, score_cell, standings
from sayso.runs.ledger import Entry, score_row

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from tests.runs.conftest import Toy


def entry(system: str, value: float, time: str = "2026-01-01T00:00:00", **other: object) -> Entry:
    score = Score("exact", value, 8, {"no verdict": 2}, "exact|v:1", max(value - 0.1, 0.0), min(value + 0.1, 1.0))
    known = {"kind": "eval", "task": "api/scan-length", "split": "test", "commit": "0123456789", **other}
    return Entry(system=system, scores=[score_row(score)], time=time, **known)  # type: ignore[arg-type]


ENTRIES = [entry("b-old", 0.3), entry("a", 0.1), entry("b-old", 0.5, "2026-02-01T00:00:00"), entry("c", 0.9)]


class Open(HTMLParser):
    """Elements that are never closed or closed without being open."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "input", "br"):
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag


def test_the_newest_scores_stand_best_first() -> None:
    found = standings(ENTRIES)
    assert [(one.system, one.scores[0].value) for one in found] == [("c", 0.9), ("b-old", 0.5), ("a", 0.1)]
    assert [one.test_runs for one in found] == [1, 2, 1]


def test_parts_of_a_split_and_trainings_are_no_standing() -> None:
    limited, training = entry("x", 1.0, settings={"limit": 3}), entry("y", 1.0, kind="train")
    assert standings([limited, training]) == []


def test_only_what_was_asked_for() -> None:
    assert standings(ENTRIES, ["api/free"]) == [] and standings(ENTRIES, splits=["dev"]) == []
    assert len(standings(ENTRIES, ["api/scan-length"], ["test"])) == 3


def test_the_page_is_whole_and_names_what_a_score_rests_on() -> None:
    text = page(standings(ENTRIES))
    parser = Open()
    parser.feed(text)
    assert parser.stack == []
    assert "n = 8; unscored: 2 no verdict; exact|v:1" in text and "n 8 of 10" in text
    assert not re.search(r'(src|href)="(?!#)', text), "it loads nothing"


def test_a_system_that_abstains_says_so_beside_its_name() -> None:
    text = page(standings(ENTRIES, abstained=lambda task, system, split: 0.3 if system == ENTRIES[0].system else 0.0))
    assert text.count("abstains on 30%") == len(
        {(one.task, one.split) for one in ENTRIES if one.system == ENTRIES[0].system}
    )


def test_what_to_beware_of_stands_above_the_table_and_cannot_act() -> None:
    text = page(standings(ENTRIES), {"api/scan-length": ["Intervals draw whole <calls>."], "api/free": ["not here"]})
    assert text.count("Intervals draw whole &lt;calls&gt;.") == 1 and "not here" not in text


def test_a_score_by_an_older_judge_says_so_beside_a_newer_one() -> None:
    old, new = (Score("executed@1", 0.5, 8, {}, f"executed|compare:v{version}|v:1") for version in (2, 5))
    rows = [replace(ENTRIES[1], scores=[score_row(old)]), replace(ENTRIES[3], scores=[score_row(new)], time="2026-03")]
    text = page(standings(rows))
    assert text.count("not comparable: compare:v2") == 1 and "not comparable: compare:v5" not in text


def test_a_column_says_that_it_ignores_case_and_all_right_is_no_proof_of_one() -> None:
    row = replace(ENTRIES[0], task="api/length-email", split="dev")
    kinds = {"exact": "match|k:1|canonical:api-folded|v:1", "exact_cased": "match|k:1|canonical:api|v:1"}
    scored = [score_row(Score(name, 1.0, 100, {}, kind, low=1.0, high=1.0)) for name, kind in kinds.items()]
    text = page(standings([replace(row, scores=scored)]))
    heads = re.findall(r"<th><button>(\w+)</button>(.*?)</th>", text)
    assert [name for name, told in heads if "case-insensitive" in told] == ["exact"]
    assert text.count("0.963 … 1.000") == 2  # Wilson: 100 / (100 + 1.96²)


def test_names_and_reasons_cannot_act() -> None:
    hostile = "<script>alert(1)</script>"
    text = page(standings([entry(hostile, 0.5, task='api/scan-length" onload="x')]))
    assert hostile not in text and 'onload="x' not in text
    cell = score_cell(Score("exact", 0.5, 1, {'"><b>': 1}, "<i>"))
    assert "<b>" not in cell and "<i>" not in cell


def test_a_score_over_nothing_is_a_dash() -> None:
    assert "–" in score_cell(Score("exact", float("nan"), 0, {}, "")) and "–" in score_cell(None)


def test_the_command_writes_it(
    toy: Toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SAYSO_RESULTS", str(tmp_path / "results"))
    assert main(["report", "--page", "board.html"]) == 2
    monkeypatch.setenv("SAYSO_RESULTS", str(toy.results.folder))
    monkeypatch.setattr("sayso.targets.TASKS", {toy.task.name: toy.task})
    evaluate(toy.subject("careful"), System(toy.reverser(wrong=3)), toy.workspace, toy.results, toy.settings)
    capsys.readouterr()
    assert main(["report", "--page", "board.html", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"page": "board.html", "tables": 1, "systems": 1}
    assert "careful" in Path("board.html").read_text("utf-8")


@pytest.mark.browser
def test_in_a_browser_it_sorts_and_filters(browser: Chrome, tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By

    path = tmp_path / "board.html"
    path.write_text(page(standings(ENTRIES)), "utf-8")
    browser.get(path.as_uri())

    def systems() -> list[str]:
        rows = browser.find_elements(By.CSS_SELECTOR, "tbody tr:not(.paper) th")
        return [row.text for row in rows if row.is_displayed()]

    assert systems() == ["c", "b-old", "a"]
    system, exact = browser.find_elements(By.CSS_SELECTOR, "thead button")[:2]
    system.click()
    assert systems() == ["a", "b-old", "c"]
    exact.click()
    assert systems() == ["c", "b-old", "a"]
    exact.click()
    assert systems() == ["a", "b-old", "c"]
    browser.find_element(By.ID, "filter").send_keys("b-")
    assert systems() == ["b-old"]
    browser.find_element(By.ID, "filter").send_keys("nothing")
    assert systems() == [] and browser.find_element(By.ID, "none").is_displayed()
    said = browser.get_log("browser")  # type: ignore[no-untyped-call]
    assert said == []
