"""A confidence of .7 is right seven times in ten, and how far a list of them is from that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.answer.calibrate import Curve, calibration_error, coverage, logit
from sayso.learners.linear import logistic

POINTS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40)


def test_the_error_is_nought_where_a_statement_holds() -> None:
    # Ten answers stated at .7, seven of them right.
    assert calibration_error([(0.7, at < 7) for at in range(10)]) == pytest.approx(0.0)


def test_the_error_by_hand() -> None:
    # Bin .9: two of four right, gap .4; bin .2: none of four, gap .2; the mean over eight points is .3.
    points = [(0.9, True), (0.9, True), (0.9, False), (0.9, False), *[(0.2, False)] * 4]
    assert calibration_error(points) == pytest.approx(0.3)


@given(POINTS)
def test_the_error_is_a_share(points: list[tuple[float, bool]]) -> None:
    assert 0.0 <= calibration_error(points) <= 1.0


def test_no_answers_have_no_error() -> None:
    assert calibration_error([]) == 0.0


def test_coverage_by_hand() -> None:
    points = [(0.9, True), (0.5, False), (0.5, True), (0.1, False)]
    assert coverage(points) == [
        (0.9, 0.25, 1.0),
        (0.5, 0.75, pytest.approx(2 / 3)),
        (0.1, 1.0, 0.5),
    ]


@given(POINTS)
def test_coverage_rises_to_everything(points: list[tuple[float, bool]]) -> None:
    curve = coverage(points)
    assert [share for _, share, _ in curve] == sorted({share for _, share, _ in curve})
    assert curve[-1][1:] == (1.0, sum(right for _, right in points) / len(points))


@given(st.floats(0.001, 0.999))
def test_logistic_undoes_logit(p: float) -> None:
    assert logistic(logit(p)) == pytest.approx(p)


def test_a_curve_is_never_surer_than_its_trials_allow() -> None:
    curve = Curve(-1.0, {"known": 10.0}, highest=0.9)
    assert curve({"known": 1.0}) == 0.9
    assert curve({"known": 0.0, "other": 3.0}) == pytest.approx(logistic(-1.0))
