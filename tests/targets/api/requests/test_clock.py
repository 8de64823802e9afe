"""Words of time as half-open intervals, on a Monday in Berlin; across a change of the clocks; and what is no time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import BadInstruction
from sayso.core.types import Workspace
from sayso.targets.api.corpus.okapi import load_okapi
from sayso.targets.api.requests.clock import Clock, interval_of
from sayso.targets.api.requests.odata import query_of
from sayso.targets.api.syntax.calls import Filter, parse_call
from sayso.targets.api.syntax.feasts import easter_of
from sayso.targets.api.syntax.schema import DOMAINS

BERLIN = ZoneInfo("Europe/Berlin")
CLOCK = Clock(datetime(2026, 11, 16, 11, 30, tzinfo=UTC), BERLIN)  # Monday, half past twelve on the wall


def told(words: str, ahead: bool = False, clock: Clock = CLOCK) -> str:
    span = interval_of(words, clock, ahead)
    start, end = (one.astimezone(clock.zone).strftime("%Y-%m-%d %H:%M") for one in (span.start, span.end))
    return start if span.is_moment else f"{start} {end}"


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("today", "2026-11-16 00:00 2026-11-17 00:00"),
        ("Tomorrow", "2026-11-17 00:00 2026-11-18 00:00"),
        ("the day before yesterday", "2026-11-14 00:00 2026-11-15 00:00"),
        ("last week", "2026-11-09 00:00 2026-11-16 00:00"),
        ("this weekend", "2026-11-21 00:00 2026-11-23 00:00"),
        ("last month", "2026-10-01 00:00 2026-11-01 00:00"),
        ("next quarter", "2027-01-01 00:00 2027-04-01 00:00"),
        ("2023", "2023-01-01 00:00 2024-01-01 00:00"),
        ("in 2023", "2023-01-01 00:00 2024-01-01 00:00"),
        ("December 2023", "2023-12-01 00:00 2024-01-01 00:00"),
        ("q1 2024", "2024-01-01 00:00 2024-04-01 00:00"),
        ("last 7 days", "2026-11-09 12:30 2026-11-16 12:30"),
        ("in the past two weeks", "2026-11-02 12:30 2026-11-16 12:30"),
        ("next 3 days", "2026-11-16 12:30 2026-11-19 12:30"),
        ("last 3 months", "2026-08-16 12:30 2026-11-16 12:30"),
        ("the last 24 hours", "2026-11-15 12:30 2026-11-16 12:30"),
        ("two hours ago", "2026-11-16 10:30 2026-11-16 11:30"),
        ("3 days ago", "2026-11-13 00:00 2026-11-14 00:00"),
        ("a couple of weeks ago", "2026-11-02 00:00 2026-11-09 00:00"),
        ("this Monday", "2026-11-16 00:00 2026-11-17 00:00"),
        ("last Monday", "2026-11-09 00:00 2026-11-10 00:00"),
        ("last Friday", "2026-11-13 00:00 2026-11-14 00:00"),
        ("next Friday", "2026-11-27 00:00 2026-11-28 00:00"),
        ("this morning", "2026-11-16 00:00 2026-11-16 12:00"),
        ("tomorrow afternoon", "2026-11-17 12:00 2026-11-17 18:00"),
        ("tonight", "2026-11-16 18:00 2026-11-17 00:00"),
        ("3pm", "2026-11-16 15:00"),
        ("noon", "2026-11-16 12:00"),
        ("12 am", "2026-11-16 00:00"),
        ("tomorrow at 9:15", "2026-11-17 09:15"),
        ("10:30 on Tuesday", "2026-11-10 10:30"),
        ("now", "2026-11-16 12:30"),
        ("start of the year", "2026-01-01 00:00"),
        ("the end of the month", "2026-12-01 00:00"),
        ("2024-05-03", "2024-05-03 00:00 2024-05-04 00:00"),
        ("3rd of May, 2024", "2024-05-03 00:00 2024-05-04 00:00"),
        ("13/3/2024", "2024-03-13 00:00 2024-03-14 00:00"),
        ("2024-05-03T10:00:00Z", "2024-05-03 12:00"),
        ("2024-05-03 10:00", "2024-05-03 10:00"),
        ("fri am", "2026-11-13 00:00 2026-11-13 12:00"),
        ("23:00 last night", "2026-11-15 23:00"),
        ("2:30 last night", "2026-11-16 02:30"),
        ("8:30 this evening", "2026-11-16 20:30"),
        ("9 in the morning", "2026-11-16 09:00"),
        ("tomorrow morning at 9", "2026-11-17 09:00"),
        ("this coming Friday", "2026-11-20 00:00 2026-11-21 00:00"),
        ("the coming week", "2026-11-23 00:00 2026-11-30 00:00"),
        ("the past fortnight", "2026-11-02 12:30 2026-11-16 12:30"),
        ("the trailing 90 days", "2026-08-18 12:30 2026-11-16 12:30"),
        ("the year to date", "2026-01-01 00:00 2026-11-16 12:30"),
        ("so far this month", "2026-11-01 00:00 2026-11-16 12:30"),
        ("the week of 4 November", "2026-11-02 00:00 2026-11-09 00:00"),
        ("week 10 of 2024", "2024-03-04 00:00 2024-03-11 00:00"),
        ("h1 2024", "2024-01-01 00:00 2024-07-01 00:00"),
        ("the second half of the year", "2026-07-01 00:00 2027-01-01 00:00"),
        ("two fridays ago", "2026-11-06 00:00 2026-11-07 00:00"),
        ("last Easter", "2026-04-05 00:00 2026-04-06 00:00"),
        ("Lent 2024", "2024-02-14 00:00 2024-03-31 00:00"),
        ("this Advent", "2026-11-29 00:00 2026-12-25 00:00"),
    ],
)
def test_words_stand_for_an_interval(words: str, meant: str) -> None:
    assert told(words) == meant


@pytest.mark.parametrize(
    ("words", "behind", "ahead"),
    [
        ("Friday", "2026-11-13", "2026-11-20"),
        ("Monday", "2026-11-16", "2026-11-16"),
        ("December", "2025-12-01", "2026-12-01"),
        ("November", "2026-11-01", "2026-11-01"),
        ("March 3rd", "2026-03-03", "2027-03-03"),
        ("the 31st", "2026-10-31", "2026-12-31"),
        ("Christmas", "2025-12-25", "2026-12-25"),
        ("Good Friday", "2026-04-03", "2027-03-26"),
        ("week 45", "2026-11-02", "2027-11-08"),
        ("week 53", "2020-12-28", "2026-12-28"),
        ("the weekend", "2026-11-14", "2026-11-21"),
        ("29 February", "2024-02-29", "2028-02-29"),
    ],
)
def test_a_bare_day_or_month_is_the_nearest_on_its_side(words: str, behind: str, ahead: str) -> None:
    assert (told(words)[:10], told(words, ahead=True)[:10]) == (behind, ahead)


def test_easter_is_where_the_church_has_it() -> None:
    """The earliest, the latest and some others of two centuries, from printed tables."""
    known = ("1913-03-23", "1943-04-25", "2000-04-23", "2008-03-23", "2011-04-24", "2024-03-31", "2038-04-25")
    assert [easter_of(int(one[:4])).isoformat() for one in known] == list(known)


def test_days_follow_the_wall_across_a_change_of_clocks() -> None:
    """On 25 October 2026 the day has 25 hours in Berlin."""
    monday = Clock(datetime(2026, 10, 26, 12, tzinfo=UTC), BERLIN)
    sunday = interval_of("yesterday", monday)
    assert sunday.end - sunday.start == timedelta(hours=25)
    assert told("last 2 days", clock=monday) == "2026-10-24 13:00 2026-10-26 13:00"
    assert interval_of("last 48 hours", monday).start == monday.now - timedelta(hours=48)


@pytest.mark.parametrize(
    "words",
    ["banana", "recently", "spring", "", "5/3/2024", "31 April", "25:00", "13 pm", "0 days", "last 9999 years",
     "next few days", "last winter", "week 60", "the 32nd", "2024-13-01", "q5 2024", "Smarch", "last", "may be",
     "the term", "shearing week"],
)  # fmt: skip
def test_what_leaves_the_time_open_is_refused(words: str) -> None:
    with pytest.raises(BadInstruction, match="no time that can be told exactly"):
        interval_of(words, CLOCK)


@given(st.text(max_size=30))
def test_any_words_are_a_time_or_one_clear_error(words: str) -> None:
    try:
        span = interval_of(words, CLOCK)
    except BadInstruction as error:
        assert error.hint
    else:
        assert span.start <= span.end


@given(
    st.datetimes(datetime(1980, 1, 1), datetime(2100, 1, 1)),
    st.sampled_from(["day", "week", "month", "quarter", "year"]),
)
def test_last_this_and_next_touch(now: datetime, unit: str) -> None:
    clock = Clock(now.replace(tzinfo=UTC), BERLIN)
    before, here, after = (interval_of(f"{way} {unit}", clock) for way in ("last", "this", "next"))
    assert before.end == here.start and here.end == after.start
    assert here.start <= clock.now.replace(microsecond=0) < here.end


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_time_of_the_real_corpus_is_told(domain: str, corpora: Path) -> None:
    workspace = Workspace(corpora, corpora)
    calls = {one.references[0] for one in load_okapi("length", domain, workspace, "train")}
    timed = [
        call
        for call in calls
        if any(isinstance(one, Filter) and "ime" in one.property for one in parse_call(call).clauses)
    ]
    for call in timed:
        query_of(call, CLOCK)
    assert timed or domain == "calendar"
