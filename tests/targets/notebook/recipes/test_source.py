"""Recipes of a few asked cells answer like requests in other notebooks."""

from __future__ import annotations

import pytest

from sayso.core.types import Piece, Request
from sayso.targets.notebook.recipes.learnt import learn
from sayso.targets.notebook.recipes.making import template_of
from sayso.targets.notebook.recipes.source import COLUMNS, Recipes
from sayso.targets.notebook.recipes.stored import packed, unpacked

TRIPS = "trips: DataFrame [4, 3] [columns rider:object, km:float64, day:datetime64[ns]]"
ASKED = {
    "mean km of each rider": 'trips.groupby("rider")["km"].mean()',
    "total km per rider": 'trips.groupby("rider")["km"].sum()',
    "trips over 20 km": 'trips[trips["km"] > 20]',
    "longest trip first": 'trips.sort_values("km", ascending=False)',
    "km by day as a line": 'trips.plot(x="day", y="km")',
    "how many trips": "len(trips)",
    "add the tax": "trips.apply(taxed)",
}
MATCHES = Request(
    "",
    (Piece("names", "games: DataFrame [9, 3] [columns team:object, goals:int64, played:datetime64[ns]]"),),
)


@pytest.fixture(scope="module")
def recipes() -> Recipes:
    made = [
        template_of(["pd: module pandas", TRIPS], [], (asked,), code, str(at))
        for at, (asked, code) in enumerate(ASKED.items())
    ]
    return Recipes(made, learn(made, []))


def first(recipes: Recipes, text: str, request: Request = MATCHES) -> str:
    found = recipes.propose(Request(text, request.context))
    place = COLUMNS.index("near")
    return max(found, key=lambda one: (one.row[place], -one.row[COLUMNS.index("unused_columns")])).text


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("mean goals of each team", 'games.groupby("team")["goals"].mean()'),
        ("games over 3 goals", 'games[games["goals"] > 3]'),
        ("goals by played as a line", 'games.plot(x="played", y="goals")'),
        ("how many games", "len(games)"),
    ],
)
def test_slots_take_what_the_notebook_has(recipes: Recipes, text: str, cell: str) -> None:
    assert first(recipes, text) == cell


def test_a_notebook_without_a_kernel_is_read_from_its_cells(recipes: Recipes) -> None:
    cells = (Piece("tables", 'shops.csv: "city", "sales"'), Piece("code", "s = pd.read_csv('shops.csv')"))
    assert first(recipes, "total sales per city", Request("", cells)) == 's.groupby("city")["sales"].sum()'


def test_a_cell_that_needs_what_is_not_there_is_not_proposed(recipes: Recipes) -> None:
    cells = (Piece("code", "import pandas as pd\ngames = pd.DataFrame({'team': ['a'], 'goals': [1]})"),)
    assert not any("taxed" in one.text for one in recipes.propose(Request("add the tax", cells)))
    given = (*cells, Piece("code", "def taxed(row):\n    return row"))
    assert [one.text for one in recipes.propose(Request("add the tax", given))] == ["games.apply(taxed)"]


def test_what_is_too_long_to_be_a_request_has_no_recipe(recipes: Recipes) -> None:
    assert recipes.propose(Request("mean goals of each team " * 20, MATCHES.context)) == []


def test_stored_recipes_propose_the_same(recipes: Recipes) -> None:
    again = unpacked(packed(recipes))
    asked = Request("mean goals per team", MATCHES.context)
    assert again.propose(asked) == recipes.propose(asked) != []
    with pytest.raises(ValueError, match="it is cut"):
        unpacked(packed(recipes)[:-20])
