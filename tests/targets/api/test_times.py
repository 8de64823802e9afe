"""Times in calls: words and figures that are one, and what is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.types import Workspace
from sayso.targets.api.corpus.okapi import load_okapi
from sayso.targets.api.language import check
from sayso.targets.api.syntax.calls import Filter, parse_call
from sayso.targets.api.syntax.times import is_time, near_time
from sayso.targets.api.systems.layout import time_properties


@pytest.mark.parametrize(
    "value",
    [
        "today",
        "Last Friday",
        "two hours ago",
        "3 days ago",
        "noon",
        "march",
        "new year's eve",
        "2024-05-03",
        "in 2 weeks",
        "2024-05-03T10:00:00Z",
        "3pm",
        "10:30",
        "3rd of May",
        "May 3, 2024",
        "the end of the month",
    ],
)
def test_a_time_is_taken(value: str) -> None:
    assert is_time(value)
    assert check(f"GET event FILTER event.start gt {value}") == []


@pytest.mark.parametrize("value", ["banana", "last modified", "the", "between monday", "Bo", "7", "last"])
def test_what_is_none_gets_one_line(value: str) -> None:
    assert not is_time(value)
    (found,) = check(f"GET event FILTER event.start gt {value}")
    assert found.message.startswith("event.start is compared with a time") and f"and {value} is none" in found.message


def test_a_slip_is_named() -> None:
    assert near_time("nxt fridy") == "next friday"
    (found,) = check("GET message FILTER message.sentDateTime eq tomorow")
    assert found.message.endswith("did you mean tomorrow?")


@given(st.text(max_size=12))
def test_what_mends_a_slip_is_a_time(value: str) -> None:
    mended = near_time(value)
    assert not mended or is_time(mended)


@pytest.mark.slow
def test_every_time_of_the_corpus_is_one(workspace: Workspace) -> None:
    values = {
        clause.value
        for split in ("length", "program")
        for domain in ("document", "email", "calendar")
        for one in load_okapi(split, domain, workspace, "train")
        for clause in parse_call(one.references[0]).clauses
        if isinstance(clause, Filter) and clause.property in time_properties()
    }
    assert len(values) > 40 and [value for value in values if not is_time(value)] == []
