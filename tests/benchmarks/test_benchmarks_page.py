"""`python -m benchmarks --page`: what was measured is written as it comes."""

from __future__ import annotations

import importlib
import inspect
import sys
from pathlib import Path
from types import ModuleType

import pytest
from benchmarks.__main__ import BENCHMARKS, IN_ROUNDS, main
from benchmarks.progress import Made, begun, part_of

from benchmarks import Row
from sayso.core.errors import BadFile
from sayso.runs import provenance

MADE = Made("c0ffee", False, False, "auto")


def test_a_benchmark_that_breaks_costs_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, broken = ModuleType("benchmarks.whole"), ModuleType("benchmarks.broken")
    monkeypatch.setattr(whole, "run", lambda: [Row("pears", 3.0, "s", 1)], raising=False)
    monkeypatch.setitem(sys.modules, "benchmarks.whole", whole)
    monkeypatch.setitem(sys.modules, "benchmarks.broken", broken)
    monkeypatch.setattr("benchmarks.__main__.BENCHMARKS", ("broken", "whole"))
    assert main(["--page", str(tmp_path / "page.md")]) == 1
    page = (tmp_path / "page.md").read_text("utf-8")
    assert "pears" in page and "broken failed: " in page


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often each of two benchmarks ran; the second breaks the first time."""
    runs = {"pears": 0, "plums": 0}

    def module(name: str) -> ModuleType:
        def run() -> list[Row]:
            runs[name] += 1
            if name == "plums" and runs[name] == 1:
                raise KeyboardInterrupt
            return [Row(name, float(runs[name]), "s", 1)]

        made = ModuleType(f"benchmarks.{name}")
        monkeypatch.setattr(made, "run", run, raising=False)
        return made

    for name in runs:
        monkeypatch.setitem(sys.modules, f"benchmarks.{name}", module(name))
    monkeypatch.setattr("benchmarks.__main__.BENCHMARKS", tuple(runs))
    monkeypatch.setattr(provenance, "commit", lambda: (MADE.commit, MADE.changed))
    return runs


def test_a_run_that_was_broken_off_goes_on_where_it_stopped(tmp_path: Path, counted: dict[str, int]) -> None:
    page = tmp_path / "page.md"
    with pytest.raises(KeyboardInterrupt):
        main(["--page", str(page)])
    assert "Not measured yet: plums." in page.read_text("utf-8") and [one.name for one in begun(page, MADE)] == [
        "pears"
    ]
    assert main(["--page", str(page)]) == 0
    text = page.read_text("utf-8")
    assert counted == {"pears": 1, "plums": 2} and "at c0ffee" in text and "Not measured" not in text
    assert not part_of(page).exists()
    assert main(["--page", str(page)]) == 0
    assert counted == {"pears": 2, "plums": 3}, "a page that was whole is made anew"


def test_nothing_of_other_code_or_of_fewer_rounds_stands_on_a_page(tmp_path: Path, counted: dict[str, int]) -> None:
    page = tmp_path / "page.md"
    with pytest.raises(KeyboardInterrupt):
        main(["--page", str(page)])
    for other in (
        Made("other", False, False, "auto"),
        Made("c0ffee", True, False, "auto"),
        Made("c0ffee", False, True, "auto"),
    ):
        assert begun(page, other) == []
    part_of(page).write_text("{}x")
    with pytest.raises(BadFile, match="no part of a page"):
        begun(page, MADE)


@pytest.mark.torch
def test_what_can_do_with_fewer_rounds_says_how_many() -> None:
    for name in IN_ROUNDS:
        module = importlib.import_module(f"benchmarks.{name}")
        assert name in BENCHMARKS and module.FEWEST > 0 and len(inspect.signature(module.run).parameters) >= 1
