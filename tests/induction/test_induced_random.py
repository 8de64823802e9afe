"""Languages drawn at random: what is learned from two thirds of one derives the rest."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.induction import Settings
from sayso.induction.chart import solve
from sayso.induction.factor import factor
from sayso.induction.learn import fit
from sayso.induction.phrases import first_phrases
from sayso.induction.rules import Rule, holes_of

PATTERNS = ("X X", "X X X", "c X", "X c", "c X c", "c X c X", "X X d")
JOINS = ("X Y", "Y X", "X c Y", "Y d X", "X Y X", "X Y Y")
Pairs = list[tuple[str, str]]


@st.composite
def languages(draw: st.DrawFn) -> Pairs:
    """All sentences of: nouns with a target of one or two words, modifiers before or after, one joining word."""
    nouns = {f"n{at}": " ".join(f"N{at}{part}" for part in range(draw(st.integers(1, 2)))) for at in range(4)}
    patterns = draw(st.permutations(PATTERNS))[: draw(st.integers(1, 3))]
    ones = list(nouns.items())
    for at, pattern in enumerate(patterns):
        own = pattern.replace("c", f"C{at}").replace("d", f"D{at}")
        before = draw(st.booleans())
        ones += [(f"m{at} {n}" if before else f"{n} m{at}", own.replace("X", said)) for n, said in nouns.items()]
    join = draw(st.sampled_from(JOINS)).replace("c", "CJ").replace("d", "DJ")
    two = [(f"{a} j {b}", fill(join, x, y)) for (a, x), (b, y) in product(ones, ones)]
    return [*ones, *two]


def fill(join: str, first: str, second: str) -> str:
    return " ".join({"X": first, "Y": second}.get(word, word) for word in join.split())


@given(languages(), st.integers(0, 100))
@settings(max_examples=12, deadline=None, derandomize=True)
def test_held_out_sentences_are_derived(pairs: Pairs, number: int) -> None:
    shuffled = random.Random(number).sample(pairs, len(pairs))
    third = len(pairs) // 3
    grammar = fit(shuffled[third:], Settings(), 0.5)
    wrong = [said for said, meant in shuffled[:third] if [one.text for one in grammar.derive(said)] != [meant]]
    assert wrong == []


@pytest.mark.parametrize("number", [1, 5])
def test_a_modifier_heard_only_beside_others_is_understood_alone(number: int) -> None:
    nouns = {f"n{at}": f"N{at}" for at in range(4)}
    ones = [*nouns.items()]
    for at, pattern in enumerate(("X X", "X X X", "C X")):
        ones += [(f"{noun} m{at}", pattern.replace("X", said)) for noun, said in nouns.items()]
    pairs = [*ones, *((f"{a} j {b}", f"{y} J {x}") for (a, x), (b, y) in product(ones, ones))]
    kept = random.Random(number).sample(pairs, 2 * len(pairs) // 3)
    grammar = fit([(said, meant) for said, meant in kept if len(said.split()) != 2], Settings(), 0.5)
    assert [grammar.derive(said)[0].text for said, _ in ones] == [meant for _, meant in ones]


def test_a_word_that_comes_with_every_meaning_is_no_phrase_for_it() -> None:
    # "b" and "c" stand beside "j" in all but the pair "a": J is what "j" means, not they.
    joined = [(f"{x}j{y}", f"{x}j{y}".upper()) for x, y in product("abc", "abc")]
    phrases = first_phrases([("a", "A"), *joined], 2, 0.98, 2)
    assert set(phrases) == {Rule("a", "A"), Rule("b", "B"), Rule("c", "C"), Rule("j", "J")}


def test_what_two_rules_share_is_said_once() -> None:
    swap = Rule("\x00\x01", "\x01\x00")
    left, right = Rule("\x00m\x01", "\x01\x00\x00"), Rule("\x00\x01m", "\x01\x01\x00")
    assert set(factor([swap, left, right])) == {swap, Rule("\x00m", "\x00\x00")}
    assert set(factor([swap, left])) == {swap, left}


@given(st.text("ab", min_size=1, max_size=4), st.text("ab\x00", max_size=6))
def test_solving_undoes_filling(value: str, pattern: str) -> None:
    pattern += "\x00"
    assert solve(pattern, "\x00", pattern.replace("\x00", value)) == value


def test_a_pattern_that_does_not_fit_has_no_solution() -> None:
    assert solve("\x00\x00", "\x00", "aba") == solve("\x00\x00", "\x00", "ab") == solve("a\x00", "\x00", "a") == ""


@given(
    st.text("abc", min_size=2, max_size=8), st.sampled_from(["\x00a", "a\x00", "\x00a\x01", "\x00\x01", "a\x00b\x01c"])
)
def test_holes_are_where_filling_gives_the_text_back(text: str, source: str) -> None:
    rule = Rule(source, source)
    found = list(holes_of(rule.parts, text, 0, len(text)))
    assert all(rule.fill([text[start:end] for start, end in holes]) == text for holes in found)
    if rule.arity == 2:
        cuts = [(i, j) for i in range(len(text)) for j in range(i + 1, len(text))]
        middle, first, last = rule.parts[1], len(rule.parts[0]), len(text) - len(rule.parts[2])
        brute = {
            ((first, i), (i + len(middle), last))
            for i in {cut for pair in cuts for cut in pair}
            if first < i and i + len(middle) < last
            and rule.fill([text[first:i], text[i + len(middle) : last]]) == text
        }  # fmt: skip
        assert set(found) == brute
