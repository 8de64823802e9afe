"""The curve of confidences: what it is fitted on is what it says afterwards."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from sayso.answer.calibrate import calibration_error
from sayso.answer.rerank import FACTS
from sayso.experiments.fit_curve import FOLDS, Trial, crossed, fit_curve, read_trials, report
from sayso.neural.bundle import load_bundle
from sayso.targets.bash.systems.combined import RERANK, read_fitted

pytest.importorskip("numpy")


def trials(n: int, seed: int = 0) -> list[Trial]:
    """Answers that are right as often as their recipe is sure."""
    draw = random.Random(seed)
    found = []
    for at in range(n):
        known = draw.random()
        facts = {**dict.fromkeys(FACTS, 0.0), "known": known}
        found.append(Trial(f"request-{at}", "toy", facts, draw.random() < known))
    return found


def test_a_curve_learns_how_often_answers_are_right() -> None:
    curve = fit_curve(trials(400))
    assert calibration_error([(curve(trial.facts), trial.right) for trial in trials(400, seed=1)]) < 0.1
    low, high = (curve({**dict.fromkeys(FACTS, 0.0), "known": known}) for known in (0.1, 0.9))
    assert low < 0.35 < 0.65 < high


def test_folds_are_told_by_the_id() -> None:
    folds = [trial.fold for trial in trials(200)]
    assert set(folds) == set(range(FOLDS))
    assert folds == [trial.fold for trial in trials(200, seed=2)]


def test_no_curve_tells_of_what_it_saw() -> None:
    asked = trials(60)
    told = {trial.id: sure for trial, sure in crossed(asked)}
    assert told.keys() == {trial.id for trial in asked}
    one = asked[7]
    other = [
        trial if trial.fold != one.fold else Trial(trial.id, "toy", trial.facts, not trial.right) for trial in asked
    ]
    assert {trial.id: sure for trial, sure in crossed(other)}[one.id] == told[one.id]


def test_a_report_writes_the_curve_of_all_and_tells_of_crossed_ones(tmp_path: Path) -> None:
    folder = tmp_path / "bash-rerank"
    shutil.copytree(RERANK, folder)
    told = tmp_path / "trials.jsonl"
    told.write_text("".join(json.dumps(vars(trial)) + "\n" for trial in trials(200)))
    found = report(read_trials(told), 0.5, folder)
    weights, settings, abstain_below = read_fitted(load_bundle(folder))
    assert abstain_below == 0.5
    assert weights == read_fitted(load_bundle(RERANK))[0]
    assert found["toy"] == found["all"]
    assert found["all"]["n"] == found["fitted on"] == 200
    assert settings.curve == fit_curve(trials(200))
    points = [(sure, trial.right) for trial, sure in crossed(trials(200))]
    assert found["all"]["ece"] == pytest.approx(calibration_error(points))
