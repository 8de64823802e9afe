"""In real terminals: the question back, follow-ups on what was answered there, and the hooks of `sayso fix`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Open = Callable[..., Any]
ANSWER = {
    "target": "bash",
    "request": "sort the files",
    "candidates": [
        {"text": "ls -t", "score": 0.7, "risk": "reads", "risky": [], "why": []},
        {"text": "ls -S", "score": 0.69, "risk": "reads", "risky": [], "why": []},
    ],
    "abstained": False,
    "question": {
        "text": "Newest first (-t), or largest first (-S)?",
        "choices": [{"label": "newest first (-t)", "text": "ls -t"}, {"label": "largest first (-S)", "text": "ls -S"}],
    },
}
SHOWING = """
import argparse, json, sys
from sayso.apps.cli import bash
answer = json.load(open(sys.argv[1]))
args = argparse.Namespace(json=False, fill=None, run=False, dry_run=False, yes=False, no_menu="quiet" in sys.argv)
bash.answered(answer)
sys.exit(bash.show(answer, args, "never", 0.0))
"""


@pytest.fixture
def showing(here: Path, tmp_path: Path) -> str:
    """A command that shows the answer with the question, as `sayso bash` does once it has it."""
    (tmp_path / "show.py").write_text(SHOWING)
    (tmp_path / "answer.json").write_text(json.dumps(ANSWER))
    return f"{sys.executable} {tmp_path / 'show.py'} {tmp_path / 'answer.json'}"


def last_of() -> list[str]:
    folder = Path(os.environ["XDG_STATE_HOME"]) / "sayso" / "last"
    return [json.loads(one.read_text())["command"] for one in folder.iterdir()]


def test_the_question_is_asked_once_and_its_answer_comes_first(terminal: Open, showing: str) -> None:
    screen = terminal()
    screen.wait("^ready>$")
    screen.enter(showing)
    shown = screen.wait(r"\[1\]  \[2\]  \[q\]uit  >$")
    assert "Which do you mean?\n  1  newest first (-t)\n  2  largest first (-S)\n" in shown and "[r]un" not in shown
    screen.press("2")
    shown = screen.wait(r"\[c\]opy  \[q\]uit  >$")
    assert shown.index("\nls -S\n") < shown.index("\nls -t\n") and shown.count("largest first (-S)") == 1
    assert last_of() == ["ls -S"]
    screen.press("q")


def test_enter_takes_the_better_reading(terminal: Open, showing: str) -> None:
    screen = terminal()
    screen.enter(showing)
    screen.wait(r"\[2\] .*>$")
    screen.press("Enter")
    shown = screen.wait(r"\[c\]opy  \[q\]uit  >$")
    assert shown.index("\nls -t\n") < shown.index("\nls -S\n")
    screen.press("q")


def test_q_leaves_at_the_question(terminal: Open, showing: str) -> None:
    screen = terminal()
    screen.enter(f"{showing}; echo code $?")
    screen.wait(r"\[2\] .*>$")
    screen.press("q")
    assert "[r]un" not in screen.wait("^code 0")


def test_what_is_unsure_is_one_key_away_and_nothing_barred_is(terminal: Open) -> None:
    screen = terminal()
    screen.enter("sayso 'nothing sure'; echo code $?")
    shown = screen.wait(r"\[u\]nsure: 2 commands that may fit  \[q\]uit  >$")
    assert "# I don't know." in shown and "wc -l" not in shown
    screen.press("u")
    shown = screen.wait(r"^1/2 .*\[q\]uit  >$")
    assert "wc -l notes.txt\n# 1 of 2, 31 % sure, reads" in shown and "rm -rf" not in shown
    screen.press("q")
    screen.wait("^code 0")
    screen.enter("clear; sayso 'nothing sure'; echo left $?")
    screen.wait(r"\[q\]uit  >$")
    screen.press("q")
    assert "wc -l" not in screen.wait("^left 0")


def test_no_question_in_a_pipe_or_without_the_menu(terminal: Open, showing: str) -> None:
    screen = terminal()
    screen.enter(f"{showing} | cat; echo piped")
    assert "?" not in screen.wait("^piped").partition("answer.json")[2]
    screen.enter(f"{showing} quiet; echo done")
    assert "Which do you mean" not in screen.wait("^done")


def test_each_terminal_has_a_conversation_of_its_own(terminal: Open) -> None:
    first, second = terminal(), terminal()
    first.enter('sayso --no-menu "show notes.txt"; echo asked')
    first.wait("^asked")
    second.enter('sayso then "with line numbers"; echo code $?')
    assert "this terminal has no last answer" in second.wait("^code 2")
    first.enter('sayso then --no-menu "with line numbers"; echo code $?')
    assert "\ncat -n notes.txt\n# reads: " in first.wait("^code 0")
    first.enter('sayso then --no-menu "undo that"; echo again $?')
    assert "\ncat notes.txt\n" in first.wait("^again 0").partition("cat -n")[2]


def test_history_keeps_what_the_menu_ran_only_once_it_is_on(terminal: Open, here: Path) -> None:
    (here / "notes.txt").write_text("first line\n")
    file = Path(os.environ["XDG_STATE_HOME"]) / "sayso" / "history.jsonl"
    screen = terminal()
    for turn, told in enumerate(("off", "on")):
        screen.enter(f"clear; sayso history {told} >/dev/null; sayso 'show notes.txt'; echo code $?")
        screen.wait(r"\[q\]uit  >$")
        screen.press("r")
        screen.wait(r"\[Y/n\]$")
        screen.press("Enter")
        screen.wait("^code 0")
        assert file.exists() == bool(turn)
    entry = json.loads(file.read_text())
    assert (entry["request"], entry["command"], entry["how"]) == ("show notes.txt", "cat notes.txt", "run")


def test_a_key_of_the_menu_asks_what_to_change(terminal: Open) -> None:
    screen = terminal()
    screen.enter("sayso 'show notes.txt'")
    screen.wait(r"\[t\]hen .*\[q\]uit  >$")
    screen.press("t")
    screen.wait("^then:$")
    screen.enter("with line numbers")
    assert "\ncat -n notes.txt\n" in screen.wait(r"^1/3 edited ")
    screen.press("t")
    screen.wait("^then:$")
    screen.enter("make it purple")
    screen.wait("^note: I do not know how to change it")
    screen.press("t")
    screen.wait("^then:$")
    screen.enter("undo that")
    screen.wait(r"\ncat notes.txt\n(?:#.*\n)+1/3 ")
    screen.press("t")
    screen.wait("^then:$")
    screen.enter("go into new")
    screen.wait(r"\ncat notes.txt && cd new\n(?:#.*\n)+1/3 edited ")
    screen.press("q")


HOOK = {
    "bash": "env PS1='ready> ' bash --norc --noprofile",
    "zsh": "env PS1='ready> ' zsh -f",
    "fish": "fish --no-config --init-command 'function fish_prompt; echo \"ready> \"; end'",
}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_fix_repairs_the_last_command(terminal: Open, shell: str, need: Callable[[str, str], None]) -> None:
    need(shell, f"apt install {shell}")
    screen = terminal(HOOK[shell])
    screen.wait("^ready>")
    source = "sayso fix --hook fish | source" if shell == "fish" else f'eval "$(sayso fix --hook {shell})"'
    screen.enter(source)
    screen.enter("echo first")
    screen.wait("^first")
    screen.enter("mkdri made")
    screen.wait("mkdri made[\\s\\S]*mkdri")
    screen.enter("fix")
    shown = screen.wait(r"^# writes \(mkdir\): mkdir, which is spelt almost like mkdri")
    assert "\nmkdir made\n" in shown


def test_bash_offers_the_repair_in_its_history_and_zsh_on_the_next_line(terminal: Open, here: Path) -> None:
    screen = terminal(HOOK["zsh"])
    screen.wait("^ready>")
    screen.enter('eval "$(sayso fix --hook zsh)"')
    screen.enter("mkdri made")
    screen.wait("not found")
    screen.enter("fix")
    screen.wait("^ready> mkdir made$")
    assert not (here / "made").exists()
    screen.press("Enter")
    screen.enter("echo $?done")
    screen.wait("^0done")
    assert (here / "made").is_dir()
    other = terminal(HOOK["bash"])
    other.wait("^ready>")
    other.enter('eval "$(sayso fix --hook bash)"')
    other.enter("rmdri made")
    other.wait("not found")
    other.enter("fix; echo code $?")
    other.wait("^code 0")
    other.press("Up")
    other.wait(r"^ready> rmdir made$")
    assert (here / "made").is_dir()


def test_zsh_gets_the_repair_as_it_was_written(terminal: Open) -> None:
    screen = terminal(HOOK["zsh"])
    screen.wait("^ready>")
    screen.enter('eval "$(sayso fix --hook zsh)"')
    screen.enter(r"prinft 'a\tb\n'")
    screen.wait("not found")
    screen.enter("fix")
    screen.wait(r"^ready> printf 'a\\tb\\n'$")
    screen.press("C-u")
    screen.enter("fix")  # not what the first one gave, and not itself
    screen.wait(r"^ready> fix\n(?:.*\n)+ready> fix\n(?:.*\n)+ready> printf 'a\\tb\\n'$")


KEYMAPS = [("bash", "set -o emacs"), ("bash", "set -o vi"), ("fish", "fish_default_key_bindings")]


@pytest.mark.parametrize(("shell", "mode"), KEYMAPS)
def test_a_key_puts_the_repair_on_the_line(
    terminal: Open, here: Path, shell: str, mode: str, need: Callable[[str, str], None]
) -> None:
    need(shell, f"apt install {shell}")
    screen = terminal(HOOK[shell])
    screen.wait("^ready>")
    screen.enter(f"sayso fix --hook {shell} > ../hook; source ../hook; {mode}; echo set up")
    screen.wait("^set up")
    screen.type("mkdri made")
    screen.press("C-x", "C-f")
    screen.wait("^ready> mkdir made$")
    assert list(here.iterdir()) == []
