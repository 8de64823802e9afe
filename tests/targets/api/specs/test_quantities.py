"""Numbers as people say them, percent both ways, and days that lie behind or ahead."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.specs.functions import api_of
from sayso.targets.api.specs.said.quantities import quantity
from sayso.targets.api.specs.said.spans import said
from sayso.targets.api.specs.slots.options import options_of
from sayso.targets.api.specs.words import tokens

NOW = Clock(datetime(2024, 5, 15, 12, tzinfo=UTC), UTC)


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("two dozen eggs", 24, 2),
        ("half a dozen eggs", 6, 3),
        ("three and a half stars", 3.5, 4),
        ("twenty-five people", 25, 1),
        ("two hundred ml", 200, 2),
        ("half an hour", 0.5, 1),
        ("quarter of an hour", 0.25, 1),
        ("1.2 million", 1_200_000, 2),
        ("a couple", None, 0),
        ("couple of days", 2, 1),
        ("the 3rd", None, 0),
    ],
)
def test_a_number_is_read_with_all_that_belongs_to_it(text: str, value: float | None, words: int) -> None:
    found = quantity(tokens(text), 0)
    assert (found and found.value) == value
    assert found is None or found.last == words


@given(st.integers(0, 10**9), st.sampled_from(["", " dozen", " thousand"]))
def test_what_is_written_in_digits_comes_back(number: int, scale: str) -> None:
    found = quantity(tokens(f"{number}{scale} things"), 0)
    assert found is not None
    assert found.value == number * {"": 1, " dozen": 12, " thousand": 1000}[scale]
    assert quantity(tokens(f"minus {number}"), 1).value == -number  # type: ignore[union-attr]


def values(text: str, **slot: Any) -> list[Any]:
    described = {"name": "book", "description": "", "parameters": {"type": "dict", "properties": {"it": slot}}}
    (operation,) = api_of([described]).operations
    return [one.value for one in options_of(said(text, NOW), operation)]


def test_percent_is_what_is_said_and_a_hundredth() -> None:
    found = values("at 6.9 percent", type="float", description="Yearly rate")
    assert 6.9 in found and 0.069 in found


def test_a_bare_day_lies_behind_or_ahead() -> None:
    found = values("on the 20th", type="string", format="date")
    assert {"2024-04-20", "2024-05-20"} <= set(found)


def test_the_end_of_a_month_is_its_last_day() -> None:
    found = values("until the end of August", type="string", format="date")
    assert "2024-08-31" in found and "2024-09-01" not in found


def test_of_two_days_the_first_borrows_the_month() -> None:
    found = values("from 2 to 23 June", type="string", format="date")
    assert {"2024-06-02", "2024-06-23"} <= set(found)


def test_a_choice_that_no_word_says_is_tried_too() -> None:
    found = values("cheapest first", type="string", enum=["price", "rating"], description="Order")
    assert {"price", "rating"} <= set(found)
    assert {True, False} <= set(values("no smoking please", type="boolean", description="Whether guests may smoke"))
