"""Which way a sort goes: in full and back, and as a slot of every recipe that sorts."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.types import Piece, Request
from sayso.targets.notebook.recipes.learnt import learn
from sayso.targets.notebook.recipes.making import template_of
from sayso.targets.notebook.recipes.order import as_usual, goes, in_full
from sayso.targets.notebook.recipes.source import Recipes

COLUMN = st.text("abü_é", min_size=1, max_size=6).map(repr)
TURNED = {"sort_values": "ascending=False", "sort_index": "ascending=False", "sorted": "reverse=True"}


@st.composite
def sorts(draw: st.DrawFn) -> tuple[str, str, bool]:
    """A cell with a sort in it, the sort's method, and whether it is turned round."""
    method, is_turned = draw(st.sampled_from(sorted(TURNED))), draw(st.booleans())
    given = {"sort_values": draw(COLUMN), "sort_index": "", "sorted": f"d[{draw(COLUMN)}], key=lambda x: (x[1], 2)"}
    words = ", ".join(part for part in (given[method], TURNED[method] if is_turned else "") if part)
    call = f"{method}({words})" if method == "sorted" else f"df.{method}({words})"
    before = draw(st.sampled_from(["", "# ü\n", "x = 1; ", "y = '\x0c\u2028'\n"]))
    return before + call + draw(st.sampled_from(["", ".head(3)", "[:2]", "\nlen(x)"])), method, is_turned


@given(sorts())
def test_what_is_written_in_full_comes_back_as_it_was(made: tuple[str, str, bool]) -> None:
    code, _, is_turned = made
    whole = in_full(code)
    assert as_usual(whole) == code and in_full(whole) == whole
    assert (whole == code) == is_turned
    assert goes(whole, "False") == is_turned and goes(whole, "True") != is_turned
    ast.parse(whole)


@pytest.mark.parametrize("code", ["df.sort_values(", "sorted(*xs)", "max(sorted_of(x))", "df.sort_values(**how)"])
def test_a_sort_that_cannot_be_told_stays(code: str) -> None:
    assert in_full(code) == code


TRIPS = "trips: DataFrame [4, 3] [columns rider:object, km:float64, day:datetime64[ns]]"
UP = ['trips.sort_values("km")', 'trips.sort_values("day")', 'trips["km"].sort_values()', 'sorted(trips["rider"])']
DOWN = [
    'trips.sort_values("km", ascending=False)', 'trips["km"].sort_values(ascending=False)',
    'sorted(trips["rider"], reverse=True)', 'trips.sort_values("rider", ascending=False)',
]  # fmt: skip
ASKED = [
    *zip(
        ("sort by km, lowest first", "sort by day, lowest first", "km, lowest first", "rider, lowest first"),
        UP,
        strict=True,
    ),
    *(("highest first", one) for one in DOWN),
]


@pytest.fixture(scope="module")
def recipes() -> Recipes:
    made = [template_of([TRIPS], [], (asked,), code, str(at)) for at, (asked, code) in enumerate(ASKED)]
    return Recipes(made, learn(made, []))


def test_words_for_a_direction_turn_a_recipe_that_never_said_one(recipes: Recipes) -> None:
    """In words: highest first of a cell that sorts upwards."""
    games = Piece("names", "games: DataFrame [9, 2] [columns team:object, played:datetime64[ns]]")
    learnt = recipes.learnt.deeds
    assert (learnt["highest"]["order"][0], learnt["lowest"]["order"][0]) == ("False", "True")
    found = [one.text for one in recipes.propose(Request("sort by played, highest first", (games,)))]
    assert 'games.sort_values("played", ascending=False)' in found and 'games.sort_values("played")' in found
    assert not any("ascending=True" in one or "reverse=False" in one for one in found)
