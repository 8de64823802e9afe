"""Control files: what is written is read again; comments, signatures and continuation lines; hostile input."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadFile
from sayso.targets.build.corpus.deb822 import (
    LONGEST,
    MOST_FIELDS,
    Paragraph,
    description_of,
    read_paragraphs,
    read_relations,
)
from sayso.targets.build.corpus.records import Relation

names = st.text("abz09-", min_size=1, max_size=8).map(lambda text: f"x{text}")
lines = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=20)
values = st.lists(lines, min_size=1, max_size=3).map("\n".join)
words = st.text("abz09+.-", max_size=8).map(lambda text: f"x{text}")
profiles = st.lists(words.map(lambda word: f"!{word}"), min_size=1, max_size=2).map(" ".join)


def write(paragraphs: list[Paragraph]) -> list[str]:
    """The inverse of `read_paragraphs`."""
    found: list[str] = []
    for paragraph in paragraphs:
        for name, value in paragraph.items():
            first, *rest = value.split("\n")
            found += [f"{name.title()}: {first}\n", *(f" {line}\n" for line in rest), "# a comment\n"]
        found.append("\n")
    return found


@settings(max_examples=30)
@given(st.lists(st.dictionaries(names, values, min_size=1, max_size=4), max_size=3))
def test_what_is_written_is_read_again(paragraphs: list[Paragraph]) -> None:
    assert list(read_paragraphs(write(paragraphs))) == paragraphs


single = st.builds(
    Relation,
    words,
    st.one_of(st.just(""), st.builds("{} {}".format, st.sampled_from([">=", "<<", "="]), words)),
    st.lists(words, max_size=2).map(tuple),
    st.lists(profiles, max_size=2).map(tuple),
)
relations = st.builds(
    lambda one, others: Relation(one.name, one.version, one.arches, one.profiles, tuple(others)),
    single,
    st.lists(single, max_size=2),
)


@settings(max_examples=30)
@given(st.lists(relations, max_size=4))
def test_relations_are_read_as_they_are_written(found: list[Relation]) -> None:
    assert list(read_relations(",\n ".join(map(str, found)))) == found


def test_a_signed_file_is_read_without_its_signature() -> None:
    text = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nFormat: 3.0 (quilt)\nSource: lantern\nFiles:\n a 1 b\n"
        " c 2 d\n\n-----BEGIN PGP SIGNATURE-----\n\niQ no field\n-----END PGP SIGNATURE-----\n"
    )
    assert list(read_paragraphs(text.splitlines())) == [
        {"format": "3.0 (quilt)", "source": "lantern", "files": "\na 1 b\nc 2 d"}
    ]


def test_folded_relations_with_everything() -> None:
    full = "glass-dev:native (>= 1~) [linux-any !i386] <!nocheck !cross> <stage1>"
    text = f"debhelper-compat (= 13),\n {full} | wax,\n ${{x:Depends}},"
    first, second = read_relations(text)
    assert first == Relation("debhelper-compat", "= 13")
    assert second.name == "glass-dev:native" and second.version == ">= 1~"
    assert second.arches == ("linux-any", "!i386") and second.profiles == ("!nocheck !cross", "stage1")
    assert second.instead == (Relation("wax"),)


def test_a_description_unfolds() -> None:
    assert description_of("a lantern\nIt shines.\n.\n Not much.") == ("a lantern", "It shines.\n\n Not much.")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no field here", "not a field"),
        (" a: b", "before any field"),
        ("A: 1\na: 2", "stands twice"),
        ("A: b\n" + " c\n" * 10 + "=\n", "not a field"),
        ("\n".join(f"A{n}: 1" for n in range(MOST_FIELDS + 1)), "fields in a paragraph"),
        ("A: " + "b" * (LONGEST + 1), "more than"),
        ("A: b\n" + f" {'c' * 1000}\n" * (LONGEST // 1000 + 1), "more than"),
    ],
)
def test_what_is_no_control_file_is_told_with_its_line(text: str, words: str) -> None:
    with pytest.raises(BadFile, match=words) as caught:
        list(read_paragraphs(text.splitlines(), "x"))
    assert caught.value.message.startswith("x:") and len(caught.value.message) < 200


@pytest.mark.parametrize("text", ["(>= 1)", "a (>= 1", "a [b", "a (1)", "a b", "a (>= 1) x", "\0", "a <" * 1000])
def test_what_is_no_relation(text: str) -> None:
    with pytest.raises(BadFile):
        read_relations(text)


def test_long_input_takes_linear_time() -> None:
    begun = time.process_time()
    with pytest.raises(BadFile):
        read_relations(", ".join(["a"] * 10_000))
    with suppress(BadFile):
        read_relations("a " + "(" * 500_000)
    with suppress(BadFile):
        list(read_paragraphs(["x" * 1_000_000, ":" * 1_000_000]))
    assert time.process_time() - begun < 2


@settings(max_examples=30)
@given(st.text(max_size=100))
def test_any_text_is_read_or_a_bad_file(text: str) -> None:
    with suppress(BadFile):
        list(read_paragraphs(text.splitlines(keepends=True)))
    with suppress(BadFile):
        read_relations(text)
