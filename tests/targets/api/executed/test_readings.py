"""Calls held against annotated readings: the same said in another order is the same, and anything less is not."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from sayso.core.types import Candidate, Example, Piece, Request
from sayso.targets.api.executed.readings import RightReading, answers_alike, is_reading
from sayso.targets.api.requests.readings import query_of_reading, read_query

NOW = "2026-03-18T10:00:00+01:00"


def example(*readings: dict[str, Any]) -> Example:
    request = Request("what was asked", (Piece("text", NOW, "now"),))
    return Example("one", request, tuple(map(json.dumps, readings)), {"domain": "mail", "now": NOW})


UNREAD = {
    "resource": "/me/messages",
    "filters": [["isRead", "eq", False], ["from.name", "eq", "beatrix"]],
    "orderby": ["receivedDateTime", "desc"],
    "top": 5,
}
LATEST = "ORDERBY message.receivedDateTime desc"
RIGHT = f"GET message FILTER message.from eq Beatrix FILTER message.isRead eq False {LATEST} TOP 5"


def test_order_and_case_say_nothing() -> None:
    assert is_reading(example(UNREAD), RIGHT)


@pytest.mark.parametrize(
    "call",
    [
        f"GET message FILTER message.from eq Beatrix {LATEST} TOP 5",
        f"GET message FILTER message.from eq Beatrix FILTER message.isRead eq True {LATEST} TOP 5",
        f"GET message FILTER message.from eq Bea FILTER message.isRead eq False {LATEST} TOP 5",
        RIGHT.replace("desc", "asc"),
        f"GET message FILTER message.from eq Beatrix FILTER message.isRead eq False {LATEST} TOP 4",
        "GET event FILTER event.organizer eq Beatrix",
        "no call at all",
    ],
)
def test_another_call_is_another_reading(call: str) -> None:
    assert not is_reading(example(UNREAD), call)


def test_times_are_compared_as_moments_in_the_zone_of_now() -> None:
    tomorrow = {
        "resource": "/me/events",
        "filters": [["start", "lt", "2026-03-20T00:00:00+01:00"], ["start", "ge", "2026-03-19T00:00:00+01:00"]],
    }
    assert is_reading(example(tomorrow), "GET event FILTER event.start eq tomorrow")
    assert not is_reading(example(tomorrow), "GET event FILTER event.start eq today")


def test_a_bound_that_cuts_nothing_off_falls_away() -> None:
    now = datetime(2026, 3, 18, 9, tzinfo=UTC)
    since = {"resource": "/me/messages", "filters": [["receivedDateTime", "ge", "2026-03-11T10:00:00+01:00"]]}
    ended = {**since, "filters": [*since["filters"], ["receivedDateTime", "lt", "2026-03-18T10:00:00+01:00"]]}
    cut = {**since, "filters": [*since["filters"], ["receivedDateTime", "lt", "2026-03-12T10:00:00+01:00"]]}
    plain = read_query(query_of_reading(since), now)
    assert read_query(query_of_reading(ended), now) == plain != read_query(query_of_reading(cut), now)


def test_any_accepted_reading_will_do_and_an_abstention_is_not_scored_apart() -> None:
    other = {**UNREAD, "top": 3}
    found = RightReading().measure(example(other, UNREAD), [Candidate(RIGHT, 0.9)])
    assert found == 1
    assert RightReading().measure(example(other, UNREAD), []) == 0


def test_the_service_tells_a_call_that_leaves_a_condition_out() -> None:
    pytest.importorskip("sqlalchemy", reason="the service needs sayso[api]")
    same = f"GET message FILTER message.isRead eq False FILTER message.from startswith Beatrix {LATEST} TOP 5"
    short = f"GET message FILTER message.from eq Beatrix {LATEST} TOP 5"
    assert answers_alike(example(UNREAD), [RIGHT, same, short]) == [True, True, False]
