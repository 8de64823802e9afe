"""Asked cells really run in the sandbox: what came of each, what lived then, and nothing is run twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.core.types import Sandbox
from sayso.targets.notebook.asked.tried import Tried, packages_of, try_anew
from sayso.targets.notebook.asked.written import Ask, Setting

ASKS = (
    Ask(("count",), "n = len(jars)\nn"),
    Ask(("twice that",), "n * 2", 1),
    Ask(("wrong",), "jars['x']"),
    Ask(("n alone",), "n"),
    Ask(("nothing",), "pass"),
    Ask(("gone",), "import os\nos._exit(0)"),
)
SETTING = Setting("w1:0", "secret = 1\nopen('jars.csv', 'w').write('jar,kg\\n')", ("jars = [1, 2]",), ASKS)
BROKEN = Setting("w1:1", "", ("1 / 0",), ASKS[:1])


@pytest.mark.sandbox
def test_each_ask_is_told_with_what_lived_when_it_was_asked(sandbox: Sandbox, tmp_path: Path) -> None:
    """`sandbox` is asked for to skip where there is none; packages are none, the cells need none."""
    known = tmp_path / "known.json"
    (tmp_path / "none").mkdir()
    packages = packages_of(tmp_path / "none")
    found, broken = try_anew([SETTING, BROKEN], packages, tmp_path, known)
    assert [one.status for one in found] == ["ran", "ran", "fails", "fails", "does nothing", "died"]
    assert found[0] == Tried("ran", "", ("jars: list [2]",), (("jars.csv", "jar,kg"),))
    assert found[1].names == ("jars: list [2]", "n: int")
    assert found[2].error.startswith("TypeError") and found[3].error.startswith("NameError")
    assert [one.status for one in broken] == ["above fails"] and "ZeroDivisionError" in broken[0].error
    assert try_anew([SETTING, BROKEN], packages_of(tmp_path / "missing"), tmp_path, known) == [found, broken]
