"""Requests for calls of a described API: which operation, which values, what is asked back, when nothing is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.targets.api.specs.shop import api_at
from tests.targets.api.specs.shop import written as write

from sayso.core.types import Piece, Request, Workspace
from sayso.targets.api.specs import described, open_api, teach
from sayso.targets.api.specs.calls import parse_call, written
from sayso.targets.api.specs.described import api_brought
from sayso.targets.api.specs.facade import Spec
from sayso.targets.api.specs.functions import api_of
from sayso.targets.api.specs.lessons import all_lessons
from sayso.targets.api.specs.mocked import read_by_server
from sayso.targets.api.specs.model import as_row, from_row
from sayso.targets.api.specs.reader import reader_of, right_chance
from sayso.targets.api.specs.scoring import accepted
from sayso.targets.api.specs.system import facts_of

pytest.importorskip("yaml")
OWN = Path(__file__).parents[4] / "src" / "sayso" / "targets" / "api" / "data" / "own"


@pytest.fixture(scope="module")
def tickets(tmp_path_factory: pytest.TempPathFactory) -> Spec:
    return open_api(OWN / "tickets.yaml", tmp_path_factory.mktemp("cache"))


def first(spec: Spec, text: str) -> str:
    request = Request(text, (Piece("text", "2026-03-18T10:00:00+01:00", "now"),))
    return spec.system.translator.translate([request], 1)[0][0].text


@pytest.mark.parametrize(
    ("text", "operation", "arguments"),
    [
        ("book 30 minutes on OPS-7", "logWork", {"key": "OPS-7", "body": {"minutes": 30}}),
        ("book 2 hours on OPS-7", "logWork", {"key": "OPS-7", "body": {"minutes": 120}}),
        (
            "tag APP-3 with ios and slow",
            "addTicketLabels",
            {"key": "APP-3", "body": {"labels": ["ios", "slow"]}},
        ),
        (
            "comment on WEB-2: it's done & dusted",
            "addComment",
            {"key": "WEB-2", "body": {"text": "it's done & dusted"}},
        ),
        ("list tickets created since yesterday", "listTickets", {"created_after": "2026-03-17"}),
    ],
)
def test_values_are_read_by_their_kind(tickets: Spec, text: str, operation: str, arguments: dict[str, Any]) -> None:
    assert first(tickets, text) == written(operation, arguments)


def test_what_is_missing_is_asked_for_and_nothing_irrelevant_is_answered(tickets: Spec) -> None:
    system = tickets.system
    asks = system.remarks(Request("delete a comment on WEB-88"), 1)
    assert asks.facts["missing"] == ["comment_id"] and asks.question and "comment_id" in asks.question.text
    assert "no operation" in system.remarks(Request("what is the capital of Peru"), 1).reason


def test_every_answer_is_taken_by_the_server_that_the_description_makes(tickets: Spec) -> None:
    pytest.importorskip("starlette")
    api = tickets.reader.api
    taken = 0
    for lesson in all_lessons(list(api.operations), 5, 1, 20):
        text = first(tickets, lesson.text)
        if not tickets.check(text):
            read = read_by_server(api, text)
            assert read is not None
            assert parse_call(read) == parse_call(text)
            taken += 1
    assert taken > 3


def test_lessons_are_the_same_for_the_same_seed(tickets: Spec) -> None:
    operations = list(tickets.reader.api.operations)
    assert all_lessons(operations, 1, 2, 100) == all_lessons(operations, 1, 2, 100)
    assert all_lessons(operations, 1, 2, 100) != all_lessons(operations, 2, 2, 100)


def test_rows_of_operations_are_read_back(tickets: Spec) -> None:
    for one in tickets.reader.api.operations:
        assert from_row(as_row(one)) == one


def test_what_is_taught_is_known_from_then_on(tmp_path: Path) -> None:
    path, request = write(tmp_path), "binge on grellish stuff"
    call = 'listItems {"colour": "red"}'
    before = first(open_api(path, tmp_path / "cache"), request)
    found = teach(path, tmp_path / "cache", tmp_path / "taught.jsonl", request, call)
    assert before != call and found["right_before"] == 0 and found["right_after"] == 1
    spec = open_api(path, tmp_path / "cache", taught=tmp_path / "taught.jsonl")
    assert first(spec, "show grellish items") == call
    again = spec.reader.read("Binge on grellish  stuff!", k=2)
    assert again[0].text == call and right_chance(again) > 0.9 > right_chance(spec.reader.read("grellish", k=2))
    gone = replace(spec.reader, taught={request: "paintItem {}"})
    assert gone.read(request, k=1)[0].operation.id == "listItems"


def test_calls_follow_what_is_said_after_them(tickets: Spec) -> None:
    calls = tickets.calls
    start = 'logWork {"body": {"minutes": 5}, "key": "OPS-1"}'
    changed = calls.follow(start, "make it 20 minutes", ())
    assert changed.candidates[0].text == 'logWork {"body": {"minutes": 20}, "key": "OPS-1"}'
    assert calls.follow(changed.candidates[0].text, "undo that", (start,)).candidates[0].text == start
    assert calls.follow(start, "what a day", ()).reason
    assert calls.risk(start).level == "writes" and calls.risk('deleteTicket {"key": "OPS-1"}').level == "destroys"
    assert next(note.text for note in calls.explain(start)) == "logWork"


def test_functions_are_operations_with_a_body() -> None:
    parameters = {
        "type": "dict",
        "properties": {"base": {"type": "float"}, "height": {"type": "float"}},
        "required": ["base"],
    }
    api = api_of([{"name": "area.of", "description": "Area of a triangle.", "parameters": parameters}])
    found = reader_of(api).read("area of a triangle with a base of 10 and a height of 5.5")[0]
    assert found.operation.id == "area.of" and found.filled.arguments == {"body": {"base": 10, "height": 5.5}}


@pytest.mark.parametrize(
    ("given", "truth", "right"),
    [
        ({"a": "New York, NY"}, {"a": ["new york ny"]}, True),
        ({"a": 5}, {"a": [5.0], "b": ["", 2]}, True),
        ({"a": 5, "c": 1}, {"a": [5]}, False),
        ({}, {"a": [5]}, False),
        ({"a": [1, 2]}, {"a": [[1, 2]]}, True),
        ({"a": True}, {"a": [1]}, False),
        ({"a": {"x": "b"}}, {"a": [{"x": ["B"], "y": [""]}]}, True),
    ],
)
def test_published_answers_are_held_against_as_published(
    given: dict[str, Any], truth: dict[str, Any], right: bool
) -> None:
    assert accepted(given, truth) is right


def test_a_name_with_an_apostrophe_stays_one_value(tmp_path: Path) -> None:
    reader = reader_of(api_at(write(tmp_path)))
    found = reader.read('add an item titled "O\'Brien & co"')[0]
    assert found.filled.arguments == {"body": {"title": "O'Brien & co"}}


def test_what_is_told_of_a_call_is_lower_where_words_are_left_over() -> None:
    """How often such a call is right, not whether the API does such things at all."""
    reader = reader_of(api_brought("spec", "tickets"))
    whole = reader.read("log 45 minutes on OPS-142", k=2)
    spare = reader.read('log 45 minutes on OPS-142 for "Dana" and "Milo" before "lunch"', k=2)
    assert len(spare[0].filled.unused) > len(whole[0].filled.unused)
    assert 0 < right_chance(spare) < right_chance(whole) < 1


def test_words_that_nobody_knows_are_named_and_make_a_call_less_sure(tickets: Spec) -> None:
    plain = tickets.reader.read("list tickets", k=2)
    strange = tickets.reader.read("list grobnak wibblen tickets", k=2)
    assert strange[0].operation.id == "listTickets" and strange[0].strange == ("grobnak", "wibblen")
    assert right_chance(strange) < 0.6 * right_chance(plain)
    assert facts_of(strange)["unused"] == ["grobnak", "wibblen"]


@pytest.mark.parametrize("text", ["list tickts", "tickets assigned to priyaq", "unassigned urgent tickets"])
def test_a_slip_of_the_pen_and_what_a_slot_takes_are_no_strange_words(tickets: Spec, text: str) -> None:
    assert tickets.reader.read(text, k=1)[0].strange == ()


def test_another_trunk_is_another_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace(tmp_path, tmp_path)
    mine = described.open_described(workspace).bundle
    assert mine and mine == described.open_described(workspace).bundle
    monkeypatch.setattr(described, "trunk_signature", lambda: "another")
    assert described.open_described(workspace).bundle != mine
