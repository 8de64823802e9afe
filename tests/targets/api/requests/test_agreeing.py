"""Calls whose times leave none: they are read wrongly, and nobody is shown them."""

from __future__ import annotations

import pytest

from sayso.targets.api.requests.agreeing import can_be_met
from sayso.targets.api.syntax.calls import parse_call


@pytest.mark.parametrize(
    ("call", "able"),
    [
        ("GET event FILTER event.start eq midnight FILTER event.start ge tomorrow at 9pm", False),
        ("GET event FILTER event.start ge tomorrow at 9pm FILTER event.start le tomorrow", True),
        ("GET message FILTER message.receivedDateTime gt friday FILTER message.receivedDateTime lt wednesday", True),
        ("GET message FILTER message.receivedDateTime gt may 2024 FILTER message.receivedDateTime lt 2023", False),
        ("GET message FILTER message.receivedDateTime gt last week FILTER message.sentDateTime lt last week", True),
        ("GET event FILTER event.start eq the full moon FILTER event.start eq tomorrow", True),
        ("GET event FILTER event.start eq tomorrow FILTER event.start ge tomorrow at 3pm", True),
        ("GET event", True),
        ("GET nothing FILTER nothing.start eq tomorrow", True),
    ],
)
def test_times_that_leave_none_are_told_from_those_that_leave_some(call: str, able: bool) -> None:
    assert can_be_met(parse_call(call)) is able
