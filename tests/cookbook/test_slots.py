"""Constants find their slots; what is not said is not invented."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.cookbook.slots import Cookbook
from sayso.core.types import Request

ANSWERS = {
    "count the lines of notes.txt": "count file=notes.txt",
    "how many lines are in notes.txt": "count file=notes.txt",
    "copy a.txt to b.txt": "copy source=a.txt to=b.txt",
    "copy to b.txt the file a.txt": "copy source=a.txt to=b.txt",
    'copy "my notes.txt" to /tmp': "copy source=my notes.txt to=/tmp",
    "find python files in /srv": "files dir=/srv ext=py",
    "find *.py files here under /srv": "files dir=/srv ext=py",
    "find files larger than 10 MB": "files dir=. min=10M",
    "files smaller than 2k under src/app": "files dir=src/app max=2K",
    "find .log files bigger than 1 GB in this folder": "files dir=. ext=log min=1G",
    "stop firefox": "stop process=firefox",
    "search for 'out of memory' in x.log": "find file=x.log pattern=out of memory",
    "search for out of memory in x.log": "find file=x.log pattern=out of memory",
    "search for the word refused in x.log": "find file=x.log pattern=refused",
    "delete all text files in /old": "prune dir=/old ext=txt",
}


@pytest.mark.parametrize("text", ANSWERS)
def test_constants_go_where_they_belong(cookbook: Cookbook, text: str) -> None:
    found = cookbook.translate([Request(text)], 3)[0]
    assert found[0].text == ANSWERS[text]


def test_what_is_not_said_is_a_placeholder_with_a_lower_score(cookbook: Cookbook) -> None:
    told = cookbook.translate([Request("count the lines of notes.txt")])[0][0]
    untold = cookbook.translate([Request("count the lines")])[0][0]
    assert untold.text == "count file=FILE"
    assert untold.score < told.score
    assert "put in yourself: FILE" in untold.why


def test_reasons_say_what_was_taken_and_what_assumed(cookbook: Cookbook) -> None:
    why = cookbook.translate([Request("find python files")])[0][0].why
    assert why == ('like "find EXT files in FOLDER"', "from the request: EXT py", "assumed: FOLDER .")


def test_a_recipe_without_what_it_needs_is_no_answer(cookbook: Cookbook) -> None:
    found = cookbook.translate([Request("delete all files")], 9)[0]
    assert not any(candidate.text.startswith("prune") for candidate in found)


def test_a_word_of_the_phrasing_is_not_its_own_value(cookbook: Cookbook) -> None:
    assert cookbook.translate([Request("stop the process")])[0][0].text == "stop process=PROGRAM"


def test_a_constant_that_no_slot_takes_lowers_the_score(cookbook: Cookbook) -> None:
    alone = cookbook.translate([Request("stop firefox")])[0][0].score
    crowded = cookbook.translate([Request("stop firefox 2024-01-01 /etc/passwd")])[0][0].score
    assert crowded < alone


def test_a_word_that_only_says_what_a_value_is_costs_nothing(cookbook: Cookbook) -> None:
    plain = cookbook.translate([Request("search for refused in x.log")])[0][0]
    announced = cookbook.translate([Request("search for the string refused in x.log")])[0][0]
    assert announced.text == plain.text
    assert announced.score > 0.95 * plain.score


def test_nearest_shows_requests_with_placeholders(cookbook: Cookbook) -> None:
    assert cookbook.nearest(Request("lines"), 2)[0] in ("count the lines of FILE", "how many lines has FILE")


@pytest.mark.parametrize("text", ["zzz", "🎉", "?", "the", "何か"])
def test_nearest_shows_what_is_often_asked_and_harmless_where_nothing_is_near(cookbook: Cookbook, text: str) -> None:
    assert cookbook.nearest(Request(text), 2) == ["find EXT files in FOLDER", "count the lines of FILE"]
    assert cookbook.nearest(Request(text), 0) == []


def test_nearest_knows_a_word_in_another_language_by_its_letters(cookbook: Cookbook) -> None:
    assert cookbook.nearest(Request("processus"), 1) == ["stop the process PROGRAM"]


def test_nearest_prefers_what_the_request_can_be_read_as(cookbook: Cookbook) -> None:
    assert cookbook.nearest(Request("find 'abc' in notes.txt"), 1) == ["find TEXT in FILE"]


@given(st.text(max_size=80))
def test_any_request_is_read_and_scores_are_probabilities(cookbook: Cookbook, text: str) -> None:
    found = cookbook.translate([Request(text)], 4)[0]
    assert len(found) <= 4
    assert all(0.0 <= candidate.score <= 1.0 for candidate in found)
    assert found == cookbook.translate([Request(text)], 4)[0]


def test_readings_of_requests_that_are_asked_at_once_are_each_their_own(cookbook: Cookbook) -> None:
    texts = ["count the lines of notes.txt", "stop firefox", "find python files"] * 20
    alone = {text: cookbook.proposed(text) for text in texts}
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(cookbook.proposed, texts)) == [alone[text] for text in texts]
