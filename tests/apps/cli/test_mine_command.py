"""`sayso data mine notebooks`: a user's folder becomes examples, broken notebooks are told, nothing else is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sayso.apps.cli.main import main


def notebook(request: str, code: str) -> str:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": request},
        {"cell_type": "code", "metadata": {}, "source": code, "outputs": [], "execution_count": None},
    ]
    return json.dumps(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "python3"}}, "cells": cells}
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "course"
    found.mkdir()
    (found / "sum.ipynb").write_text(notebook("Add the numbers.", "total = sum([1, 2])\nprint('total', total)"))
    (found / "again.ipynb").write_text(notebook("Add the numbers.", "total = sum([1, 2])\nprint('all', total)"))
    (found / "magic.ipynb").write_text(notebook("Show plots here.", "%matplotlib inline"))
    (found / "broken.ipynb").write_text("{")
    return found


def test_kept_dropped_and_broken_are_told(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "mined.jsonl"
    assert main(["data", "mine", "notebooks", str(folder), "--out", str(out), "--json"]) == 0
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert (found["kept"], found["notebooks"], found["out"]) == (1, 4, str(out))
    assert found["dropped"] == {"no code": 1, "same target and context": 1}
    assert found["dropped_notebooks"] == {"cannot be read": 1}
    assert len(found["broken"]) == 1 and "broken.ipynb: not JSON" in found["broken"][0]
    assert told.err.count("\n") == 1 and "broken.ipynb" in told.err
    (row,) = map(json.loads, out.read_text().splitlines())
    assert row["id"] == "course:again.ipynb:1"
    assert row["references"] == ["total = sum([1, 2])\nprint('jupyter_string', total)"]
    assert row["meta"]["runnable"].endswith("print('all', total)")
    assert [*tmp_path.glob("mined*")] == [out]


def test_without_a_file_it_only_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "mine", "notebooks", str(folder / "sum.ipynb")]) == 0
    told = capsys.readouterr().out
    assert "kept: 1" in told and "below Markdown" in told
    assert sorted(path.name for path in folder.iterdir()) == ["again.ipynb", "broken.ipynb", "magic.ipynb", "sum.ipynb"]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["notebooks", "nowhere"], "there is no nowhere"),
        (["notebook", "."], "unknown kind of files to mine"),
    ],
)
def test_what_cannot_be_mined_is_one_line(words: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "mine", *words]) == 2
    assert line in capsys.readouterr().err.splitlines()[0]


@pytest.mark.ray
@pytest.mark.slow
def test_a_cluster_mines_the_same(folder: Path, tmp_path: Path) -> None:
    """In a process of its own: Ray does not always start again where it ran before."""
    pytest.importorskip("ray", exc_type=ImportError)
    found = []
    for engine in ("serial", "ray"):
        out = tmp_path / f"{engine}.jsonl"
        words = ["data", "mine", "notebooks", str(folder), "--out", str(out), "--engine", engine, "--workers", "1"]
        asked = [sys.executable, "-c", "from sayso.apps.cli.main import run; run()", *words]
        done = subprocess.run(asked, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        found.append(out.read_bytes())
    assert found[0] == found[1] and found[0]
