"""The word lists: every list has a reader, words stand in it once, and what must be in it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sayso
from sayso.english.words import QUOTED, listed, numbers, superlatives, tables, text_of

SOURCE = Path(sayso.__file__).parent
LISTS = [f"{table}.{key}" for table, found in tables().items() for key in found if isinstance(found[key], str)]


def test_every_list_is_read_by_somebody_and_every_name_is_a_list() -> None:
    asked = {
        name
        for path in SOURCE.rglob("*.py")
        for name in re.findall(r"(?<![\w.])(?:listed|text_of)\(\s*\"(\w+\.\w+)\"", path.read_text(encoding="utf-8"))
    }
    assert asked == set(LISTS)


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_not_empty_and_says_no_word_twice(name: str) -> None:
    found = text_of(name).split()
    assert found and len(found) == len(set(found)), sorted({word for word in found if found.count(word) > 1})


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("deeds.losses", "erase", "show"),
        ("deeds.overwriting", "copy", "delete"),
        ("sweeping.limits", "old", "all"),
        ("fitting.folders", "photos", "directly"),
        ("fitting.never", "except", "photos"),
        ("follow_up.fillers", "please", "newest"),
        ("parts.starts", "sorted", "find"),
    ],
)
def test_words_are_where_they_belong(name: str, inside: str, outside: str) -> None:
    assert inside in listed(name) and outside not in listed(name)


def test_numbers_and_superlatives() -> None:
    assert numbers()["nineteen"] == 19 and numbers(20)["twenty"] == 20 and "thirty" not in numbers(20)
    assert superlatives()["newest"] == ("time", True) and superlatives()["smallest"] == ("size", False)


def test_text_in_quotes_of_any_kind() -> None:
    assert re.findall(QUOTED, "a 'b c' \"d\" `e`") == ["'b c'", '"d"', "`e`"]
