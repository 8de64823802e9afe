"""The judge without verdicts: how pairs and mutants are counted."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def pairs(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The benchmark's module, which is no part of the package."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    return importlib.import_module("benchmarks.executed_pairs")


def test_pairs_and_mutants_are_counted_apart(pairs: Any) -> None:
    rows = [
        pairs.Row("q", "a", "b", "equal", True),
        pairs.Row("q", "a", "c", "equal", False),
        pairs.Row("q", "a", "d", "find -name: letters", False),
        pairs.Row("q", "a", "e", "find -type: dropped", True),
        pairs.Row("q", "a", "f", "stage head", False),
        pairs.Row("q", "b", "a", "equal", None, "needs a network"),
    ]
    found = pairs.figures(rows)
    assert (found["references"], found["scored"], found["unscored"]) == (2, 0.5, {"needs a network": 1})
    assert (found["pairs"], found["recall"], found["mutants"], found["precision"]) == (2, 0.5, 3, 0.5)
    assert found["told_apart"] == pytest.approx(2 / 3)
    assert found["told_apart_by_kind"] == {"dropped": [0.0, 1], "letters": [1.0, 1], "stage": [1.0, 1]}


def test_nothing_judged_is_no_error(pairs: Any) -> None:
    assert pairs.figures([])["recall"] == 0.0
