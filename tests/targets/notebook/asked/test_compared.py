"""Cells really run in the sandbox beside the right one; what is known is not run again."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.core.types import Sandbox
from sayso.targets.notebook.asked.compared import Compared, Comparing
from sayso.targets.notebook.asked.tried import packages_of
from sayso.targets.notebook.asked.written import Ask, Setting

ASKS = (Ask(("how many",), "len(jars)"), Ask(("twice",), "def twice(x):\n    return 2 * x", 1))
SETTING = Setting("w1:0", "", ("jars = [1, 2]",), ASKS)
CELLS = ("n = len(jars)\nn", "3", "jars.append(3)\n2", "1 / 0", "import os\nos._exit(0)", "print(2)")


@pytest.mark.sandbox
def test_cells_are_right_where_they_do_what_the_right_one_does(sandbox: Sandbox, tmp_path: Path) -> None:
    """`sandbox` is asked for to skip where there is none; packages are none, the cells need none."""
    (tmp_path / "none").mkdir()
    known = tmp_path / "known.json"
    asked = [Compared(SETTING, 0, "how many", CELLS), Compared(SETTING, 1, "twice", ("x = 1",))]
    found, function = Comparing(packages_of(tmp_path / "none"), tmp_path, known).verdicts(asked)
    assert found.right == [True, False, False, False, False, True]
    assert found.problems[2].startswith("it changes ['jars']") and found.problems[3].startswith("ZeroDivisionError")
    assert function.unscored == "there is nothing to compare"
    again = Comparing(packages_of(tmp_path / "missing"), tmp_path, known).verdicts(asked)
    assert again == [found, function]
