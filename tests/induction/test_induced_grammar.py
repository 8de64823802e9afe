"""A grammar learned from a part of a language speaks the rest of it, and keeps silent outside it."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadBundle
from sayso.core.types import Request
from sayso.induction import Grammar, Settings, from_json, learn, load_grammar, save_grammar, to_json
from sayso.induction.grammar import shown
from sayso.induction.learn import fit
from sayso.neural.bundle import load_bundle, write_bundle

Pairs = list[tuple[str, str]]


@pytest.fixture(scope="module")
def grammar(language: Pairs) -> Grammar:
    """Learned without any sentence that has `softly` and `triply` together, nor one with two `triply`."""
    return learn([pair for pair in language if not unheard(pair[0])])


def unheard(said: str) -> bool:
    return "softly triply" in said or said.count("triply") == 2


def rules(grammar: Grammar) -> set[str]:
    return {f"{shown(source)} -> {shown(target)}" for source, target in grammar.spelt}


def answer(grammar: Grammar, said: str) -> str:
    found = grammar.translate([Request(said)])[0]
    return found[0].text if found else ""


def test_the_rules_are_those_of_the_language(grammar: Grammar) -> None:
    assert rules(grammar) == {
        "sing -> la",
        "drum -> bum",
        "clap -> paf",
        "hum -> mm",
        "softly -> hush",
        "[1] [2] -> [2] [1]",
        "[1] doubly -> [1] [1]",
        "[1] triply -> [1] [1] [1]",
        "[1] then [2] -> [1] [2]",
        "[1] once [2] -> [2] [1]",
    }


def test_combinations_never_heard_are_derived(grammar: Grammar, language: Pairs) -> None:
    held = [pair for pair in language if unheard(pair[0])]
    assert len(held) > 300
    assert [said for said, meant in held if answer(grammar, said) != meant] == []


def test_repetition_binds_tighter_than_joining(grammar: Grammar) -> None:
    # Both readings are derivations; only one was ever seen.
    assert {one.text for one in grammar.derive("sing then hum doubly", k=5)} >= {"la mm mm", "la mm la mm"}
    assert answer(grammar, "sing then hum doubly") == "la mm mm"


@pytest.mark.parametrize("said", ["", "   ", "whistle doubly", "sing then", "doubly", "sing " * 40])
def test_what_no_rule_covers_gets_no_answer(grammar: Grammar, said: str) -> None:
    assert grammar.translate([Request(said)], k=3) == [[]]


def test_an_answer_below_the_gate_is_not_given(grammar: Grammar) -> None:
    strict = Grammar(grammar.spelt, grammar.weights, 1.1, grammar.longest)
    assert strict.derive("sing doubly")[0].text == "la la"
    assert strict.translate([Request("sing doubly")]) == [[]]


def test_candidates_are_sorted_shares_of_the_derivations(grammar: Grammar) -> None:
    found = grammar.derive("sing then hum doubly once clap", k=3)
    scores = [one.score for one in found]
    assert len(found) == 3 and scores == sorted(scores, reverse=True) and 0 < sum(scores) <= 1 + 1e-9


def test_pairs_without_a_system_close_the_gate() -> None:
    draw = random.Random(3)
    words = [f"w{number}" for number in range(12)]
    noise = [(" ".join(draw.choices(words, k=4)), " ".join(draw.choices("abcdef", k=5))) for _ in range(300)]
    learned = learn(noise)
    assert math.isinf(learned.sure)
    assert not any(learned.translate([Request(said) for said, _ in noise]))


def test_few_pairs_or_none_are_no_error() -> None:
    assert learn([]).translate([Request("sing")]) == [[]]
    assert learn([("sing", "la")]).translate([Request("hum")]) == [[]]


@given(st.integers(0, 10**6))
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_renaming_the_words_renames_the_grammar(language: Pairs, number: int) -> None:
    draw = random.Random(number)
    pairs = draw.sample(language, 250)
    words = sorted({word for pair in pairs for side in pair for word in side.split()})
    names = dict(zip(words, draw.sample([f"z{n}" for n in range(1000)], len(words)), strict=True))

    def renamed(text: str) -> str:
        return " ".join(names.get(word, word) for word in text.split())

    plain = fit(pairs, Settings(), 0.5)
    other = fit([(renamed(said), renamed(meant)) for said, meant in pairs], Settings(), 0.5)
    assert [(renamed(shown(a)), renamed(shown(b))) for a, b in plain.spelt] == [
        (shown(a), shown(b)) for a, b in other.spelt
    ]
    assert plain.weights == other.weights


def test_json_and_bundle_give_the_same_grammar_back(grammar: Grammar, language: Pairs, tmp_path: Path) -> None:
    saved = save_grammar(tmp_path / "toy", grammar, name="toy")
    loaded = load_grammar(load_bundle(saved.folder))
    assert to_json(loaded) == to_json(grammar) == to_json(from_json(json.loads(json.dumps(to_json(grammar)))))
    asked = [Request(said) for said, _ in language[::37]]
    assert loaded.translate(asked, k=3) == grammar.translate(asked, k=3)


@pytest.mark.parametrize(
    "content",
    [
        b"[]",
        b"{}",
        b'{"sure": 1, "longest": 9, "rules": [[["a", 2], ["b"]]], "counts": []}',
        b'{"sure": 1, "longest": 9, "rules": [[["a"], []]], "counts": []}',
        b'{"sure": 1, "longest": 9, "rules": [[["a"], ["b"]]], "counts": [[0, 0, [[7, 1.0]]]]}',
    ],
)
def test_a_bundle_with_something_else_in_it_is_refused(content: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    write_bundle(
        folder, name="odd", target="api", kind="induced", settings={}, files={"grammar.json": content}, licence="x"
    )
    with pytest.raises(BadBundle, match=r"no grammar|grammar\.json"):
        load_grammar(load_bundle(folder))


def test_a_reading_that_was_always_passed_over_does_not_win_for_want_of_another() -> None:
    """`spin round` is four spins, `walk round` is something else: a deed never heard with `round` follows the deeds."""
    deeds = {word: word.upper() for word in ("walk", "jump", "run", "hop")}
    ways = {"east": "E", "west": "W"}
    ones = [(f"{deed} {way}", f"{x} {y}") for deed, y in deeds.items() for way, x in ways.items()]
    ones += [(f"{deed} twin {way}", f"{x} {x} {y}") for deed, y in deeds.items() for way, x in ways.items()]
    ones += [(f"{deed} round {way}", f"{x} {y} {x} {y}") for deed, y in deeds.items() for way, x in ways.items()]
    for way, x in ways.items():
        ones += [(f"spin {way}", x), (f"spin twin {way}", f"{x} {x}"), (f"spin round {way}", f"{x} {x} {x}")]
    ones += deeds.items()
    pairs = [
        *ones,
        *((f"{said} {n}", " ".join([meant] * k)) for said, meant in ones for n, k in (("bis", 2), ("ter", 3))),
    ]
    pairs += [(f"{a} then {b}", f"{x} {y}") for a, x in pairs for b, y in pairs[::15]]

    def held(said: str) -> bool:
        return "hop round" in said or any(f"round {way} ter" in said for way in ways)

    grammar = fit([pair for pair in pairs if not held(pair[0])], Settings(), 0.5)
    assert answer(grammar, "hop round east") == "E HOP E HOP"
    assert answer(grammar, "hop round west ter then run") == " ".join(["W HOP W HOP"] * 3 + ["RUN"])
