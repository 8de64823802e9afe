"""Calls made from a specification: sound, sensible, evenly drawn, and said in words that name all they hold."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import UnknownName
from sayso.targets.api import language
from sayso.targets.api.lessons.construct import Outline, Plan, draw_calls, fill, is_sensible, outline_of, outlines
from sayso.targets.api.lessons.utterance import canonical_sentence, in_call_words, languages, phrase
from sayso.targets.api.lessons.utterance import language as wordings_of
from sayso.targets.api.syntax.calls import Call, Filter, Search, Top, parse_call
from sayso.targets.api.syntax.schema import DOMAINS, schema

EVERY = [outline for domain in DOMAINS for outline in outlines(domain, 4, select=True)]
TONGUES = ("english", "german")


@given(st.sampled_from(EVERY), st.sampled_from(TONGUES), st.integers(0, 10**6))
@settings(max_examples=300, deadline=None)
def test_every_call_parses_validates_prints_and_says_all_its_values(one: Outline, tongue: str, seed: int) -> None:
    call = fill(one, tongue, Random(seed))
    text = str(call)
    assert parse_call(text) == call
    assert language.check(text) == []
    assert language.normalise(language.normalise(text)) == language.normalise(text)
    assert outline_of(call) == one
    sentence = canonical_sentence(call, tongue).casefold()
    for clause in call.clauses:
        if isinstance(clause, Top):
            assert str(clause.number) in sentence
        elif isinstance(clause, Search):
            assert clause.value.casefold() in sentence
        elif isinstance(clause, Filter) and not schema(_domain(call)).properties[clause.property].values:
            assert clause.value.casefold() in in_call_words(sentence, tongue).casefold()


@given(st.sampled_from(EVERY), st.sampled_from(EVERY), st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_equal_templates_are_equal_outlines_in_any_order(one: Outline, other: Outline, random: Random) -> None:
    first, second = fill(one, "english", random), fill(other, "english", random)
    assert (language.template(str(first)) == language.template(str(second))) == (one == other)
    turned = list(first.clauses)
    random.shuffle(turned)
    again = str(Call(first.resource, tuple(turned)))
    assert language.normalise(again) == language.normalise(str(first))
    assert language.template(again) == language.template(str(first))


@pytest.mark.parametrize("tongue", TONGUES)
@pytest.mark.parametrize("domain", DOMAINS)
def test_two_calls_never_sound_alike(domain: str, tongue: str) -> None:
    said: dict[str, str] = {}
    for call in draw_calls(domain, Plan(4, select=True, values=tongue), 1500):
        assert said.setdefault(canonical_sentence(call, tongue), str(call)) == str(call)


@pytest.mark.parametrize("domain", DOMAINS)
def test_calls_are_drawn_evenly_over_templates_and_again_for_the_same_seed(domain: str) -> None:
    known = outlines(domain, 3)
    calls = list(draw_calls(domain, Plan(3), len(known)))
    assert Counter(map(outline_of, calls)) == dict.fromkeys(known, 1)
    assert calls == list(draw_calls(domain, Plan(3), len(known)))
    assert calls != list(draw_calls(domain, Plan(3, seed=1), len(known)))
    assert max(one.parameters for one in known) == 3


def test_a_domain_of_few_calls_ends() -> None:
    calls = list(draw_calls("email", Plan(2), 10**5))
    assert len(calls) == len(set(calls)) < 10**5


@pytest.mark.parametrize(
    "outline",
    [
        Outline("message"),
        Outline("message", ("message.from",), top=True),
        Outline("message", ("message.from",), order="message.sentDateTime", count=True),
        Outline("message", select="message.from", count=True),
        Outline("message", ("message.from",), select="message.from"),
        Outline("drive.recent", ("file.name",), order="file.name"),
    ],
)
def test_combinations_without_sense_are_not_made(outline: Outline) -> None:
    assert not is_sensible(outline)
    assert outline not in EVERY


def test_what_came_in_today_can_still_be_sorted() -> None:
    assert Outline("message", ("message.receivedDateTime",), order="message.receivedDateTime", top=True) in EVERY


@pytest.mark.parametrize("name", languages())
def test_a_language_has_wordings_for_everything_there_is(name: str) -> None:
    spoken = wordings_of(name)
    for domain in DOMAINS:
        offered = schema(domain)
        assert spoken.nouns[domain] and all(spoken.resources[one] for one in offered.resources)
        for one in offered.properties.values():
            assert spoken.selects[one.name]
            assert all(spoken.filters[one.name][operator] for operator in one.operators)
            assert not one.sorts or all(spoken.orders[one.name][way] for way in ("asc", "desc"))


def test_numbers_and_dates_are_read_back_as_calls_write_them() -> None:
    assert in_call_words("die fünf Mails vom letzten Montag", "german") == "die 5 Mails vom last Monday"
    assert in_call_words("dreißig Mails, Sieben davon", "german") == "30 Mails, 7 davon"
    assert in_call_words("was kam vor zwei Stunden?", "german") == "was kam two hours ago?"
    assert in_call_words("die Dreizehnte", "german") == "die Dreizehnte"


def test_a_drawn_wording_says_the_number_as_a_word_too() -> None:
    call = parse_call("GET message ORDERBY message.receivedDateTime desc TOP 5")
    said = {phrase(call, "german", Random(seed)) for seed in range(60)}
    assert any("fünf" in one for one in said) and any("5" in one for one in said)
    assert canonical_sentence(call, "german") == "Zeige die 5 neuesten E-Mails."


def test_unknown_names_are_answered_with_what_there_is() -> None:
    with pytest.raises(UnknownName):
        outlines("mail")
    with pytest.raises(UnknownName):
        wordings_of("klingon")


def _domain(call: Call) -> str:
    return next(domain for domain in DOMAINS if call.resource in schema(domain).resources)
