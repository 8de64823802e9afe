"""`sayso history`: off unless turned on; what it lists, exports and deletes, in real processes."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sayso.apps import history_store
from sayso.apps.cli import bash
from sayso.apps.cli.choose import Choice

Run = Callable[..., "subprocess.CompletedProcess[str]"]
REQUEST = "find all python files"


@pytest.fixture
def talk(sayso: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("SAYSO_SESSION", "mine")
    return sayso


def state() -> Path:
    return Path(os.environ["XDG_STATE_HOME"]) / "sayso"


def test_by_default_no_request_leaves_a_trace_in_it(talk: Run) -> None:
    assert talk(REQUEST).returncode == 0
    assert talk("then", "count them").returncode == 0
    assert sorted(one.name for one in state().iterdir()) == ["last"]  # the last answer, and no history
    done = talk("history", "list")
    assert (done.stdout, done.stderr) == ("", "note: nothing is kept; `sayso history on` begins\n")
    assert talk("history", "keep").returncode == 2
    assert not (state() / "history.jsonl").exists()


def test_on_it_keeps_what_was_taken_and_answers_from_it(talk: Run, tmp_path: Path) -> None:
    done = talk("history", "on")
    assert done.returncode == 0 and done.stdout.startswith("history is on")
    assert talk(REQUEST, "-k", "1").returncode == 0
    assert not (state() / "history.jsonl").exists()  # an answer alone is nothing taken
    kept = talk("history", "keep", "find . -name '*.py' -not -path './.venv/*'")
    assert kept.returncode == 0 and stat.S_IMODE((state() / "history.jsonl").stat().st_mode) == 0o600
    shown = json.loads(talk(REQUEST, "--json").stdout)
    assert shown["candidates"][0]["text"] == "find . -name '*.py' -not -path './.venv/*'"
    assert shown["candidates"][0]["why"] == ["from your history"] and len(shown["candidates"]) > 1
    (entry,) = json.loads(talk("history", "list", "--json").stdout)["entries"]
    assert entry["request"] == REQUEST and entry["proposed"].startswith("find")
    assert talk("history", "export", str(tmp_path / "out.jsonl")).returncode == 0
    assert json.loads((tmp_path / "out.jsonl").read_text()) == entry
    assert json.loads(talk("history", "export", "-").stdout) == entry
    assert talk("history", "delete", entry["id"]).stdout == "deleted 1\n"
    assert json.loads(talk(REQUEST, "--json").stdout)["candidates"][0]["why"] != ["from your history"]


def test_off_it_answers_no_more_and_says_what_is_left(talk: Run) -> None:
    talk("history", "on")
    talk(REQUEST)
    talk("history", "keep", "echo mine")
    done = talk("history", "off")
    assert "1 entries are still in" in done.stdout and "history is off" in done.stdout
    assert json.loads(talk(REQUEST, "--json").stdout)["candidates"][0]["text"] != "echo mine"
    assert json.loads(talk("history", "delete", "--all", "--json").stdout) == {"deleted": 1}
    assert not (state() / "history.jsonl").exists()


@pytest.mark.parametrize(
    "arguments", [["delete"], ["delete", "x", "--all"], ["delete", "nowhere"], ["list", "-n", "-3"], []]
)
def test_wrong_use_says_what_to_type(talk: Run, arguments: list[str]) -> None:
    done = talk("history", *arguments)
    assert done.returncode == 2 and "hint: " in done.stderr


def test_a_command_that_could_not_be_started_is_not_kept() -> None:
    history_store.turn(True)
    for code in (127, 126, 1):
        bash.taken(Choice("do it", "frob", f"frob {code}", "run", code))
    assert [one.command for one in history_store.entries()] == ["frob 1"]
