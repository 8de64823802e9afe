"""How the api tasks read pairs for a grammar, and who answers when it does not."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from sayso import induction
from sayso.core.types import Candidate, Example, Request, Workspace
from sayso.induction import Grammar, Settings
from sayso.induction.grammar import shown
from sayso.induction.learn import fit
from sayso.targets.api.systems import induced
from sayso.targets.api.systems.induced import SYSTEMS, Induced, meant, pairs_of, said


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


EMBEDDED = sorted(SYSTEMS)


@pytest.mark.parametrize("name", EMBEDDED)
def test_the_embedded_grammars_open_and_answer(name: str, tmp_path: Path) -> None:
    system = SYSTEMS[name](Workspace(tmp_path, tmp_path))
    assert isinstance(system.translator, Induced) and system.bundle
    grammar = system.translator.grammar
    phrases = [shown(source) for source, _ in grammar.spelt if not any(isinstance(item, int) for item in source)]
    assert all(answers for answers in system.translator.translate([Request(phrase) for phrase in phrases]))
    assert system.translator.translate([Request("show my five most recent unread mails from Anna")]) == [[]]


def test_no_word_of_scan_stands_in_the_code() -> None:
    words = {item for name in EMBEDDED for rule in embedded_rules(name) for side in rule for item in side}
    assert len(words) > 15
    modules = [Path(str(induced.__file__)), *Path(str(induction.__file__)).parent.glob("*.py")]
    assert len(modules) > 8
    for module in modules:
        literals = {
            node.value for node in ast.walk(ast.parse(module.read_text())) if isinstance(node, ast.Constant)
        }  # docstrings are whole texts, so that a word in one of them is no literal
        assert not literals & words, module


def embedded_rules(name: str) -> list[list[list[str]]]:
    folder = induced.BUNDLES / f"api-{name}"
    return [
        [[item for item in side if isinstance(item, str)] for side in rule]
        for rule in json.loads((folder / "grammar.json").read_text())["rules"]
    ]
