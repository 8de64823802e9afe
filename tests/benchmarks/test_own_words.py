"""Recipes answer when they are asked in their own words; 400 of them, drawn by seed (all: benchmarks.own_words)."""

from __future__ import annotations

from benchmarks.own_words import not_first, sampled

from sayso.apps.settings import workspace
from sayso.cookbook.slots import Cookbook
from sayso.targets.bash.cookbook.recipes import default_system

ASKED, MOST_MISSED = 400, 12


def test_recipes_come_first_when_asked_in_their_own_words() -> None:
    book = default_system(workspace()).translator
    assert isinstance(book, Cookbook)
    missed = [intent for intent, *_ in not_first(book, sampled(book, ASKED, seed=0))]
    assert len(missed) <= MOST_MISSED, missed
