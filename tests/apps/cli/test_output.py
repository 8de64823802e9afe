"""How an answer is printed: runnable lines, comments that stay comments, nothing that moves the cursor."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.apps.cli import output


def answer(*candidates: dict[str, Any], abstained: bool = False, nearest: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"candidates": list(candidates), "abstained": abstained, "nearest": list(nearest)}


def candidate(text: str, risk: str = "reads", risky: tuple[str, ...] = (), why: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"text": text, "score": 1.0, "risk": risk, "risky": list(risky), "why": list(why)}


def test_each_candidate_is_a_line_to_run_and_a_comment() -> None:
    shown = output.answer_lines(
        answer(
            candidate("ls", "reads", (".",), ("lists files", "known request")), candidate("rm x", "destroys", ("rm",))
        ),
        False,
    )
    assert shown == ["ls", "# reads: lists files; known request", "rm x", "# destroys (rm)"]


def test_i_dont_know_shows_the_nearest_requests_and_no_candidate() -> None:
    shown = output.answer_lines(answer(candidate("rm -rf /"), abstained=True, nearest=("list all files",)), False)
    assert shown == ["# I don't know.", "# The nearest requests that I know:", "#   list all files"]
    assert output.answer_lines(answer(abstained=True), False) == ["# I don't know."]


@pytest.mark.parametrize("risk", ["reads", "writes", "destroys", "unknown"])
def test_colour_adds_nothing_but_escapes(risk: str) -> None:
    shown = answer(candidate("ls", risk, ("a",), ("b",)))
    plain, painted = output.answer_lines(shown, False), output.answer_lines(shown, True)
    assert plain != painted
    stripped = "\n".join(painted)
    for code in ("0", output.BOLD, output.DIM, output.RED, output.GREEN, output.YELLOW):
        stripped = stripped.replace(f"\x1b[{code}m", "")
    assert stripped.split("\n") == plain


def test_characters_that_move_the_cursor_or_hide_text_are_spelt_out() -> None:
    assert output.visible("a\x1b[2J\u202eb\r\té") == "a\\x1b[2J\\u202eb\\r\té"


@given(st.lists(st.text(), max_size=3), st.text(), st.lists(st.text(), max_size=3))
def test_whatever_a_reason_holds_a_shell_sees_only_comments(why: list[str], risky: str, nearest: list[str]) -> None:
    lines = output.answer_lines(answer(candidate("true", "unknown", (risky,), tuple(why))), False)[1:]
    lines += output.answer_lines(answer(abstained=True, nearest=tuple(nearest)), False)
    assert all(line.startswith("#") for line in "\n".join(lines).split("\n"))


def test_an_answer_piped_to_a_shell_runs_the_candidate_alone() -> None:
    shown = "\n".join(output.answer_lines(answer(candidate("echo one", why=("it's\necho two",))), False))
    assert subprocess.run(["bash"], input=shown, capture_output=True, text=True).stdout == "one\n"


def test_a_note_moves_no_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    output.note("no dry run in /tmp/\x1b[2J\u202e")
    assert capsys.readouterr().err == "note: no dry run in /tmp/\\x1b[2J\\u202e\n"


@given(st.text())
def test_json_moves_no_cursor_and_reads_the_same(text: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        output.print_json({"text": f"é\x9b2J\u202e{text}"})
    line = printed.getvalue()
    assert line.startswith('{"text": "é') and line.endswith("\n") and line[:-1].isprintable()
    assert json.loads(line) == {"text": f"é\x9b2J\u202e{text}"}
