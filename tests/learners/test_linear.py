"""The linear model: steps of every kind find the same weights, and these are the best there are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.learners.linear import (
    Adam,
    Data,
    Descent,
    fit_logistic,
    fit_newton,
    fit_ranking,
    fit_sparse,
    logistic,
    logistics,
    platt_targets,
    rivals,
)


def some_data(seed: int, n: int = 80, width: int = 3) -> Data:
    random = np.random.default_rng(seed)
    rows = random.normal(size=(n, width))
    truth = (random.random(n) < logistics(rows @ random.normal(size=width))).astype(float)
    return Data(rows, truth, random.random(n) + 0.5, random.normal(size=n) * 0.3)


def loss(data: Data, weights: np.ndarray, pull: float, start: float = 0.0) -> float:
    chance = logistics(data.offset + data.rows @ weights)
    right = data.truth * np.log(chance) + (1 - data.truth) * np.log(1 - chance)
    return float(-(data.weight * right).sum() + pull / 2 * ((weights - start) ** 2).sum())


@pytest.mark.parametrize("seed", range(4))
def test_descent_adam_and_newton_meet_where_no_step_helps(seed: int) -> None:
    data, pull, start = some_data(seed), 0.5, np.zeros(3)
    found = fit_newton(data, start, pull)
    for steps in (Descent(0.01, 4000), Descent(0.003, 3000, momentum=0.8), Adam(0.02, 3000)):
        assert fit_logistic(data, steps, start, pull) == pytest.approx(found, abs=1e-4)
    best = loss(data, found, pull)
    for at in range(3):
        for by in (-0.01, 0.01):
            assert loss(data, found + by * np.eye(3)[at], pull) > best


def test_newton_does_not_go_astray_from_far_off() -> None:
    """From 3.5, 2.5, 1.5 whole steps end in the hundreds."""
    random = np.random.default_rng(3)
    rows = np.stack([random.normal(size=300) * 0.5 - 1, np.ones(300), -random.integers(0, 3, 300)], 1)
    truth = (random.random(300) < logistics(rows @ np.array([3.0, 4.0, 1.0]))).astype(float)
    found = fit_newton(Data(rows, truth), np.array([3.5, 2.5, 1.5]), 1.0)
    assert found == pytest.approx([3.0, 4.0, 1.0], abs=1.0)


def test_no_weight_falls_below_the_least() -> None:
    data = Data(np.array([[1.0], [1.0]]), np.array([0.0, 0.0]))
    assert fit_logistic(data, Descent(0.1, 50), np.zeros(1))[0] < -0.5
    assert fit_logistic(data, Descent(0.1, 50, least=0.0), np.zeros(1))[0] == 0.0


def test_the_right_rival_comes_first_and_none_of_these_is_one() -> None:
    asked = [([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]], [1.0, 0.0], 1.0), ([[0.0, 1.0, 1.0]], [0.0], 1.0)]
    weights = fit_ranking(rivals(asked), Adam(0.05, 400), np.zeros(3), 1e-3, none=True)
    right, wrong = weights @ [1.0, 0.0, 1.0], weights @ [0.0, 1.0, 1.0]
    assert right > 0 > wrong
    kept = fit_ranking(rivals(asked), Adam(0.05, 400), np.zeros(3), 1e-3, none=True, free=np.array([1.0, 0.0, 1.0]))
    assert kept[1] == 0.0 != weights[1]


def test_a_heavier_question_counts_more() -> None:
    def weight_of(much: float) -> float:
        asked = [([[1.0], [0.0]], [1.0, 0.0], much), ([[1.0], [0.0]], [0.0, 1.0], 1.0)]
        return float(fit_ranking(rivals(asked), Descent(0.5, 500), np.zeros(1), 1e-3)[0])

    assert weight_of(1.0) == pytest.approx(0.0, abs=1e-9)
    assert weight_of(3.0) == pytest.approx(math.log(3.0), abs=0.02)


def test_sparse_features_are_learnt_the_same_with_the_same_seed() -> None:
    rows = [(("word", "good"), True), (("word", "bad"), False)] * 50
    weights = fit_sparse(rows, 3, 0.2, 1e-5, seed=1)
    assert weights["good"] > 0.5 and weights["bad"] < -0.5 and abs(weights["word"]) < 0.3
    assert weights == fit_sparse(rows, 3, 0.2, 1e-5, seed=1) != fit_sparse(rows, 3, 0.2, 1e-5, seed=2)


def test_targets_promise_no_certainty() -> None:
    assert platt_targets([True, True, False]).tolist() == [0.75, 0.75, 1 / 3]
    assert platt_targets([True]).tolist() == [2 / 3]


@given(st.floats(-600, 600))
def test_one_number_and_many_agree(x: float) -> None:
    assert logistic(x) == pytest.approx(float(logistics(np.array([x]))[0]), abs=1e-12)
    assert 0.0 <= logistic(x) <= 1.0
