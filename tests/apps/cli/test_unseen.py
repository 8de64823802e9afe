"""What is shown is what runs: no character that looks like nothing, or like something else, is printed as it is."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.apps.cli import dry_run, marks, output, running
from sayso.apps.cli.choose import Menu
from sayso.core.errors import UserError
from sayso.core.types import Outcome

HIDDEN_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"}
# Letters, symbols and marks by their category, and nothing on the screen by their shape.
LOOK_LIKE_NOTHING = {
    *(0x115F, 0x1160, 0x3164, 0xFFA0),  # Hangul fillers
    *(0x2800, 0xFFFC, 0x1D159, 0x16FE4, 0x13441, 0x13442),  # blanks of Braille, of music, of Khitan and Egyptian
    *(0x034F, 0x17B4, 0x17B5),  # the grapheme joiner, Khmer's inherent vowels
    *(*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)),  # variation selectors
}
STAY = {"\n", "\t", " "}
KINDS = (
    *("\u3164", "\u2800", "\u034f", "\U000e0100", "\u200b", "\u202e", "\u2066", "\u00ad", "\u00a0", "\u2003", "\u3000"),
    *("\u2028", "\x1b", "\x9b", "\x00", "\ufe0f", "\U000e0041", "\u180e", "\ufff9", "\uffa0", "\u115f", "\u2062"),
    *("\ue000", "\udc80", "\u0378", "\x7f", "\r"),
)


def is_hidden(number: int) -> bool:
    one = chr(number)
    return one not in STAY and (unicodedata.category(one) in HIDDEN_CATEGORIES or number in LOOK_LIKE_NOTHING)


def test_of_all_code_points_none_that_hides_is_shown_and_every_other_letter_is() -> None:
    hidden = [chr(number) for number in range(sys.maxunicode + 1) if is_hidden(number)]
    assert len(hidden) > 800_000 and not set(hidden) & set(output.visible("a".join(hidden)))
    letters = [
        chr(number)
        for number in range(sys.maxunicode + 1)
        if not is_hidden(number) and unicodedata.category(chr(number))[0] in "LNPS"
    ]
    assert len(letters) > 100_000 and output.visible("".join(letters)) == "".join(letters)


@given(st.text())
def test_what_is_shown_shows_itself(text: str) -> None:
    shown = output.visible(text)
    assert output.visible(shown) == shown
    assert not any(is_hidden(ord(one)) for one in shown)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("cafe\u0301", "cafe\u0301"),  # how some systems write é
        ("rm \u0332", "rm \\u0332"),  # a line under a blank looks like _
        ("rm -\u0305", "rm -\\u0305"),
        ("e\u0301\u0301", "e\u0301\\u0301"),  # the second lies under the first
        ("a\u1039", "a\\u1039"),  # Burmese, which stacks what follows and is not seen itself
        ("\u1019\u1039\u1019", "\u1019\u1039\u1019"),
        ("\u200b\u0301", "\\u200b\\u0301"),
        ("\u0301x", "\\u0301x"),
        ("\u0928\u092e\u0938\u094d\u0924\u0947", "\u0928\u092e\u0938\u094d\u0924\u0947"),
        ("日本 é ß 🙂", "日本 é ß 🙂"),
    ],
)
def test_a_mark_is_shown_where_it_can_be_seen(text: str, shown: str) -> None:
    assert output.visible(text) == shown


def candidate(text: str, risk: str = "reads") -> dict[str, Any]:
    return {"text": text, "score": 1.0, "risk": risk, "risky": [], "why": [f"like {text}"]}


SHOWN: dict[str, Callable[[str], str]] = {
    "answer": lambda text: "".join(output.answer_lines({"abstained": False, "candidates": [candidate(text)]}, True)),
    "menu": lambda text: "".join(marks.candidate_lines(candidate(text), text, "1 of 2", True, 80)),
    "plain": lambda text: "".join(marks.candidate_lines(candidate(text), text, "1 of 2", False, 80)),
    "dry run": lambda text: "".join(
        dry_run.lines(
            dry_run.Rehearsal(text, Path("/x"), Outcome(0, text.encode("utf-8", "replace"), b""), (), ()), False
        )
    ),
    "question": lambda text: running.does({**candidate("x", "destroys"), "risky": [text]}),
    "json": lambda text: said(lambda: output.print_json({"text": text})),
}


def said(speak: Callable[[], None]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        speak()
    return printed.getvalue()


@pytest.mark.parametrize("place", SHOWN)
def test_wherever_a_command_is_shown_it_hides_nothing(place: str) -> None:
    for one in KINDS:
        shown = SHOWN[place](f"rm -rf a{one} b").replace("\x1b[", "" if one == "\x1b" else "\x1b[")
        assert one not in shown.rstrip("\n"), (place, ascii(one))


def test_json_reads_the_same() -> None:
    text = "".join(KINDS)
    assert json.loads(said(lambda: output.print_json({"text": text}))) == {"text": text}


@pytest.mark.parametrize("one", KINDS)
def test_what_is_not_seen_is_not_run(one: str) -> None:
    with pytest.raises(UserError, match="would not be seen"):
        running.may_run(candidate(f"ls a{one}b"), yes=True)
    assert running.may_run(candidate("ls a é"), yes=True)


def test_what_is_not_seen_is_not_copied() -> None:
    menu = Menu({"request": "x", "candidates": [candidate("ls a\u3164b")]}, False)
    with pytest.raises(UserError, match="would not be seen"):
        menu.do("c")
    with pytest.raises(UserError, match="would not be seen"):
        menu.do("r")
