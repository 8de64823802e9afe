"""Recipes of a few asked cells answer like requests in other notebooks."""

from __future__ import annotations

import pytest

from sayso.core.types import Piece, Request
from sayso.targets.notebook.recipes.known import from_names, known_of
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


ORDERS = Piece(
    "names",
    "orders: DataFrame [9, 4] [columns order_id:int64, shop:object, amount:float64, placed:datetime64[ns]]\n"
    "limits: dict [2]",
)


def test_a_number_that_tells_things_apart_is_not_computed_with(recipes: Recipes) -> None:
    found = recipes.propose(Request("mean per shop", (ORDERS,)))
    misfits = {one.text: one.row[COLUMNS.index("misfits")] for one in found}
    assert (
        misfits['orders.groupby("shop")["amount"].mean()'] == 0 < misfits['orders.groupby("shop")["order_id"].mean()']
    )


def test_a_word_that_is_a_tables_whole_name_speaks_of_none_of_its_columns(recipes: Recipes) -> None:
    asked = recipes.read("total amount of orders", known_of(Request("", (ORDERS,))))
    assert {one.name for one in asked.found} == {"orders", "amount"}


def test_a_word_for_dates_speaks_of_the_one_column_of_dates() -> None:
    made = [
        template_of(
            ["t: DataFrame [1, 1] [columns date:datetime64[ns]]"], [], ("by date",), "t.sort_values('date')", "1"
        )
    ]
    known = [from_names([f"t{at}: DataFrame [1, 1] [columns date:datetime64[ns]]"]) for at in range(3)]
    told = Recipes(made, learn(made, known))
    asked = told.read("newest by date", known_of(Request("", (ORDERS,))))
    assert [(one.name, one.first) for one in asked.found] == [("placed", 2)]
    two = ORDERS.text.replace("amount:float64", "sent:datetime64[ns]")
    assert not told.read("newest by date", known_of(Request("", (Piece("names", two),)))).found
