"""The search for a split whose sides share atoms but not compounds."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from sayso.targets.api.corpus.divergence import atom_divergence, compound_divergence, outline
from sayso.targets.api.corpus.mcd import Halves, Search, search
from sayso.targets.api.syntax.calls import Call, parse_call

CLAUSES = (
    "FILTER message.isRead eq False",
    "FILTER message.from eq Bo",
    "FILTER message.importance eq High",
    "FILTER message.hasAttachments eq True",
    "SEARCH tea",
    "COUNT",
)
SETTINGS = Search(steps=4_000, atom_limit=0.05, test_share=0.4, leeway=0.1)


@pytest.fixture(scope="module")
def calls() -> list[Call]:
    """Every one to three of six clauses, asked three times."""
    some = (chosen for size in (1, 2, 3) for chosen in combinations(CLAUSES, size))
    return [parse_call(f"GET message {' '.join(chosen)}") for chosen in some for _ in range(3)]


def test_the_search_keeps_its_limits_and_beats_chance(calls: list[Call]) -> None:
    found = search(calls, SETTINGS, 0)
    chance = [search(calls, replace(SETTINGS, steps=0), seed) for seed in range(30)]
    alike = [one.compound for one in chance if one.atom <= SETTINGS.atom_limit]
    assert alike and found.compound > max(alike)
    assert found.atom <= SETTINGS.atom_limit
    assert abs(len(found.test) / len(calls) - SETTINGS.test_share) <= SETTINGS.leeway
    assert len(found.train) + len(found.test) == len(calls)


def test_calls_with_the_same_clauses_stay_together(calls: list[Call]) -> None:
    found = search(calls, SETTINGS, 1)
    train, test = ({frozenset(map(outline, call.clauses)) for call in side} for side in (found.train, found.test))
    assert train and test and not train & test


def test_the_same_seed_finds_the_same_split(calls: list[Call]) -> None:
    assert search(calls, SETTINGS, 2) == search(calls, SETTINGS, 2)


def test_divergences_kept_while_flipping_are_those_counted_afresh(calls: list[Call]) -> None:
    groups = [calls[at : at + 3] for at in range(0, len(calls), 3)]
    halves = Halves(groups, [0, 1] * (len(groups) // 2) + [0])
    for at in (0, 3, 4, 3, 9, 0, 7):
        halves.flip(at)
    train, test = ([c for at, some in enumerate(groups) if halves.sides[at] == side for c in some] for side in (0, 1))
    assert halves.atom.divergence() == pytest.approx(atom_divergence(train, test))
    assert halves.compound.divergence() == pytest.approx(compound_divergence(train, test))
    assert halves.in_test == len(test)
