"""Windows of notebooks: what is learnt of each, and that every target is."""

from __future__ import annotations

import lzma
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sayso.english.vocabulary import BOS, EOS
from sayso.experiments.notebook_streams import StreamCell, exercises_of, is_held, stream, windows
from sayso.experiments.notebook_stubs import stub
from sayso.training.streams import (
    GIVEN,
    HALF,
    LEARNT,
    LENGTHS,
    READ,
    TAG,
    TEXT,
    WINDOW,
    batches,
    read_windows,
    rows_by_length,
    weights_of,
    without_given,
)

CODE = (
    "import csv\n\ndef total(path):\n    # adds up\n    rows = csv.reader(open(path))\n    return sum(map(len, rows))\n"
)
WINDOWS = [
    [TAG, TEXT, 50, GIVEN, 51, 52, LEARNT, 60, 61, EOS, TEXT, 53],
    [TAG, READ, 70, EOS, HALF, 71, EOS, TEXT, 54, LEARNT, 62],
]


class Letters:
    def encode(self, text: str) -> list[int]:
        return [100 + ord(one) for one in text]


def array(ids: list[int]) -> Any:
    return np.array(ids, np.uint16)


def test_only_code_to_be_said_weighs_something_its_end_too() -> None:
    first, second = (weights_of(array(one)).tolist() for one in WINDOWS)
    assert first == [0] * 7 + [1, 1, 1, 0, 0]
    assert second == pytest.approx([0] * 5 + [0.3, 0.3, 0, 0, 0, 1], abs=1e-3)


def test_what_is_given_can_be_left_out() -> None:
    left = without_given(array(WINDOWS[0]), random.Random(1), 1.0)
    assert left.tolist() == [TAG, TEXT, 50, LEARNT, 60, 61, EOS, TEXT, 53]


def test_windows_come_back_as_rows_in_which_code_begins_with_bos(tmp_path: Path) -> None:
    packed = lzma.compress(array([one for row in WINDOWS for one in row]).tobytes())
    (tmp_path / "w.xz").write_bytes(packed)
    found = read_windows(tmp_path / "w.xz")
    assert [one.tolist() for one in found] == WINDOWS
    rows = batches([rows_by_length(found[:1], 1, 0.0), rows_by_length(found[1:], 1, 0.0)], 2 * LENGTHS[0], seed=3)
    assert len(rows) == 1
    ids = sorted(rows[0].ids[:, :11].tolist())
    assert [row[1] for row in ids] == [BOS, TEXT] and rows[0].weights.sum() == pytest.approx(3 + 2 * 0.3 + 1, abs=0.01)


def test_every_target_is_learnt_once_with_cells_before_it() -> None:
    cells = [StreamCell([BOS, *([200 + n] * 150), EOS], f"x{n}", LEARNT) for n in range(20)]
    made = list(windows(cells, Letters()))
    assert all(row[0] == TAG and len(row) <= WINDOW for row in made) and len(made) > 2
    learnt = [row[place + 1] for row in made for place, one in enumerate(row) if one == LEARNT]
    assert learnt == [200 + n for n in range(20)]
    assert all(READ in row for row in made[1:])


def test_a_notebook_is_read_with_its_targets_as_they_run() -> None:
    row = {
        "cells": [["text", "Sum", 0], ["code", "a = 1", 1], ["text", "Show", 2], ["code", "# TODO", 3]],
        "examples": [{"above": 1, "cell": 1, "runnable": "a = 2"}],
    }
    found = stream(row, Letters(), random.Random(0), {1: "a ="})
    assert [cell.lead for cell in found] == [READ, LEARNT, READ, READ]
    assert found[1].code == "a = 2" and found[1].given == (GIVEN, *Letters().encode("a ="))


def test_exercises_of_one_repository_say_what_they_give() -> None:
    same = [["text", f"{n}. Step", 2 * n] for n in range(8)]
    given = [["code", "x = # complete", 2 * n + 1] for n in range(6)]
    solved = [["code", f"x = {n} + 1", 2 * n + 1] for n in range(6)]

    def row(path: str, codes: list[list[Any]]) -> dict[str, Any]:
        cells = sorted(same + codes, key=lambda cell: cell[2])
        return {"repository": "r/r", "path": path, "cells": cells, "examples": []}

    found = exercises_of([row("a.ipynb", given), row("a_solution.ipynb", solved)])
    assert found["r/r", "a_solution.ipynb"] == {2 * n + 1: "x = # complete" for n in range(6)}


def test_stubs_differ_from_the_cell_and_follow_from_the_seed() -> None:
    made = [stub(CODE, random.Random(seed)) for seed in range(60)]
    assert made == [stub(CODE, random.Random(seed)) for seed in range(60)]
    assert all(one.strip() != CODE.strip() for one in made) and len(set(made)) > 25
    assert sum("def total(path):" in one for one in made) > 20


def test_repositories_are_held_out_whole() -> None:
    names = [f"a/{n}" for n in range(400)]
    held = [name for name in names if is_held(name, 0.1)]
    assert 20 < len(held) < 60 and held == [name for name in names if is_held(name, 0.1)]
