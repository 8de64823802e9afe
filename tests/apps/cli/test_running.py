"""`sayso --run`: what is asked first, what --yes answers and what it never does, in which shell, and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sayso.apps.cli import keyboard, running
from sayso.core.errors import BadRequest, MissingPart, UserError

Ask = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "notes.txt").write_text("first line\n")
    return tmp_path


@pytest.fixture
def ask(answers: Path, here: Path) -> Ask:
    """ask("show notes.txt", "--run"): with scripted answers, in a folder with one file, without a terminal."""

    def run(*words: str, **options: str) -> subprocess.CompletedProcess[str]:
        program = [str(answers / "sayso"), *words]
        environment = {**os.environ, "SHELL": "/bin/bash", **options}
        return subprocess.run(
            program, cwd=here, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
        )

    return run


def test_yes_runs_what_reads_and_stdout_is_the_commands_alone(ask: Ask) -> None:
    done = ask("--run", "--yes", "show notes.txt")
    assert (done.returncode, done.stdout) == (0, "first line\n")
    assert done.stderr.startswith("cat notes.txt\n# 97 % sure, reads")
    assert ask("--run", "--yes", "fail").returncode == 7


@pytest.mark.parametrize("options", [["--run"], ["--run", "--yes"]])
def test_what_destroys_is_never_run_unasked(ask: Ask, here: Path, options: list[str]) -> None:
    done = ask(*options, "remove notes.txt")
    assert (done.returncode, done.stdout) == (2, "")
    assert "sayso: there is no terminal to ask in before this runs (it destroys (rm))\n\nhint: " in done.stderr
    assert (here / "notes.txt").exists()
    assert ask("--run", "show notes.txt").returncode == 2


@pytest.mark.parametrize("options", [["--run"], ["--run", "--yes"], ["--run", "--yes", "--json"]])
def test_what_is_called_reads_and_is_not_on_the_list_is_not_run_unasked(ask: Ask, options: list[str]) -> None:
    done = ask(*options, "all notes")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no terminal to ask in before this runs (it has a pattern that may become a flag" in done.stderr
    assert "hint: read the command, then run it yourself" in done.stderr


@pytest.mark.parametrize(("text", "default"), [("cat notes.txt", True), ("cat *.txt", False), ("rm notes.txt", False)])
@pytest.mark.parametrize("yes", [False, True])
def test_enter_means_yes_only_for_what_is_on_the_list(
    monkeypatch: pytest.MonkeyPatch, text: str, default: bool, yes: bool
) -> None:
    asked: list[bool] = []

    def agrees(question: str, by_default: bool) -> bool:
        asked.append(by_default)
        return by_default

    monkeypatch.setattr(keyboard, "can_ask", lambda: True)
    monkeypatch.setattr(keyboard, "agrees", agrees)
    one = {"text": text, "risk": "destroys" if text.startswith("rm") else "reads", "risky": ["rm"], "why": []}
    assert running.may_run(one, yes) is default
    assert asked == ([] if yes and default else [default])


def test_a_label_from_elsewhere_does_not_open_the_list() -> None:
    one = {"text": "rm notes.txt", "risk": "reads", "risky": [], "why": []}
    assert running.asks(one, yes=True) and not running.asks({**one, "text": "cat notes.txt"}, yes=True)


def test_what_has_a_gap_in_it_is_not_run() -> None:
    one = {"text": "rm FILE", "risk": "destroys", "why": ['like "delete FILE"', "put in yourself: FILE"]}
    with pytest.raises(UserError, match="FILE stands for what the request did not say"):
        running.may_run(one)
    with pytest.raises(UserError, match="FILE"):
        running.may_run({**one, "text": "cat FILE", "risk": "reads"}, yes=True)


def test_json_holds_what_ran(ask: Ask) -> None:
    done = ask("--run", "--yes", "--json", "show notes.txt")
    answer = json.loads(done.stdout)
    assert answer["ran"] == {"exit_code": 0, "stdout": "first line\n", "stderr": ""}
    assert (done.returncode, list(answer)[:3]) == (0, ["target", "request", "candidates"])
    assert ask("--run", "--yes", "--json", "fail").returncode == 7


def test_an_abstention_runs_nothing(ask: Ask) -> None:
    done = ask("--run", "nothing")  # stdout is what the command prints, and there is none
    assert (done.returncode, done.stdout) == (0, "") and done.stderr.startswith("# I don't know.")
    done = ask("--dry-run", "nothing")
    assert done.returncode == 0 and done.stdout.startswith("# I don't know.")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--yes", "fail"], "--yes is for --run"),
        (["--run", "--dry-run", "fail"], "--dry-run: not allowed with argument --run"),
        (["--fill", "0", "fail"], "--fill: must be a whole number of 1 or more, not 0"),
    ],
)
def test_options_that_do_not_go_together(ask: Ask, words: list[str], says: str) -> None:
    done = ask("bash", *words)
    assert done.returncode == 2 and done.stderr.startswith(f"sayso: {says}")


def test_fill_asked_again_gives_a_guess_but_nothing_barred(ask: Ask) -> None:
    assert ask("--fill", "1", "nothing sure").stdout == "sayso: I don't know; press the key again for a guess\n"
    assert ask("--fill", "2", "nothing sure").stdout == "sayso: a guess, 31 % sure, reads\nwc -l notes.txt\n"
    assert ask("--fill", "3", "nothing sure").stdout == "sayso: a guess, 12 % sure, reads\nwc -w notes.txt\n"
    assert ask("--fill", "4", "nothing sure").stdout.endswith("wc -l notes.txt\n")


def test_fill_prints_what_to_know_then_the_command(ask: Ask) -> None:
    assert ask("--fill", "1", "show notes.txt").stdout == "sayso: 1 of 3, 97 % sure, reads\ncat notes.txt\n"
    assert ask("--fill", "5", "show notes.txt").stdout == "sayso: 2 of 3, 77 % sure, reads\nhead -n 10 notes.txt\n"
    assert ask("--fill", "1", "remove notes.txt").stdout == "sayso: 1 of 1, 97 % sure, destroys (rm)\nrm notes.txt\n"
    assert ask("--fill", "1", "nothing").stdout == "sayso: I don't know; a request that I know: list all files\n"
    assert ask("--fill", "1", "a\u200bb").stdout.startswith("sayso: the candidate holds characters")


@pytest.mark.parametrize(
    ("shell", "taken"),
    [("/bin/bash", "/bin/bash"), ("/usr/bin/zsh", "/usr/bin/zsh"), ("/usr/bin/fish", "bash"), ("", "bash")],
)
def test_the_users_shell_where_it_reads_bash(monkeypatch: pytest.MonkeyPatch, shell: str, taken: str) -> None:
    monkeypatch.setenv("SHELL", shell)
    assert running.shell() == taken


def test_a_command_killed_by_a_signal_ends_as_in_a_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/bin/bash")
    assert running.run_in_shell("kill -TERM $$") == 143


def test_a_shell_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/nowhere/bash")
    for run in (running.run_in_shell, running.run_captured):
        with pytest.raises(MissingPart, match="/nowhere/bash cannot be started"):
            run("ls")


def test_without_readline_the_editor_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    editor = tmp_path / "my editor"
    editor.write_text('#!/bin/sh\nsed -i s/cat/head/ "$2"; test "$1" = -w\n')
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", f"'{editor}' -w")
    assert keyboard.edit("cat a\ncat b") == "head a\nhead b"  # several lines
    monkeypatch.setitem(__import__("sys").modules, "readline", None)
    assert keyboard.edit("cat a") == "head a"
    for broken in ("/nowhere/editor", "'open"):
        monkeypatch.setenv("VISUAL", broken)
        with pytest.raises(MissingPart, match="cannot edit it"):
            keyboard.edit("cat a")


def test_a_line_that_is_no_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def typed(prompt: str) -> str:
        return b"ls \xff".decode()

    monkeypatch.setattr("builtins.input", typed)
    with pytest.raises(BadRequest, match="not UTF-8"):
        keyboard.read_line("$ ")
