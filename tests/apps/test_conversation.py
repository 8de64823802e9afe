"""The last answer of a terminal: kept for its owner only, for some hours, and only where somebody sits."""

from __future__ import annotations

import json
import os
import stat
import time
from pathlib import Path

import pytest

from sayso.apps import conversation
from sayso.apps.conversation import Last


@pytest.fixture
def state() -> Path:
    return Path(os.environ["XDG_STATE_HOME"]) / "sayso" / "last"


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAYSO_SESSION", "one")


def test_what_was_kept_comes_back(state: Path) -> None:
    conversation.keep(Last("list files", "ls 'é'", ["ls -l"]))
    found = conversation.last()
    assert found and (found.request, found.command, found.before) == ("list files", "ls 'é'", ("ls -l",))
    assert [one.name for one in state.iterdir()] == ["one.json"]


def test_only_the_last_one_is_kept_and_only_its_owner_reads_it(state: Path) -> None:
    before = os.umask(0)
    try:
        conversation.keep(Last("a", "ls"))
        conversation.keep(Last("b", "pwd"))
    finally:
        os.umask(before)
    (file,) = state.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(state.stat().st_mode) == 0o700
    assert "ls" not in json.loads(file.read_text()).values()


def test_terminals_do_not_hear_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    conversation.keep(Last("a", "ls"))
    monkeypatch.setenv("SAYSO_SESSION", "two")
    assert conversation.last() is None


def test_an_old_answer_is_none_and_goes(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    conversation.keep(Last("a", "ls"))
    long_ago = time.time() - conversation.EXPIRES - 1
    os.utime(state / "one.json", (long_ago, long_ago))
    assert conversation.last() is None
    monkeypatch.setenv("SAYSO_SESSION", "two")
    conversation.keep(Last("b", "pwd"))
    assert [one.name for one in state.iterdir()] == ["two.json"]


def test_forgetting(state: Path) -> None:
    conversation.forget()
    conversation.keep(Last("a", "ls"))
    conversation.forget()
    assert conversation.last() is None and list(state.iterdir()) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"request": 1}', '{"request": "a", "command": "b", "before": 3}'])
def test_a_broken_file_is_no_answer(state: Path, text: str) -> None:
    state.mkdir(parents=True)
    (state / "one.json").write_text(text)
    assert conversation.last() is None


def test_a_link_is_not_written_through(state: Path, tmp_path: Path) -> None:
    state.mkdir(parents=True)
    (tmp_path / "target").write_text("mine")
    (state / "one.json").symlink_to(tmp_path / "target")
    conversation.keep(Last("a", "ls"))
    assert (tmp_path / "target").read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_no_failure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    conversation.keep(Last("a", "ls"))
    assert conversation.last() is None


def test_nothing_is_kept_where_nobody_sits(monkeypatch: pytest.MonkeyPatch, state: Path) -> None:
    monkeypatch.delenv("SAYSO_SESSION")
    assert conversation.session() == ""
    conversation.keep(Last("a", "ls"))
    assert not state.exists() and conversation.last() is None


def test_nothing_is_kept_where_the_setting_says_so(state: Path) -> None:
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "sayso" / "config.toml"
    config.parent.mkdir()
    config.write_text("keep_last = false\n")
    conversation.keep(Last("a", "ls"))
    assert not state.exists()


def test_a_name_cannot_leave_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAYSO_SESSION", "../../etc/x y")
    assert conversation.session() == "______etc_x_y"


def test_what_undo_goes_back_over_is_bounded() -> None:
    conversation.keep(Last("a", "ls", [str(n) for n in range(50)]))
    found = conversation.last()
    assert found and len(found.before) == conversation.MOST_BEFORE and found.before[-1] == "49"
