"""What is said after an answer: a bare value takes the place of the one argument that it could be."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.targets.api.specs.shop import api_at, written

from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.specs.language import Calls, instead
from sayso.targets.api.specs.reader import reader_of
from sayso.targets.api.specs.said.spans import said


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Calls:
    query = [
        {"name": "species", "in": "query", "schema": {"type": "string"}},
        {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 100}},
        {"name": "offset", "in": "query", "schema": {"type": "integer"}},
    ]
    get = {"operationId": "listAnimals", "summary": "List the animals", "parameters": query}
    root = {"openapi": "3.0.3", "info": {"title": "Zoo"}, "paths": {"/animals": {"get": get}}}
    return Calls(reader_of(api_at(written(Path(tmp_path_factory.mktemp("zoo")), root))))


@pytest.mark.parametrize("words", ["make it 20", "20 instead", "no, 20", "change that to 20", "rather 20 please"])
def test_a_bare_number_takes_the_place_of_the_only_number(calls: Calls, words: str) -> None:
    """The guide has `sayso then "make it 20"`, which found no value."""
    found = calls.follow('listAnimals {"limit": 5, "species": "owl"}', words, ())
    assert [one.text for one in found.candidates] == ['listAnimals {"limit": 20, "species": "owl"}']


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"limit": 5, "offset": 10}, "make it 20"),  # which of the two?
        ({"limit": 5}, "make it 2000"),  # the server would refuse it
        ({"species": "owl"}, "make it 20"),
        ({"limit": 5}, "make it nicer"),
        ({"limit": 5}, "make it 20 or 30"),
    ],
)
def test_a_bare_value_that_could_be_two_or_none_changes_nothing(
    calls: Calls, given: dict[str, object], words: str
) -> None:
    operation = calls.reader.operation("listAnimals")
    assert instead(said(words, Clock(datetime(2026, 11, 16, tzinfo=UTC), UTC)), operation, given) == {}
