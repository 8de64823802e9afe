"""Recipes and a trunk answer together: one order, belief that none is right, nothing that destroys unasked first."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from sayso.answer.weighing import Weighing
from sayso.core.types import Piece, Request
from sayso.targets.notebook.recipes.learnt import learn
from sayso.targets.notebook.recipes.making import template_of
from sayso.targets.notebook.recipes.source import COLUMNS, Recipes
from sayso.targets.notebook.systems.asked_cells import JOINT, MADE, Joint
from sayso.targets.notebook.systems.columns import Option

TRIPS = "trips: DataFrame [4, 2] [columns rider:object, km:float64]"
GAMES = Piece("names", "games: DataFrame [9, 2] [columns team:object, goals:int64]")
ASKED = {
    "mean km of each rider": 'trips.groupby("rider")["km"].mean()',
    "clean up the km": 'import os\nos.remove("km.csv")',
}


@dataclass
class Trunk:
    texts: tuple[str, ...]

    def options(self, request: Request) -> tuple[list[Option], bool]:
        return [Option(text, "trunk", -1.0, 9, not at) for at, text in enumerate(self.texts)], False


def weighing(columns: tuple[str, ...], **weights: float) -> Weighing:
    n = len(columns)
    return Weighing(columns, (0.0,) * n, (1.0,) * n, tuple(weights.get(name, 0.0) for name in columns))


@pytest.fixture(scope="module")
def joint() -> Joint:
    made = [template_of([TRIPS], [], (asked,), code, asked) for asked, code in ASKED.items()]
    return Joint(Recipes(made, learn(made, [])), weighing(COLUMNS, bias=-2, near=4, unused_columns=-3))


def test_recipes_answer_alone_and_say_where_it_is_from(joint: Joint) -> None:
    found = joint.translate([Request("mean goals of each team", (GAMES,))], 5)[0]
    assert found[0].text == 'games.groupby("team")["goals"].mean()' and MADE in found[0].why
    assert 0.5 < sum(one.score for one in found) < 1


def test_belief_falls_where_the_request_is_unlike(joint: Joint) -> None:
    near, far = joint.translate(
        [Request(text, (GAMES,)) for text in ("mean goals of each team", "draw a mean map of each")], 1
    )
    assert far[0].score < near[0].score


def test_a_cell_that_destroys_unasked_is_never_believed(joint: Joint) -> None:
    found = joint.translate([Request("clean up the goals", (GAMES,))], 5)[0]
    assert all(one.score < 1e-6 for one in found if "os.remove" in one.text)


def test_both_sources_are_put_in_one_order(joint: Joint) -> None:
    own = 'games.groupby("team")["goals"].mean()'
    asked = Request("mean goals of each team", (GAMES, Piece("code", "games.head()")))
    trunk = Trunk(("games.plot()", own, "games.sum("))
    both = replace(joint, trunk=trunk, joint=weighing(JOINT, parses=2, of_both=3, recipe=0.1))
    found = both.translate([asked], 5)[0]
    assert found[0].text == own and {"games.plot()", "games.head()"} <= {one.text for one in found}
    assert found[-1].text == "games.sum(" and both.source_of("games.head()") and not both.source_of(own)
    options, rows = both.rows(asked)
    assert len(options) == len({one.text for one in options}) == len(rows) and {*map(len, rows)} == {len(JOINT)}


def test_without_any_recipe_cells_above_are_repeated(joint: Joint) -> None:
    above = (Piece("text", "Zebra count"), Piece("code", "zebras = 3"))
    assert [one.text for one in joint.translate([Request("zebra count again", above)], 2)[0]] == ["zebras = 3"]
    assert joint.translate([Request(" ", above)], 2) == [[]]
