"""Requests that say the same thing in other words get one key; requests that differ in what they ask do not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.english.stems import STOP_WORDS, group_requests, misspellings, normalise_request, normalised_tokens, stem


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("List the files in /tmp", "list files in /tmp"),
        ("Delete files in your home directory.", "delete file in home directories"),
        ("find regular/normal files", "find normal/regular files"),
        ("list files/folders here", "list files and folders here"),
        ("find two files", "find 2 files"),
        ("files over 50 MB", "files over 50MB"),
        ("modfied files", "modified files"),
        ("find foo (case insensitive)", "find foo"),
        ("users who have logged in", "users who logged in"),
        ("find all the direcotries", "find all directories"),
    ],
)
def test_same_request_same_key(left: str, right: str) -> None:
    assert normalise_request(left) == normalise_request(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("files that are empty", "files that are not empty"),
        ("list all files", "list files"),
        ("files with a or b", "files with a and b"),
        ("files modified before 2014-01-01", "files modified after 2014-01-01"),
        ("find /TBD", "find /tbd"),
        ('print "a"', "print 'a'"),
        ("first 5 lines", "first 6 lines"),
        ("copy a to b", "copy a from b"),
    ],
)
def test_other_request_other_key(left: str, right: str) -> None:
    assert normalise_request(left) != normalise_request(right)


def test_key_reads_as_the_paper_says() -> None:
    key = normalise_request('Recursively search the user\'s files/directories for "My  Name" (quickly)')
    assert key == 'recurs search user \'s file and directori for "My Name"'


def test_a_request_of_stop_words_or_brackets_keeps_a_key() -> None:
    assert normalise_request("Would you do this") == "would you do this"
    assert normalise_request("(list files)") == "list file"
    assert normalise_request("") == ""


def test_words_that_choose_flags_are_no_stop_words() -> None:
    assert not STOP_WORDS & {
        "not",
        "no",
        "all",
        "or",
        "and",
        "before",
        "after",
        "in",
        "under",
        "to",
        "from",
        "each",
        "last",
        "first",
    }


def test_stem_is_snowball() -> None:
    assert [stem(word) for word in ("directories", "recursively", "copies", "files")] == [
        "directori",
        "recurs",
        "copi",
        "file",
    ]


def test_misspellings_point_to_words_that_are_right() -> None:
    table = misspellings()
    assert table["direcotry"] == "directory"
    assert not set(table) & set(table.values())
    assert not set(table.values()) & STOP_WORDS - {"the", "their", "they"}


def test_groups_hold_positions_in_order() -> None:
    groups = group_requests(["List files", "list the files", "print 5 lines", "print five lines"])
    assert list(groups.values()) == [[0, 1], [2, 3]]


@settings(deadline=None)
@given(st.text())
def test_key_is_defined_for_any_text(text: str) -> None:
    parts = normalised_tokens(text)
    assert normalise_request(text) == " ".join(parts)
    assert normalise_request(f"  {text}\n") == normalise_request(text)
