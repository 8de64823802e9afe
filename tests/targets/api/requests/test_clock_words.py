"""Words of time as people type them: shortened, mistyped, counted within a month."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sayso.core.errors import BadInstruction
from sayso.targets.api.requests.clock import Clock, interval_of

CLOCK = Clock(datetime(2026, 3, 18, 10, tzinfo=UTC), UTC)


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("yday", "yesterday"),
        ("tmrw mornin", "tomorrow morning"),
        ("nxt wk", "next week"),
        ("last 48h", "last 48 hours"),
        ("3d ago", "3 days ago"),
        ("2 weeks back", "2 weeks ago"),
        ("0930 tomorrow", "9:30 tomorrow"),
        ("4.30am tmrw", "4:30am tomorrow"),
        ("sunady", "sunday"),
        ("febuary 2025", "february 2025"),
        ("saturday the 14th", "the 14th"),
        ("half past eight", "8:30"),
        ("quarter to nine tomorrow", "8:45 tomorrow"),
        ("kw 12", "week 12"),
        ("the week before last", "2 weeks ago"),
        ("the past half hour", "last 30 minutes"),
        ("all of may", "may"),
        ("the first of may", "1 may"),
        ("the 2nd of the month", "2026-03-02"),
        ("the last friday of february", "2026-02-27"),
        ("the second thursday in may 2026", "2026-05-14"),
        ("first monday of next month", "2026-04-06"),
    ],
)
def test_what_is_typed_is_told_as_what_is_meant(said: str, plain: str) -> None:
    assert interval_of(said, CLOCK) == interval_of(plain, CLOCK)


def test_a_week_of_a_month_has_seven_days() -> None:
    found = interval_of("the third week of january", CLOCK)
    assert (found.start.isoformat()[:10], found.end.isoformat()[:10]) == ("2026-01-15", "2026-01-22")


@pytest.mark.parametrize(
    "name",
    [
        "marco",
        "mai",
        "juno",
        "augusta",
        "mona",
        "spring",
        "31st of last month",
        "the 31st of last month",
        "last idea in mind",
    ],
)
def test_names_and_what_no_clock_tells_stay_what_they_are(name: str) -> None:
    with pytest.raises(BadInstruction):
        interval_of(name, CLOCK)
