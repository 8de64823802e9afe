"""The menu under an answer, in a real terminal: what each key does, and what none of them does by default."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Open = Callable[..., Any]
MENU = r"^1/3 .*\[q\]uit  >$"


@pytest.fixture
def notes(terminal: Open, here: Path) -> Path:
    path = here / "notes.txt"
    path.write_text("first line\n")
    return path


def test_a_command_that_reads_is_run_by_enter_after_the_question(terminal: Open, notes: Path) -> None:
    screen = terminal()
    screen.wait("^ready>$")
    screen.enter('sayso "show notes.txt"; echo code $?')
    shown = screen.wait(MENU)
    assert "cat notes.txt\n# 1 of 3, 97 % sure, reads: from the request: FILE notes.txt" in shown
    screen.press("r")
    screen.wait(r"run it\? \[Y/n\]$")
    screen.press("Enter")
    assert "yes\nfirst line\ncode 0" in screen.wait("^code")


def test_a_command_that_destroys_is_not_run_by_enter(terminal: Open, notes: Path) -> None:
    screen = terminal()
    screen.enter('sayso "remove notes.txt"; echo code $?')
    screen.wait(r"\[q\]uit  >$")
    screen.press("r")
    screen.wait(r"it destroys \(rm\): run it\? \[y/N\]$")
    screen.press("Enter")
    screen.wait(r"no\n1/1")
    screen.press("q")
    screen.wait("^code 0")
    assert notes.exists()
    screen.enter('sayso "remove notes.txt"; echo then $?')
    screen.wait(r"code 0[\s\S]*\[q\]uit  >$")
    screen.press("r")
    screen.wait(r"\[y/N\]$")
    screen.press("y")
    screen.wait("^then 0")
    assert not notes.exists()


def test_the_exit_code_of_what_ran_is_passed_on(terminal: Open) -> None:
    screen = terminal()
    screen.enter("sayso fail; echo code $?")
    screen.wait(r"\[q\]uit  >$")
    screen.press("r")
    screen.wait(r"\[Y/n\]$")
    screen.press("y")
    screen.wait("^code 7")


def test_next_goes_round_and_a_digit_goes_there(terminal: Open, notes: Path) -> None:
    screen = terminal()
    screen.enter("sayso 'show notes.txt'")
    screen.wait(MENU)
    for place, command in ((2, "head -n 10 notes.txt"), (3, "tail notes.txt"), (1, "cat notes.txt")):
        screen.press("n")
        shown = screen.wait(rf"> n\n{command}\n# {place} of 3(.*\n)+^{place}/3 ")
        assert shown.rstrip().endswith(">")
    screen.press("3")
    screen.wait(r"^3/3 .*>$")
    screen.press("C-d")
    screen.wait("^ready>$")


def test_an_edited_line_is_rated_anew(terminal: Open, notes: Path) -> None:
    screen = terminal()
    screen.enter("sayso 'show notes.txt'; echo code $?")
    screen.wait(MENU)
    screen.press("e")
    screen.wait(r"^\$ cat notes.txt$")
    screen.press("C-a")
    screen.press("M-d")
    screen.type("rm")
    screen.press("Enter")
    screen.wait(r"^rm notes.txt\n# edited, (writes|destroys) \(rm\)[\s\S]*^1/3 edited ")
    screen.press("r")
    screen.wait(r"\[y/N\]$")
    screen.press("n")
    screen.wait(r"no\n1/3 edited")
    screen.press("q")
    screen.wait("^code 0")
    assert notes.exists()


def test_explain_says_what_each_word_does(terminal: Open) -> None:
    screen = terminal()
    screen.enter("sayso 'show notes.txt'")
    screen.wait(MENU)
    screen.press("x")
    assert "notes.txt  " in screen.wait(r"^risk: reads\n1/3")


def test_copy_asks_the_terminal_where_no_program_does_it(terminal: Open) -> None:
    screen = terminal()
    screen.enter("env -u TMUX sayso 'show notes.txt'")
    screen.wait(MENU)
    screen.press("c")
    screen.wait("copied by the terminal")
    assert screen.run("show-buffer") == "cat notes.txt"


def test_copy_in_tmux_fills_its_buffer(terminal: Open) -> None:
    screen = terminal()
    screen.enter("sayso 'show notes.txt'")
    screen.wait(MENU)
    screen.press("n")
    screen.wait("^2/3")
    screen.press("c")
    screen.wait("copied by tmux")
    assert screen.run("show-buffer") == "head -n 10 notes.txt"


@pytest.mark.parametrize(("key", "code"), [("C-c", 130), ("C-d", 0), ("q", 0)])
def test_leaving_runs_nothing_and_leaves_the_terminal_as_it_was(terminal: Open, key: str, code: int) -> None:
    screen = terminal()
    screen.enter("stty -g > before; sayso 'show notes.txt'; echo code $?; stty -g | cmp - before && echo same")
    screen.wait(MENU)
    screen.press(key)
    shown = screen.wait("^same")
    assert f"\ncode {code}\nsame" in shown and "Traceback" not in shown


def test_the_question_is_asked_again_after_a_pause(terminal: Open, notes: Path) -> None:
    screen = terminal()
    screen.enter("sayso 'show notes.txt'")
    screen.wait(MENU)
    screen.press("C-z")
    screen.wait(r"Stopped[\s\S]*^ready>$")
    screen.enter("fg")
    screen.wait(r"Stopped[\s\S]*^1/3 .*>$")
    screen.press("n")
    screen.wait(r"^2/3 .*>$")


def test_ctrl_c_goes_to_what_runs(terminal: Open) -> None:
    screen = terminal()
    screen.enter("sayso wait; echo code $?")
    screen.wait(r"\[q\]uit  >$")
    screen.press("r")
    screen.wait(r"\[Y/n\]$")
    screen.press("y")
    screen.wait("yes$")
    screen.press("C-c")
    screen.wait("code 130$")


def test_no_menu_in_a_pipe_with_json_or_when_told(terminal: Open) -> None:
    screen = terminal()
    screen.enter("sayso --no-menu 'show notes.txt'; sayso 'show notes.txt' | tail -n 1; echo done")
    shown = screen.wait("^done")
    assert "[q]uit" not in shown
    assert "97 % sure" in shown and "# reads\ndone" in shown
    screen.enter("clear; sayso --json 'show notes.txt'; echo done")
    assert "[q]uit" not in screen.wait(r"seconds[\s\S]*^done")


def test_run_asks_although_the_answer_goes_into_a_pipe(terminal: Open, notes: Path) -> None:
    screen = terminal()
    screen.enter("sayso --run 'show notes.txt' | tr a-z A-Z; echo done")
    screen.wait(r"run it\? \[Y/n\]$")
    screen.press("Enter")
    assert "FIRST LINE\ndone" in screen.wait("^done")


def test_in_the_background_there_is_no_menu(terminal: Open) -> None:
    screen = terminal()
    screen.enter("sayso 'show notes.txt' & wait; echo done")
    shown = screen.wait("^done")
    assert "tail notes.txt" in shown and "[q]uit" not in shown and "Stopped" not in shown


def test_an_abstention_has_no_menu(terminal: Open) -> None:
    screen = terminal()
    screen.enter("sayso nothing at all; echo code $?")
    assert "# I don't know.\n# The nearest requests that I know:\n#   list all files\ncode 0" in screen.wait("^code")


def test_a_narrow_terminal_gets_letters_and_folded_comments(terminal: Open) -> None:
    screen = terminal(columns=30)
    screen.enter("sayso 'show notes.txt'")
    shown = screen.wait(r"^1/3 r d e t x n c q \?>$")
    assert "\n# 1 of 3, 97 % sure, reads:\n# from the request: FILE\n# notes.txt\n" in shown


def test_colour_marks_words_and_no_color_marks_nothing(terminal: Open) -> None:
    screen = terminal()
    screen.enter("sayso --no-menu 'show notes.txt'; echo done")
    screen.wait("^done")
    shown = screen.run("capture-pane", "-p", "-e")
    assert "\x1b[1mcat \x1b[4mnotes.txt" in shown
    assert "\x1b[7m10" in shown
    screen.enter("clear; NO_COLOR=1 sayso --no-menu 'show notes.txt'; echo over")
    screen.wait("^over")
    assert "\x1b[" not in screen.run("capture-pane", "-p", "-e")
