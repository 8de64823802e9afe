"""What a request may be, whichever way it comes in."""

from __future__ import annotations

import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.apps import requests
from sayso.core.errors import BadRequest


class Bytes:
    """Standard input made of bytes."""

    def __init__(self, raw: bytes) -> None:
        self.buffer = io.BytesIO(raw)


def test_words_are_joined_and_trimmed() -> None:
    assert requests.read_request(["list", "all files "]) == "list all files"


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u2003"])
def test_empty(text: str) -> None:
    with pytest.raises(BadRequest, match="empty"):
        requests.clean(text)


@pytest.mark.parametrize("text", ["a\0b", "\x1b[31mred", "a\x7f", "a\x85b"])
def test_control_characters_are_named_by_place(text: str) -> None:
    with pytest.raises(BadRequest, match="control character at character"):
        requests.clean(text)


def test_bytes_that_are_not_utf8_in_an_argument() -> None:
    with pytest.raises(BadRequest, match=r"not UTF-8 text \(at character 5\)"):
        requests.clean(b"list \xff".decode("utf-8", "surrogateescape"))


def test_too_long() -> None:
    assert len(requests.clean("a" * requests.LONGEST)) == requests.LONGEST
    with pytest.raises(BadRequest, match="10,001 characters"):
        requests.clean("a" * (requests.LONGEST + 1))
    with pytest.raises(BadRequest, match="100,000 characters"):
        requests.clean("é" * 100_000)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "empty"),
        (b"a\0b", "control"),
        (b"\xff\xfe", "UTF-8"),
        (b"a" * 100_000, "more than 10,000"),
        ("é".encode() * 30_000, "more than 10,000"),
    ],
)
def test_standard_input_is_held_to_the_same(monkeypatch: pytest.MonkeyPatch, raw: bytes, message: str) -> None:
    monkeypatch.setattr(sys, "stdin", Bytes(raw))
    with pytest.raises(BadRequest, match=message):
        requests.read_request(["-"])


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Bytes("zähle Dateien\n".encode()))
    assert requests.read_request(["-"]) == "zähle Dateien"


@given(st.text())
def test_what_passes_is_never_changed_again(text: str) -> None:
    try:
        once = requests.clean(text)
    except BadRequest:
        return
    assert requests.clean(once) == once and once in text
    once.encode("utf-8")
