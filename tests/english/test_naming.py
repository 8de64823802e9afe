"""What a request names: several words that are one file, runs of files, signs that stand for themselves."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sayso.english.naming import request_tokens
from sayso.english.naming_beside import COMPARED

NAMED = {
    "where is the file called tax return 2022.pdf": [("file", "tax return 2022.pdf")],
    "open the one named shopping list.md in docs": [("file", "shopping list.md")],
    "delete the spreadsheet titled q3 plan.xlsx": [("file", "q3 plan.xlsx")],
    "make a folder named Summer Trip": [("string", "Summer Trip")],
    "create a directory called Client Files here": [("string", "Client Files")],
    "find a file called draft.txt": [("file", "draft.txt")],
    "a folder called old and b.txt": [("file", "b.txt")],
    "a file called stuff in notes.txt": [("file", "notes.txt")],
    "the files called a.txt b.txt": [("file", "a.txt"), ("file", "b.txt")],
    "lines 5-10 of a.txt": [("number", "5"), ("number", "10"), ("file", "a.txt")],
    "the numbers 3..9": [("number", "3"), ("number", "9")],
    "remove the file called -v": [("file", "-v")],
    "make part1.txt .. part6.txt": [("glob", "part{1..6}.txt")],
    "make part1.txt ... part6.txt": [("glob", "part{1..6}.txt")],
    "create d1 through d7": [("glob", "d{1..7}")],
    "touch day01.log thru day09.log": [("glob", "day{01..09}.log")],
    "delete shot2.png to shot8.png": [("glob", "shot{2..8}.png")],
    "rename shot2.png to shot8.png": [("file", "shot2.png"), ("file", "shot8.png")],
    "copy it from v1.txt to v9.txt": [("file", "v1.txt"), ("file", "v9.txt")],
    "compare v1.txt to v9.txt": [("file", "v1.txt"), ("file", "v9.txt")],
    "show a1.txt .. b9.txt": [("file", "a1.txt"), ("path", ".."), ("file", "b9.txt")],
    "lines with a # in setup.ini": [("sign", "#"), ("file", "setup.ini")],
    "which rows have a ; at the end": [("sign", ";")],
    "split them by | please": [("sign", "|")],
    "lines that contain an @": [("sign", "@")],
    "cells separated with a , sign": [("sign", ",")],
    "replace ; with , in out.csv": [("sign", ";"), ("sign", ","), ("file", "out.csv")],
    "change : to = in app.ini": [("sign", ":"), ("sign", "="), ("file", "app.ini")],
    "count 404s in web.log": [("number", "404"), ("file", "web.log")],
    "wait for 300s": [("timespan", "300s")],
    "all drawings (svg) in art/": [("extension", ".svg"), ("path", "art/")],
    "the file i called budget something": [("glob", "budget*")],
    "replace teh with the in a.txt": [("string", "teh"), ("string", "the"), ("file", "a.txt")],
    "change debug to release in a.ini": [("string", "debug"), ("string", "release"), ("file", "a.ini")],
    "replace commas with tabs in a.txt": [("file", "a.txt")],
    "change directory to home in a shell": [],
    "scp a.csv to bob@db1 in /srv/in": [("file", "a.csv"), ("user_host", "bob@db1:/srv/in")],
    "log in on bob@db1 in /srv/in": [("user_host", "bob@db1"), ("path", "/srv/in")],
    "rename the folder New Stuff to old/": [("string", "New Stuff"), ("path", "old/")],
    "this: and that": [],
    "copy a & b": [],
    "a long listing w/ sizes": [],
    "show teh lines w/o numbers": [],
    'post {"id": 1} to it': [("string", '{"id": 1}')],
    "disks over 80% full": [("number", "80")],
    "shuffle 5% of a.txt": [("number", "5"), ("file", "a.txt")],
    "make 5 folders named week1 to week5": [("glob", "week{1..5}")],
    "make 2 copies of week1.txt .. week5.txt": [("number", "2"), ("glob", "week{1..5}.txt")],
    "delete the files ending in ~": [("sign", "~")],
    "list the files in ~": [("path", "~")],
    "decode the base64 Zm9vYg==": [("name", "Zm9vYg==")],
    "the value of HOME": [("variable", "HOME")],
    "set debug=true in a.ini": [("variable", "debug=true"), ("file", "a.ini")],
    "set PORT=80 in a.conf": [("variable", "PORT=80"), ("file", "a.conf")],
    "replace http:// with ftp:// in a.html": [("string", "http://"), ("string", "ftp://"), ("file", "a.html")],
}


@pytest.mark.parametrize("text", NAMED)
def test_names_are_read_as_they_are_meant(text: str) -> None:
    assert [(token.kind, token.value) for token in request_tokens(text) if token.kind != "word"] == NAMED[text]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("list it w/ sizes", ["list", "it", "with", "sizes"]),
        ("teh files", ["the", "files"]),
        ("who failed according to a.log", ["who", "failed", "in", "a.log"]),
        ("sorted according to size", ["sorted", "by", "size"]),
        ("rows with age > 30", ["rows", "with", "age", "greater", "than", "30"]),
        ("copy it > b.txt", ["copy", "it", "b.txt"]),
        ("sum col 2 b4 noon", ["sum", "column", "2", "before", "noon"]),
        ("link new -> old/v2", ["link", "new", "->", "old/v2"]),
        ("delete logs recursiv", ["delete", "logs", "recursively"]),
        ("whch dont match", ["which", "don't", "match"]),
        ("a folder called teh", ["a", "folder", "called", "teh"]),
    ],
)
def test_haste_is_forgiven_but_not_in_names(text: str, words: list[str]) -> None:
    assert [token.text for token in request_tokens(text)] == words


@given(st.text(max_size=60))
@example("A<0")
def test_spans_stay_in_order_inside_the_text(text: str) -> None:
    """A sign that is said as two words ("less than") gives both its own place."""
    tokens = request_tokens(text)
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)
    for left, right in pairwise(tokens):
        signs = text[left.start : left.end] in COMPARED and (left.start, left.end) == (right.start, right.end)
        assert left.end <= right.start or signs


@pytest.mark.parametrize(
    ("sign", "words"), [(">", "greater than"), ("<", "less than"), (">=", "at least"), ("<=", "at most")]
)
def test_a_comparison_is_said_in_words(sign: str, words: str) -> None:
    assert " ".join(token.text for token in request_tokens(f"rows where age {sign} 30")) == f"rows where age {words} 30"
