"""Requests as typed in a hurry: sound, repeatable, never those that were written to be scored."""

from __future__ import annotations

from itertools import islice

import pytest

from sayso.experiments.api_short import free_pairs, free_requests, short_pairs
from sayso.targets.api import language
from sayso.targets.api.syntax.schema import DOMAINS
from sayso.targets.api.systems.align import align
from sayso.targets.api.systems.layout import make_layout


@pytest.mark.parametrize("domain", DOMAINS)
def test_made_requests_are_short_sound_and_say_their_values(domain: str) -> None:
    pairs = list(short_pairs(domain, 400))
    assert pairs == list(short_pairs(domain, 400)) != list(short_pairs(domain, 400, seed=1))
    assert 350 <= len(pairs) <= 400
    assert all(language.check(str(call)) == [] for _, call in pairs)
    assert sum(text.islower() for text, _ in pairs) > 0.6 * len(pairs)
    lengths = sorted(len(text.split()) for text, _ in pairs)
    assert lengths[len(lengths) // 2] <= 10
    layout = make_layout(domain, pairs)
    assert sum(align(layout, text, call).whole for text, call in pairs) > 0.95 * len(pairs)


def test_none_are_made_where_none_are_wanted() -> None:
    assert list(short_pairs("email", 0)) == []


@pytest.mark.parametrize("domain", DOMAINS)
def test_names_and_subjects_of_the_scored_requests_are_not_taught(domain: str) -> None:
    made = {text.casefold() for text, _ in islice(short_pairs(domain, 3000), 3000)}
    scored = {text.casefold() for part in ("dev", "blind") for text, _ in free_pairs(domain, part)}
    assert len(made & scored) <= 2  # "biggest file" and the like have nothing to fill in
    words = {word for text in made for word in text.split()}
    assert not words & {"bob", "kevin", "julia", "omar", "eva", "clara", "lena", "nina", "refund", "dentist", "lease"}


def test_the_halves_are_apart() -> None:
    dev, blind = ({one.request.text for one in free_requests(part)} for part in ("dev", "blind"))
    assert len(dev) == len(blind) == 30 and not dev & blind
