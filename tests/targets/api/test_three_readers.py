"""The trunk as a third reader of mail, calendar and files: what of what it says is a reading, and who is believed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from sayso.core.types import Candidate, Request
from sayso.targets.api.syntax.calls import parse_call
from sayso.targets.api.systems.asking import Asked
from sayso.targets.api.systems.three_readers import ALL, TRUNK, WHO, decided_of_three, features_of_three
from sayso.targets.api.systems.trunk import told_of, trunk_readings
from sayso.targets.api.systems.two_readers import FEATURES, PARSER, READER, Both, features_of
from sayso.targets.api.systems.wording.reading import UNTOLD, Told

ANN = "GET message FILTER message.from eq Ann"
BO = "GET message FILTER message.from eq Bo"
ROTA = "GET message SEARCH rota FILTER message.from eq Ann"


@dataclass(frozen=True)
class Says:
    texts: Sequence[tuple[str, float]]

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [[Candidate(*one) for one in self.texts]]


def test_calls_that_can_be_asked_and_reasons_are_readings() -> None:
    said = Says([(ROTA, 0.6), ("- deed", 0.2), ("- perhaps", 0.1), ("GET nothing", 0.1), ("mails", 0.1)])
    found = trunk_readings(said, "mails from Ann about the rota")
    assert [(one.nothing, str(one.call or "")) for one in found] == [
        ("", "GET message FILTER message.from eq Ann SEARCH rota"),
        ("deed", ""),
    ]
    assert [round(math.exp(one.score), 3) for one in found] == [0.6, 0.2]


@pytest.mark.parametrize(
    "said",
    [
        "GET message FILTER message.from eq Cara",
        "GET message FILTER message.colour eq Ann",
        "GET message FILTER message.from gt Ann",
        "GET message FILTER message.receivedDateTime eq last week",
        "GET message TOP 5",
        "GET message FILTER message.from eq",
        "POST message",
    ],
)
def test_what_breaks_a_rule_or_is_not_said_is_no_reading(said: str) -> None:
    assert told_of(said, "five mails from Ann about the rota") is None


def test_a_time_that_no_clock_tells_is_why_there_is_no_call() -> None:
    found = told_of("GET message FILTER message.receivedDateTime ge the storm", "mails since the storm")
    assert found and found.call is None and (found.nothing, found.words) == (UNTOLD, "the storm")
    silent = decided_of_three(replace(both(), heard=(found,), told=(found,)), 5, believing())
    assert silent.abstained and "'the storm'" in silent.reason and "say it as a date" in silent.reason


def test_readings_with_values_in_one_form_are_one() -> None:
    place = "GET event FILTER event.location eq"
    found = trunk_readings(Says([(f"{place} the mill", 0.5), (f"{place} mill", 0.25)]), "fittings at the mill")
    assert [str(one.call) for one in found] == [f"{place} mill"]
    assert math.exp(found[0].score) == pytest.approx(0.75)


def test_words_in_no_value_are_counted() -> None:
    assert told_of(ANN, "mails from Ann about Oslo 12").unread == 2  # type: ignore[union-attr]


def both(trunk: str = "", reader: str = "", parser: str = "", nothing: float = 0.0) -> Both:
    heard = [Told(parse_call(trunk), "", -0.1)] if trunk else []
    heard += [Told(None, "off", math.log(nothing))] if nothing else []
    told = (Told(parse_call(reader), "", -0.2),) if reader else ()
    asked = Asked("email", (Candidate(parser, 0.6),) if parser else (), not parser)
    return Both(asked, told, words=4, heard=tuple(heard))


def believing(**much: float) -> dict[str, dict[str, float]]:
    return {who: {**dict.fromkeys(ALL, 0.0), "bias": much.get(who, -9.0)} for who in WHO}


def test_the_likeliest_is_answered_with_its_chance_and_the_others_stand_behind() -> None:
    found = decided_of_three(both(ROTA, ANN, BO), 5, believing(trunk=1.0, reader=0.0, parser=-2.0))
    assert [one.text for one in found.candidates] == ["GET message FILTER message.from eq Ann SEARCH rota", ANN, BO]
    assert found.candidates[0].score == pytest.approx(1 / (1 + math.exp(-1)), abs=1e-4)
    assert not found.abstained and found.domain == "email"
    other = decided_of_three(both(ROTA, ANN, BO), 5, believing(trunk=-1.0, reader=-2.0, parser=1.0))
    assert other.candidates[0].text == BO


def test_nothing_is_said_where_none_is_likely_enough_or_none_has_a_call() -> None:
    unsure = decided_of_three(both(ROTA, ANN, BO), 5, believing(trunk=-2.0))
    assert unsure.abstained and unsure.candidates and unsure.reason
    silent = decided_of_three(both(nothing=0.9), 5, believing(trunk=2.0))
    assert silent.abstained and not silent.candidates


def test_what_is_known_of_three_begins_with_what_is_known_of_two() -> None:
    known = features_of_three(both(ANN, ANN, BO, nothing=0.3))
    assert {name: known[name] for name in FEATURES} == features_of(both(ANN, ANN, BO))
    assert (known["trunk and reader"], known["trunk and parser"]) == (1.0, 0.0)
    assert known["trunk: nothing"] == pytest.approx(0.3)
    without = features_of_three(replace(both(ANN, ANN, BO), heard=()))
    assert without["trunk silent"] == 1.0 and without["trunk's lead"] == 0.0
    assert (TRUNK, READER, PARSER) == WHO


def test_a_trunk_that_reads_alone_is_weighed() -> None:
    known = features_of_three(both(ROTA))
    assert known["trunk and reader"] == known["trunk and parser"] == known["trunk second"] == 0.0
    assert decided_of_three(both(ROTA), 5, believing(trunk=1.0)).candidates[0].text == str(parse_call(ROTA)).replace(
        "SEARCH rota FILTER message.from eq Ann", "FILTER message.from eq Ann SEARCH rota"
    )
