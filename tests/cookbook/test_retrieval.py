"""The nearest known request: rare words decide, typos are forgiven, ties are stable."""

from __future__ import annotations

import pytest

from sayso.cookbook.retrieval import Index, likeness
from sayso.english.lexicon import Lexicon

KNOWN = [
    "list all files",
    "show the files",
    "list the largest files",
    "count the lines of a file",
    "delete a directory",
]


def first(lexicon: Lexicon, text: str) -> str:
    index = Index([lexicon.words(request) for request in KNOWN], [0, 0, 1, 2, 3], lexicon)
    found = index.nearest(index.keys(lexicon.read(text)), 1)
    return KNOWN[found[0][0]] if found else ""


def test_the_nearest_request_is_found_in_other_words(lexicon: Lexicon) -> None:
    assert first(lexicon, "display all files") == "list all files"
    assert first(lexicon, "which are the biggest files") == "list the largest files"
    assert first(lexicon, "erase the folder") == "delete a directory"
    assert first(lexicon, "how many lines") == "count the lines of a file"


def test_a_typo_does_not_hide_the_request(lexicon: Lexicon) -> None:
    assert first(lexicon, "delete a direcotry") == "delete a directory"


def test_nothing_shared_finds_nothing(lexicon: Lexicon) -> None:
    assert first(lexicon, "zzz qqq") == first(lexicon, "") == ""


def test_a_word_repeated_by_one_recipe_is_still_rare(lexicon: Lexicon) -> None:
    bags = [["disk", "free"], ["disk", "full"], ["disk", "left"], ["file", "free"], ["file", "full"]]
    index = Index(bags, [0, 0, 0, 1, 2], lexicon)
    assert index.weights["disk"] > index.weights["file"]


def test_left_out_requests_are_not_found(lexicon: Lexicon) -> None:
    index = Index([["disk"], ["disk"]], [0, 1], lexicon)
    keys = index.keys(lexicon.read("disk"))
    assert [at for at, _ in index.nearest(keys, 5)] == [0, 1]
    assert [at for at, _ in index.nearest(keys, 5, frozenset({0}))] == [1]


@pytest.mark.parametrize(
    ("left", "right"), [("directory", "directorio"), ("proces", "process"), ("ab", "ab"), ("a", "")]
)
def test_likeness_is_symmetric_and_whole_only_for_the_same_word(left: str, right: str) -> None:
    assert likeness(left, right) == likeness(right, left)
    assert (likeness(left, right) == 1.0) == (left == right)
