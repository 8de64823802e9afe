"""How the executed judge is judged: the arithmetic, and that errors on test stay unread."""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def judging(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The benchmark's module, which is no part of the package."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    return importlib.import_module("benchmarks.executed")


@pytest.fixture
def row(judging: Any) -> Any:
    return judging.Judged("q", "p", correct=True, canonical=False, order_free=False, exact=False, executed=True)


def test_quality_counts_what_was_scored_and_all_that_is_correct(judging: Any, row: Any) -> None:
    # Scored: 3 right yes, 1 wrong yes, 1 right no, 3 wrong no; unscored: 1 right, 1 wrong.
    rows = [row] * 3 + [replace(row, correct=False), replace(row, executed=False)]
    rows += [replace(row, correct=False, executed=False)] * 3
    rows += [replace(row, executed=None), replace(row, correct=False, executed=None)]
    found = judging.quality(rows, "executed")
    assert (found.rows, found.precision, found.recall, found.recall_of_all) == (8, 0.75, 0.75, 0.6)
    assert found.f1 == pytest.approx(0.75) and found.auc == pytest.approx(0.75)


def test_a_judge_that_never_says_yes_has_no_precision_and_no_error(judging: Any, row: Any) -> None:
    assert judging.quality([replace(row, executed=False)], "executed").f1 == 0.0
    assert all(judging.quality([row], judge).rows == 1 for judge in judging.JUDGES)


def test_order_free_looks_at_tokens_of_the_canonical_form(judging: Any) -> None:
    assert judging.bag("grep -l x a b") == judging.bag("grep b -l x a")
    assert judging.bag("grep -l x a") != judging.bag("grep x a")


def test_errors_on_test_are_not_for_reading(judging: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for flag in ("--errors", "--rows"):
        with pytest.raises(SystemExit):
            judging.main(["--split", "test", flag, "x"])
        assert "leak" in capsys.readouterr().err


def test_what_is_judged_twice_must_have_the_same_verdict_for_the_same_reason(
    judging: Any, row: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    silent = replace(row, prediction="r", executed=None, reason="takes too long")
    first = [row, silent, replace(row, prediction="s")]
    second = [replace(row, prediction="s", executed=False), replace(silent, reason="needs a network"), row]
    assert [one.prediction for one, _ in judging.changed(first, second)] == ["r", "s"]
    passes = []

    def judge_all(*told: Any) -> list[Any]:
        passes.append(told[0].cache)
        return second if len(passes) > 1 else first

    monkeypatch.setattr(judging, "judge_all", judge_all)
    assert judging.main(["--twice", "--engine", "serial"]) == 0
    assert passes[0] != passes[1], "nothing is found again in a folder of the first pass"
    assert "the same verdict and reason twice: 1 of 3 rows" in capsys.readouterr().out
