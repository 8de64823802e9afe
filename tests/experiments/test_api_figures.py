"""Figure 10: shares of train are told from the names of what was trained, and drawn from the file again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sayso.core.types import Example, Request
from sayso.experiments.api_figures import FIGURE, FILE, main, sizes_of
from sayso.experiments.api_tables import Answered

CALL = "GET message"
EXAMPLES = [Example("1", Request("mail"), (CALL,)), Example("2", Request("mail"), (CALL,))]


def answered(system: str, seed: int, right: int, task: str = "program-document", *, cut: bool = False) -> Answered:
    texts = [CALL] * right + ["GET event"] * (2 - right)
    return Answered(task, system, seed, "test", cut, EXAMPLES, texts)


def test_only_this_system_and_its_parts_are_taken() -> None:
    found = sizes_of(
        [
            answered("transformer-copy-scratch.part1000", 0, 2, "program-email"),
            answered("transformer-copy-scratch.part1000", 1, 1),
            answered("transformer-copy-scratch.part1000", 0, 2),
            answered("transformer-copy-scratch.part125", 0, 0),
            answered("transformer-copy-scratch", 0, 2),
            answered("transformer-copy-scratch.no-end", 0, 2),
            answered("transformer-copy-scratch.part125", 0, 0, cut=True),
            answered("t5-scratch", 0, 2),
        ]
    )
    assert found == {
        "program-document": {"test": {"125": [0.0], "1000": [1.0, 0.5]}},
        "program-email": {"test": {"1000": [1.0]}},
    }


def test_the_figure_is_drawn_from_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / FILE).write_text(json.dumps({"program-email": {"test": {"500": [0.4, 0.5], "1000": [0.5]}}}))
    assert main(["--to", str(tmp_path)]) == 0
    assert "program-email test 50 %: 45.0 ± 7.1 (2)" in capsys.readouterr().out
    assert (tmp_path / FIGURE).read_bytes().startswith(b"\x89PNG")


def test_nothing_to_draw_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--to", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("error: there is no ")
