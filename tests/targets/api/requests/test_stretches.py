"""Times with two ends, hours within a day and bare lengths of time become intervals; what is vague does not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sayso.core.errors import BadInstruction
from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.requests.odata import query_of, url_of
from sayso.targets.api.requests.stretches import stretch_of

WEDNESDAY = Clock(datetime(2026, 3, 18, 10, tzinfo=UTC), UTC)


@pytest.mark.parametrize(
    ("words", "ahead", "start", "end"),
    [
        ("between monday and wednesday", True, "2026-03-23T00:00", "2026-03-26T00:00"),
        ("friday to monday", False, "2026-03-13T00:00", "2026-03-17T00:00"),
        ("from 1 jan to 31 march", False, "2026-01-01T00:00", "2026-04-01T00:00"),
        ("march through june 2024", False, "2024-03-01T00:00", "2024-07-01T00:00"),
        ("between the 3rd and the 9th", True, "2026-04-03T00:00", "2026-04-10T00:00"),
        ("tomorrow before 9am", True, "2026-03-19T00:00", "2026-03-19T09:00"),
        ("after 5pm last friday", False, "2026-03-13T17:00", "2026-03-14T00:00"),
        ("thursday between 2 and 4pm", True, "2026-03-19T14:00", "2026-03-19T16:00"),
        ("between 10 and 1pm tomorrow", True, "2026-03-19T10:00", "2026-03-19T13:00"),
        ("between 2026-01-05 and 2026-01-12", False, "2026-01-05T00:00", "2026-01-13T00:00"),
        ("tomorrow from 22:00 to 02:00", True, "2026-03-19T22:00", "2026-03-20T02:00"),
        ("from 9pm to midnight tomorrow", True, "2026-03-19T21:00", "2026-03-20T00:00"),
        ("tomorrow until midnight", True, "2026-03-19T00:00", "2026-03-20T00:00"),
        ("9:30 to 5:15 tomorrow", True, "2026-03-19T09:30", "2026-03-19T17:15"),
        ("30 days", False, "2026-02-16T10:00", "2026-03-18T10:00"),
        ("30 days", True, "2026-03-18T10:00", "2026-04-17T10:00"),
        ("last week", False, "2026-03-09T00:00", "2026-03-16T00:00"),
    ],
)
def test_two_ends_and_hours_are_one_time(words: str, ahead: bool, start: str, end: str) -> None:
    found = stretch_of(words, WEDNESDAY, ahead)
    assert [one.strftime("%Y-%m-%dT%H:%M") for one in (found.start, found.end)] == [start, end]


@pytest.mark.parametrize(
    "words", ["tomorrow after lunch", "between now and then", "a while", "from here to there", "25pm", "05-03-2024"]
)
def test_what_is_vague_is_refused(words: str) -> None:
    with pytest.raises(BadInstruction):
        stretch_of(words, WEDNESDAY)


def test_of_a_time_as_long_as_a_page_nothing_is_tried() -> None:
    from time import perf_counter

    start = perf_counter()
    with pytest.raises(BadInstruction):
        stretch_of("1-" * 4_000, WEDNESDAY)
    assert perf_counter() - start < 0.5  # 10 s where every cut of it is read


def test_hours_of_a_day_and_types_by_or_reach_the_request() -> None:
    call = "GET drive.sharedWithMe FILTER file.fileType eq pdf or word FILTER file.sharedBy eq Bo"
    query = url_of(query_of(call, WEDNESDAY))
    assert "endswith(name,%27.pdf%27)%20or%20endswith(name,%27.doc%27)" in query
    assert "startswith(shared/sharedBy/user/displayName,%27Bo%27)" in query
