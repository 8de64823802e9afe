"""How the api tasks read pairs for a grammar, and who answers when it does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from sayso.core.types import Candidate, Example, Request
from sayso.targets.api._induced import Induced, meant, pairs_of, said
from sayso.translate.induction import Grammar, Settings
from sayso.translate.induction.learn import fit


@dataclass(frozen=True)
class Parrot:
    """Translator that repeats the request."""

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [[Candidate(request.text, 0.1)] for request in requests]


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    ones = [("sing", "la"), ("hum", "mm"), ("clap", "paf")]
    pairs = [(f"{a} then {b}", f"{x} {y}") for a, x in ones for b, y in ones]
    return fit(pairs, Settings(), 0.5)


def test_case_and_punctuation_of_a_request_do_not_count() -> None:
    assert said("  Sing, then HUM! ") == said("sing then hum") == "sing then hum"


def test_clauses_are_put_into_one_order_and_other_targets_are_left_alone() -> None:
    assert meant("GET message TOP 5 COUNT") == meant("GET message COUNT TOP 5")
    assert meant("la  la mm") == "la la mm"


def test_pairs_come_from_the_first_reference() -> None:
    assert pairs_of([Example("a", Request("Sing!"), ("la", "mm"))]) == [("sing", "la")]


def test_the_other_system_answers_what_the_grammar_does_not(grammar: Grammar) -> None:
    asked = [Request("whistle"), Request("Hum then sing."), Request("hum or sing")]
    found = Induced(grammar, Parrot()).translate(asked)
    assert [answers[0].text for answers in found] == ["whistle", "mm la", "hum or sing"]
    assert [len(answers) for answers in Induced(grammar).translate(asked)] == [0, 1, 0]
