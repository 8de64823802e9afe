"""The nearest known request: rare words decide, typos are forgiven, ties are stable."""

from __future__ import annotations

import pytest

from sayso.cookbook.retrieval import Index, Retrieval, likeness
from sayso.core.types import Request
from sayso.english.lexicon import Lexicon

PAIRS = [
    ("list all files", "ls"),
    ("show the files", "ls"),
    ("list the largest files", "du"),
    ("count the lines of a file", "wc"),
    ("delete a directory", "rmdir"),
]


def first(retrieval: Retrieval, text: str) -> str:
    return retrieval.translate([Request(text)], 1)[0][0].text


def test_the_nearest_request_answers_in_other_words(lexicon: Lexicon) -> None:
    retrieval = Retrieval(PAIRS, lexicon)
    assert first(retrieval, "display files") == "ls"
    assert first(retrieval, "which are the biggest files") == "du"
    assert first(retrieval, "erase the folder") == "rmdir"
    assert first(retrieval, "how many lines") == "wc"


def test_a_typo_does_not_hide_the_request(lexicon: Lexicon) -> None:
    retrieval = Retrieval(PAIRS, lexicon)
    assert first(retrieval, "delete a direcotry") == "rmdir"


def test_an_instruction_is_given_once_with_the_request_that_it_answered(lexicon: Lexicon) -> None:
    found = Retrieval(PAIRS, lexicon).translate([Request("list the files")], 5)[0]
    assert [one.text for one in found].count("ls") == 1
    assert found[0].why[0].startswith("asked before: ")


def test_nothing_shared_finds_nothing(lexicon: Lexicon) -> None:
    assert Retrieval(PAIRS, lexicon).translate([Request("zzz qqq"), Request("")], 3) == [[], []]


def test_a_word_repeated_by_one_recipe_is_still_rare(lexicon: Lexicon) -> None:
    bags = [["disk", "free"], ["disk", "full"], ["disk", "left"], ["file", "free"], ["file", "full"]]
    index = Index(bags, [0, 0, 0, 1, 2], lexicon)
    assert index.weights["disk"] > index.weights["file"]


def test_left_out_requests_are_not_found(lexicon: Lexicon) -> None:
    index = Index([["disk"], ["disk"]], [0, 1], lexicon)
    keys = index.keys(lexicon.read("disk"))
    assert [at for at, _ in index.nearest(keys, 5)] == [0, 1]
    assert [at for at, _ in index.nearest(keys, 5, frozenset({0}))] == [1]


def test_suggestions_are_known_requests(lexicon: Lexicon) -> None:
    retrieval = Retrieval(PAIRS, lexicon)
    assert retrieval.nearest(Request("largest thing"), 2)[0] == "list the largest files"
    assert retrieval.nearest(Request("directorios"), 1) == ["delete a directory"]
    assert retrieval.nearest(Request("zzz"), 2) == ["list all files", "show the files"]


@pytest.mark.parametrize(
    ("left", "right"), [("directory", "directorio"), ("proces", "process"), ("ab", "ab"), ("a", "")]
)
def test_likeness_is_symmetric_and_whole_only_for_the_same_word(left: str, right: str) -> None:
    assert likeness(left, right) == likeness(right, left)
    assert (likeness(left, right) == 1.0) == (left == right)
