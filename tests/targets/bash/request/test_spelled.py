"""Typing mistakes in verbs and nouns are mended, names and constants never."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.bash.request.spelled import spelled


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("renmae a.txt to b.txt", "rename a.txt to b.txt"),
        ("find exectuable files", "find executable files"),
        ("list them recursivly", "list them recursively"),
        ("serch foo.txt for bar", "search foo.txt for bar"),
        ("delet the emtpy direcotries", "delete the empty directories"),
        ("extrct pack.tar", "extract pack.tar"),
        ("count the charcters of a.txt", "count the characters of a.txt"),
        ("remove duplicte lines", "remove duplicate lines"),
        ("compres the fodler", "compress the folder"),
        ("kill gunicorn", "kill gunicorn"),
        ("start nginxx", "start nginxx"),
        ("copy it to direcotry", "copy it to direcotry"),
        ("a file named renmae", "a file named renmae"),
        ("search for 'exectuable'", "search for 'exectuable'"),
        ("cat renmae.txt", "cat renmae.txt"),
        ("show Renmae", "show Renmae"),
        ("tar up proj", "tar up proj"),
    ],
)
def test_only_words_of_the_terminal_are_mended(typed: str, meant: str) -> None:
    assert spelled(typed) == meant


@given(st.text(st.sampled_from("aé'\"/.x 1-\n"), max_size=40))
def test_what_has_no_mistake_stays_as_it_is(text: str) -> None:
    assert spelled(text) == text
