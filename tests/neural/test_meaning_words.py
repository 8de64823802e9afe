"""Requests as the sentence encoder reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.neural.meaning_words import FIRST, LAST, UNKNOWN, WordPieces, described, kept_pieces, words_of

PIECES = [UNKNOWN, FIRST, LAST, "a", "##a", "copy", "file", "##s", "fi", "##le", "note", "b", "the", "?", "'"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('copy "my notes" into /srv/report.csv', "copy text into csv file"),
        ("unpack site.tar.gz in ~/work", "unpack tar archive in folder"),
        ("find .py files over 10 MB", "find py files over 100 mb"),
        ("count TODO in *.c, please!", "count TODO in c files please"),
        ("format /dev/sdb1", "format device"),
        ("", ""),
    ],
)
def test_constants_are_said_as_words_of_their_kind(text: str, shown: str) -> None:
    assert described(text) == shown


def test_two_requests_that_differ_in_names_alone_are_read_alike() -> None:
    assert described("move a.txt to /tmp/x") == described("move notes.txt to /srv/old")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Copy the files", "[CLS] copy the file ##s [SEP]"),
        ("fia?", "[CLS] fi ##a ? [SEP]"),
        ("zebra the", "[CLS] [UNK] the [SEP]"),
        ("nóté", "[CLS] note [SEP]"),
    ],
)
def test_words_are_cut_into_the_longest_pieces(text: str, shown: str) -> None:
    pieces = WordPieces(PIECES)
    assert " ".join(PIECES[one] for one in pieces.encode(text, 20)) == shown


@given(st.text(max_size=60))
def test_any_text_is_cut_and_never_longer_than_allowed(text: str) -> None:
    pieces = WordPieces(PIECES)
    ids = pieces.encode(text, 8)
    assert 2 <= len(ids) <= 8
    assert (ids[0], ids[-1]) == (pieces.first, pieces.last)
    assert all(not word.isspace() for word in words_of(text))


def test_a_cut_vocabulary_reads_what_it_was_cut_for_as_before() -> None:
    text = "copy the files"
    kept = kept_pieces(PIECES, [text], 0, str.isascii)
    whole, cut = WordPieces(PIECES), WordPieces(kept)
    assert [kept[one] for one in cut.encode(text, 20)] == [PIECES[one] for one in whole.encode(text, 20)]
    assert "note" not in kept and {"a", "##a", "?"} <= set(kept)
    assert "note" in kept_pieces(PIECES, [text], len(kept) + 3, str.isascii)
