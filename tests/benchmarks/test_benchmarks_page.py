"""`python -m benchmarks --page`: what was measured is written as it comes."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from benchmarks.__main__ import main

from benchmarks import Row


def test_a_benchmark_that_breaks_costs_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, broken = ModuleType("benchmarks.whole"), ModuleType("benchmarks.broken")
    monkeypatch.setattr(whole, "run", lambda: [Row("pears", 3.0, "s", 1)], raising=False)
    monkeypatch.setitem(sys.modules, "benchmarks.whole", whole)
    monkeypatch.setitem(sys.modules, "benchmarks.broken", broken)
    monkeypatch.setattr("benchmarks.__main__.BENCHMARKS", ("broken", "whole"))
    assert main(["--page", str(tmp_path / "page.md")]) == 1
    page = (tmp_path / "page.md").read_text("utf-8")
    assert "pears" in page and "broken failed: " in page
