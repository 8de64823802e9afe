"""What a call dropped is named: only words that are values, once each, whatever their case."""

from __future__ import annotations

from sayso.targets.api.evidence.unused_words import left_out

COUNTS = {"meetings": 50, "with": 40, "next": 9, "month": 3, "show": 90}


def test_a_dropped_value_is_named_and_what_the_call_has_is_not() -> None:
    call = "GET event FILTER event.start eq next month"
    assert left_out("dentist next month", call, COUNTS) == ["dentist"]
    assert left_out("Meetings with Ann next month", "GET event FILTER event.organizer eq ann", COUNTS) == []


def test_each_word_is_named_once_and_marks_and_numbers_never() -> None:
    assert left_out("yoga, Pilates and yoga 2 x 5!", "GET event", {"and": 5}) == ["yoga", "Pilates"]
