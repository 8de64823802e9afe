"""The page on executed equivalence prints the figures that are kept in the results folder."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("split", ["dev", "test"])
def test_the_page_has_the_kept_figures(split: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    answer = json.loads((ROOT / "results" / "judges" / f"bash-executed.{split}.json").read_text(encoding="utf-8"))
    page = (ROOT / "docs" / "concepts" / "executed.md").read_text(encoding="utf-8")
    assert "\n".join(importlib.import_module("benchmarks.executed").markdown(answer)) in page
    scored = f"{100 * answer['scored']:.1f} % scored"
    assert f"{answer['rows']:,} rows, {answer['correct']} of them correct, {scored}" in page
    for reason, count in answer["unscored"].items():
        assert f"{reason} {count}" in page
