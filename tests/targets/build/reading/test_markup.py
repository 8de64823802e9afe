"""Lines of documents in every usual format keep their numbers and are told apart by form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.build.reading.commands import commands_of
from sayso.targets.build.reading.markup import Line, read_lines


def forms(text: str) -> list[str]:
    return [line.form for line in read_lines(text)]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("# Build\n\n```sh\nmake all\n```\n", "make all"),
        ("Build\n=====\n\nType::\n\n    make all\n", "make all"),
        ("BUILDING\n\n   make all\n", "make all"),
        ("== Build\n\n $ make all\n", "make all"),
        ("* Build\n#+begin_src sh\nmake all\n#+end_src\n", "make all"),
        ("<h2>Build</h2>\n<pre>\nmake all\n</pre>\n", "make all"),
        ("Build\n-----\n\n1. Run `make all`.\n", "make all"),
        ("To build, type 'make all' here.\n", "make all"),
    ],
)
def test_a_command_is_found_in_every_format(text: str, command: str) -> None:
    found = [one for line in read_lines(text) for one in commands_of(line)]
    assert found == [command]


def test_a_line_knows_the_heading_above_it() -> None:
    lines = read_lines("Tool\n====\n\nwords\n\nInstalling\n----------\n\nmake install\n")
    assert [line.section for line in lines if line.text == "make install"] == ["Installing"]
    assert forms("Tool\n====\n")[0] == "heading"


def test_a_sentence_with_make_in_it_is_no_command() -> None:
    line = Line(1, "make sure that you have the sources", "prose")
    assert commands_of(line) == []


def test_a_carried_on_sentence_is_not_code() -> None:
    assert forms("- first\n  goes on here\n") == ["item", "prose"]


@given(st.text(alphabet="ab #=-`\n\t$<>pre/:*|1.", max_size=200))
def test_every_line_has_its_number_and_its_text(text: str) -> None:
    lines = read_lines(text)
    assert [line.number for line in lines] == list(range(1, len(text.splitlines()) + 1))
    assert [line.text for line in lines] == [row.expandtabs() for row in text.splitlines()]
    assert all((line.form == "blank") == (not line.text.strip()) for line in lines)
