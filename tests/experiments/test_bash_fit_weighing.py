"""Weights and confidences are learnt from what happened, and no request is told by a fit that saw it."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from sayso.answer.rerank import TOLD_BEHIND
from sayso.answer.weigh import KNOWN, Against
from sayso.core.types import Draft, Evidence, Risk
from sayso.experiments.fit_weighing import (
    FITTED,
    FOLDS,
    Options,
    Question,
    answered,
    crossed,
    fit_curve,
    fit_weights,
    of_units,
    told,
    told_curve,
    write,
)
from sayso.neural.bundle import load_bundle
from sayso.targets.bash.evidence.features import NAMES
from sayso.targets.bash.systems.combined import RERANK, read_fitted

pytest.importorskip("numpy")


def row(**given: float) -> list[float]:
    return [given.get(name, 0.0) for name in NAMES]


def asked(n: int, seed: int = 0, barred: bool = False) -> list[Question]:
    """Requests whose right answer leaves no constant out, whatever recipes say of it."""
    draw, found = random.Random(seed), []
    for at in range(n):
        right = at % 2
        drafts = [Draft(f"do {one}", f"do {one}", Risk("reads"), scores={KNOWN: draw.random()}) for one in (0, 1)]
        rows = [row(unused=float(one != right), known=drafts[one].scores[KNOWN]) for one in (0, 1)]
        seen = [Against((Evidence("sweeping", "all"),), True) if barred else Against()] * 2
        options = Options(drafts, seen, rows)
        found.append(Question(f"r{at}", "asked", 0.5, {f"do {right}": True}, True, options, False))
    return found


def test_what_tells_right_from_wrong_gets_the_weight() -> None:
    weighing = fit_weights(asked(60), {})
    assert weighing.score(row(known=0.2)) > weighing.score(row(known=0.9, unused=1.0))
    assert told(answered(asked(40, 1), lambda one: weighing))["asked"] == [40, 40, 40]


def test_weights_are_drawn_to_the_prior_where_nothing_is_told() -> None:
    weighing = fit_weights(asked(20), {"destroys": -3.0})
    assert weighing.score(row(destroys=1.0)) - weighing.score(row()) == pytest.approx(-3.0, abs=0.05)
    assert of_units(fit_weights(asked(20), {TOLD_BEHIND: 0.3}))[TOLD_BEHIND] == pytest.approx(0.3)
    without = fit_weights(asked(20), {"unused": -3.0}, without=("unused",))
    assert without.score(row(unused=1.0)) == pytest.approx(without.score(row()))


def test_weights_near_those_that_ship_stay_near_them() -> None:
    shipped = {"unused": 0.2, "known": 1.0}
    far, near = (of_units(fit_weights(asked(60), shipped, pull=pull)) for pull in (None, 100.0))
    assert far["unused"] < near["unused"] and near["unused"] == pytest.approx(0.2, abs=0.1)


def test_what_tells_the_request_back_comes_first_where_it_is_among_the_best() -> None:
    (one,) = asked(1)
    weighing = fit_weights(asked(20), {TOLD_BEHIND: 9.0})
    right, wrong = ("do 0", "do 1") if one.right.get("do 0") else ("do 1", "do 0")
    alike = Options(one.options.drafts, one.options.seen, [row(), row()])
    for back, first in (({right: -1.0, wrong: -9.0}, True), ({right: -9.0, wrong: -1.0}, False)):
        (found,) = answered([replace(one, options=alike, told=back)], lambda _: weighing)
        assert (found.first, found.three) == (first, True)


def test_nobody_is_told_by_a_fit_that_saw_them() -> None:
    some = asked(40)
    seen: list[set[str]] = []

    def fit(given: list[Question]) -> int:
        seen.append({one.id for one in given})
        return len(seen) - 1

    fit_of = crossed(some, fit)
    assert all(one.id not in seen[fit_of(one)] for one in some)
    assert len(seen) == FOLDS + 1 and seen[FOLDS] == {one.id for one in some}


def test_what_is_barred_is_no_answer_and_teaches_nothing() -> None:
    weighing = fit_weights(asked(20), {})
    (first, *_) = answered(asked(1, barred=True), lambda one: weighing)
    assert (first.first, first.three, first.facts) == (False, False, {})


def test_a_confidence_says_how_often_answers_are_right() -> None:
    weighing = fit_weights(asked(60), {})
    trials = answered(asked(200, 2), lambda one: weighing)
    curve = fit_curve(trials)
    assert min(curve(one.facts) for one in trials) > 0.8
    assert told_curve(trials, 0.5)["asked"]["right of answered"] == 1.0


def test_what_is_written_is_what_answers(tmp_path: Path) -> None:
    folder = tmp_path / "bash-rerank"
    shutil.copytree(RERANK, folder)
    weighing = fit_weights(asked(20), {})
    write(weighing, fit_curve(answered(asked(20), lambda one: weighing)), 0.4, folder)
    found, settings, abstain_below = read_fitted(load_bundle(folder))
    assert found.score(row(unused=1.0)) == pytest.approx(weighing.score(row(unused=1.0)), abs=1e-3)
    assert abstain_below == 0.4 and settings == read_fitted(load_bundle(folder))[1]
    assert set(FITTED) == {"asked", "nl2bash", "everyday"}
