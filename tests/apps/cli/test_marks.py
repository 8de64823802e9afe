"""A candidate as a terminal shows it: which words are marked, how the comment is folded, what colour never changes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.apps.cli import marks
from sayso.apps.cli.output import RED

ESCAPE = re.compile(r"\x1b\[[\d;]*m")


def candidate(text: str, risk: str = "reads", risky: tuple[str, ...] = (), why: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"text": text, "score": 0.5, "risk": risk, "risky": list(risky), "why": list(why)}


def marked(one: dict[str, Any], request: str) -> dict[str, str]:
    """Word of the command → the code of its mark."""
    text = one["text"]
    return {text[start:end]: code for start, end, code in marks.spans(one, request, text)}


def test_words_of_the_request_are_underlined_and_what_was_assumed_is_inverse() -> None:
    why = ("from the request: TIME 30d, EXT log", "assumed: FOLDER .")
    one = candidate("find . -name '*.log' -mtime +30 -delete", "destroys", ("-delete",), why)
    assert marked(one, "delete log files older than 30 days") == {
        "log": marks.UNDERLINED,
        "30": marks.UNDERLINED,
        ".": marks.INVERSE,
        "-delete": RED,
    }


def test_a_slot_that_the_user_must_fill_is_inverse() -> None:
    one = candidate("scp FILE HOST:", "writes", ("scp",), ("put in yourself: FILE, HOST",))
    assert {word for word, code in marked(one, "copy a file").items() if code == marks.INVERSE} == {"FILE", "HOST"}


def test_a_file_that_the_request_does_not_name_is_inverse() -> None:
    one = candidate("cat other.txt", why=("does not use notes.txt", "has other.txt, which the request does not name"))
    assert marked(one, "show notes.txt") == {"other.txt": marks.INVERSE}


def test_constants_are_found_without_a_reason_that_names_them() -> None:
    request = "find 'my file' and /var/log, backup2 in CamelCase or \"x y\" by *.py"
    assert marks.constants(request) == ["my file", "/var/log", "backup2", "CamelCase", "x y", "*.py"]
    assert marked(candidate("ls /var/log pypy"), "list /var/log with py") == {"/var/log": marks.UNDERLINED}


def test_a_command_that_reads_has_no_risky_words() -> None:
    assert marked(candidate("ls /var", "reads", ("/var",)), "list") == {}


@pytest.mark.parametrize(
    ("score", "words"), [(0.974, "97 % sure"), (1, "100 % sure"), (0.0, "0 % sure"), (-3.2, ""), (None, "")]
)
def test_a_score_that_is_no_probability_is_not_shown(score: object, words: str) -> None:
    assert marks.confidence(score) == words


@given(st.text(max_size=200), st.integers(min_value=1, max_value=60))
def test_folding_keeps_every_word_and_no_line_is_too_long(text: str, width: int) -> None:
    lines = marks.fold(text, width)
    assert all(len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(
    st.text(max_size=40),
    st.text(max_size=40),
    st.sampled_from(("reads", "writes", "destroys", "unknown")),
    st.lists(st.text(max_size=10), max_size=3),
    st.lists(st.text(max_size=30), max_size=3),
    st.integers(min_value=1, max_value=100),
)
def test_colour_adds_nothing_but_escapes(
    text: str, request: str, risk: str, risky: list[str], why: list[str], width: int
) -> None:
    one = candidate(text, risk, tuple(risky), tuple(why))
    plain = marks.candidate_lines(one, request, "1 of 2", False, width)
    coloured = marks.candidate_lines(one, request, "1 of 2", True, width)
    assert [ESCAPE.sub("", line) for line in coloured] == plain
    assert all(line.startswith("# ") and "\n" not in line for line in plain[1:])


def test_steps_stand_on_lines_of_their_own() -> None:
    one = {
        "text": "mkdir a && cd a",
        "score": 0.9,
        "risk": "writes",
        "risky": [],
        "why": ["step 1 of 2, make a folder a: mkdir a", "step 2 of 2, go into it: cd a"],
    }
    lines = marks.candidate_lines(one, "make a folder a and go into it", "", False, 80)
    assert lines[2:] == ["# step 1 of 2, make a folder a: mkdir a", "# step 2 of 2, go into it: cd a"]
