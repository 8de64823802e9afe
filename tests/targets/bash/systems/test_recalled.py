"""An answer to a like request serves with this one's constants in it, and with nothing of the other's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import BadBundle
from sayso.core.types import Request

pytest.importorskip("numpy")

from sayso.neural.arrays import read_npz
from sayso.neural.bundle import write_bundle
from sayso.targets.bash.systems.recalled import (
    PAIRS as STORED,
)
from sayso.targets.bash.systems.recalled import (
    WORDS,
    Recalled,
    exchanged,
    load_recalled,
    packed,
)

PAIRS = [
    ("prime factors of 360360", "factor 360360"),
    ("move a.txt to b.txt", "mv a.txt b.txt"),
    ("first 5 lines of notes.txt", "head -n 5 notes.txt"),
    ("random uuid", "uuidgen"),
]


@pytest.fixture(scope="module")
def known() -> Recalled:
    found = read_npz(packed(PAIRS)[WORDS], "words")
    return Recalled(["\t".join(pair) for pair in PAIRS], found["numbers"], found["ends"])


def test_a_like_request_is_answered_with_its_own_constants(known: Recalled) -> None:
    (first, *_) = known.translate([Request("what are the prime factors of 77")], 3)[0]
    assert (first.text, first.why) == ("factor 77", ('like "prime factors of 360360"',))
    assert 0 < first.score < 1


def test_the_same_request_is_as_like_as_can_be(known: Recalled) -> None:
    for asked, command in PAIRS:
        (first, *_) = known.translate([Request(asked)], 1)[0]
        assert (first.text, first.score) == (command, 1.0)


def test_nothing_alike_is_nothing_recalled(known: Recalled) -> None:
    assert known.translate([Request("which graphics card is in here")], 3) == [[]]


@pytest.mark.parametrize(
    ("asked", "command", "request_"),
    [
        ("move a.txt to b.txt", "mv a.txt b.txt", "move a.txt"),
        ("move a.txt", "mv a.txt /tmp", "move a.txt to b.txt"),
        ("print a.txt", "cat a.txt", 'print "x; rm -rf ~.txt"'),
        ("show notes", "cat ~/notes", "show 5 notes"),
    ],
)
def test_where_constants_do_not_fit_nothing_is_said(asked: str, command: str, request_: str) -> None:
    assert exchanged(asked, command, Request(request_)) == ""


def test_constants_may_change_places() -> None:
    assert exchanged("move a.txt to b.txt", "mv a.txt b.txt", Request("move b.txt to a.txt")) == "mv b.txt a.txt"


@given(st.from_regex(r"[a-z]{1,8}\.(?:txt|csv|log)", fullmatch=True), st.integers(0, 10**6))
def test_no_constant_of_the_other_request_stays(name: str, number: int) -> None:
    found = exchanged("first 5 lines of notes.txt", "head -n 5 notes.txt", Request(f"first {number} lines of {name}"))
    assert found in ("", f"head -n {number} {name}")
    assert found or number < 10  # small numbers may be read as something else


def test_what_ships_can_be_read_and_recalls() -> None:
    recalled = load_recalled()
    assert len(recalled.lines) == len(recalled.ends) > 20_000
    texts = [one.text for one in recalled.translate([Request("what are the prime factors of 77")], 4)[0]]
    assert "factor 77" in texts


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda files: {**files, STORED: b"no xz"},
        lambda files: {**files, WORDS: b"no zip"},
        lambda files: {**files, WORDS: packed(PAIRS[:2])[WORDS]},
        lambda files: {**files, WORDS: packed(PAIRS[::-1] + PAIRS)[WORDS]},
    ],
)
def test_a_damaged_bundle_is_refused(spoilt: Callable[[dict[str, bytes]], dict[str, bytes]], tmp_path: Path) -> None:
    told: Any = {"name": "x", "target": "bash", "kind": "recall", "licence": "x", "settings": {}}
    write_bundle(tmp_path / "bad", files=spoilt(packed(PAIRS)), **told)
    with pytest.raises(BadBundle):
        load_recalled(tmp_path / "bad")
