"""Weights of cells from what ran: the right ones come first, belief falls where none is, nothing leaks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from sayso.answer.weighing import Weighing
from sayso.core.types import Piece, Request
from sayso.experiments.cell_recipes import FILES, LIVE, drawn_asks, recipes_of, request_for
from sayso.experiments.cell_weighing import (
    Question,
    Remembered,
    at_k,
    by_setting,
    cross_fitted,
    fitted,
    least_share,
    store,
)
from sayso.neural.bundle import load_bundle
from sayso.targets.notebook.asked.tried import Tried
from sayso.targets.notebook.asked.written import Ask, Setting
from sayso.targets.notebook.recipes.source import COLUMNS
from sayso.targets.notebook.systems.asked_cells import Joint, alone_of, opened
from sayso.targets.notebook.systems.columns import Option

NAMES = ("trips: DataFrame [4, 2] [columns rider:object, km:float64]",)
ASKS = (
    Ask(("mean km of each rider", "km per rider"), 'trips.groupby("rider")["km"].mean()'),
    Ask(("trips over 20 km",), 'trips[trips["km"] > 20]'),
)
SETTING = Setting("w1:0", "", ("import pandas as pd\ntrips = pd.read_csv('trips.csv')",), ASKS)
ASKED = (SETTING, (Tried("ran", "", NAMES, (("trips.csv", "rider,km"),)),) * 2)
TWO = ("bias", "near")


def question(setting: str, near: list[float], right: list[bool]) -> Question:
    rows = np.array([[1.0, one] for one in near])
    return Question(setting, [str(one) for one in near], rows, right)


RIGHT, WRONG = [True, False, False], [False, False]
QUESTIONS = [
    question(str(at % 6), [0.9 - at / 50, 0.3, 0.1], RIGHT) if at % 2 else question(str(at % 6), [0.3, 0.2], WRONG)
    for at in range(24)
]


def test_what_was_right_comes_first_and_belief_falls_where_nothing_was() -> None:
    found = fitted(QUESTIONS, TWO)
    assert all(at_k(QUESTIONS[1::2], [found] * 12, 1)) and found.score([1.0, 0.8]) > 0 > found.score([1.0, 0.3])
    assert 0 < least_share(QUESTIONS, found) < 1


def test_weights_are_cross_fitted_by_setting() -> None:
    weighings = by_setting(QUESTIONS, TWO, folds=3)
    for one, other, first, second in zip(QUESTIONS, QUESTIONS[1:], weighings, weighings[1:], strict=False):
        assert (one.setting == other.setting) <= (first is second)
    assert len({id(one) for one in weighings}) == 3
    told = cross_fitted(QUESTIONS, TWO)
    assert told["n"] == 24 and told["settings"] == 6 and told["tests@1"] == told["any"] == 0.5


def test_the_same_ask_is_told_by_a_kernel_or_by_a_file() -> None:
    live, lying = (request_for(ASKED, 0, "km per rider", way) for way in (LIVE, FILES))
    assert live.context[0] == Piece("names", NAMES[0])
    assert lying.context[0] == Piece("tables", 'trips.csv: "rider", "km"')
    assert live.context[1:] == lying.context[1:] == (Piece("code", SETTING.shown[0]),)


def test_more_asks_begin_with_those_that_were_run() -> None:
    assert drawn_asks([ASKED], 2, "17")[:1] == drawn_asks([ASKED], 1, "17")


def test_a_bundle_of_recipes_answers_as_they_did(tmp_path: Path) -> None:
    recipes = recipes_of([ASKED])
    weights = fitted([question("a", [0.5], [True])], TWO)
    worth = {"near": 2.0, "misfits": -3.0}
    n = len(COLUMNS)
    wide = Weighing(COLUMNS, (0.0,) * n, (1.0,) * n, tuple(worth.get(name, 0.0) for name in COLUMNS)).as_json()
    settings = {"weighings": {"alone": wide}, "abstain_below": {"alone": 0.1}}
    store(tmp_path / "made", recipes, settings, {"recipes alone": {"n": 1, "weights": weights.named()}})
    assert load_bundle(tmp_path / "made").settings["facts"] == {"recipes alone": {"n": 1}}
    found = opened(tmp_path / "made")
    asked = Request(
        "mean goals of each team", (Piece("names", "g: DataFrame [9, 2] [columns team:object, goals:int64]"),)
    )
    again = Joint(found.recipes, alone_of(found)).translate([asked], 3)
    assert again == Joint(recipes, alone_of(found)).translate([asked], 3)
    assert again[0][0].text == 'g.groupby("team")["goals"].mean()'


def test_what_a_trunk_drew_is_kept(tmp_path: Path) -> None:
    @dataclass
    class Trunk:
        asked: int = 0

        def options(self, request: Request) -> tuple[list[Option], bool]:
            self.asked += 1
            return [Option(request.text, "trunk", -1.0, 3)], True

    trunk, path = Trunk(), tmp_path / "drawn.json"
    first = Remembered(trunk, "a", path).options(Request("x"))
    assert Remembered(trunk, "a", path).options(Request("x")) == first == ([Option("x", "trunk", -1.0, 3)], True)
    assert trunk.asked == 1 and len(json.loads(path.read_text())) == 1
    Remembered(trunk, "b", path).options(Request("x"))
    assert trunk.asked == 2


@pytest.mark.parametrize("text", ["", " "])
def test_nothing_is_answered_with_nothing(text: str) -> None:
    recipes = recipes_of([ASKED])
    weights = fitted([question("a", [0.5], [True])], TWO)
    assert Joint(recipes, weights).translate([Request(text)], 3) == [[]]
