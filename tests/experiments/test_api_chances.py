"""Fitting chances: the error of a fit by hand, and that a fit follows what was right."""

from __future__ import annotations

import numpy as np
import pytest

from sayso.experiments.api_chances import expected_error, fit_chance, held_pairs
from sayso.targets.api.syntax.calls import parse_call
from sayso.targets.api.systems.parse import Reading

CALL = parse_call("GET message")


def test_the_expected_error_is_the_gap_of_each_bin_weighted_by_its_size() -> None:
    # Bin of .8: chance .85 and .85, one of two right: gap .35. Bin of .1: chance .15, none of two: gap .15.
    chances, right = np.array([0.85, 0.85, 0.15, 0.15]), np.array([1.0, 0.0, 0.0, 0.0])
    assert expected_error(chances, right) == pytest.approx((0.35 * 2 + 0.15 * 2) / 4)
    assert expected_error(np.array([1.0, 0.0]), np.array([1.0, 0.0])) == 0


def test_an_unused_word_takes_more_off_where_such_readings_are_wrong() -> None:
    used = [Reading(CALL, -0.3 * (at % 4), 0) for at in range(80)]
    unused = [Reading(CALL, -0.3 * (at % 4), 1) for at in range(80)]
    wrong = fit_chance([(used, np.ones(80)), (unused, np.zeros(80))])
    alike = fit_chance([(used, np.ones(80)), (unused, np.ones(80))])
    assert wrong[2] > alike[2] and len(wrong) == 3


def test_a_group_counts_as_much_as_another_however_large() -> None:
    few, many = [Reading(CALL, -0.1)] * 10, [Reading(CALL, -0.1)] * 1000
    one = fit_chance([(few, np.ones(10)), (many, np.zeros(1000))])
    other = fit_chance([(many, np.ones(1000)), (few, np.zeros(10))])
    assert one == pytest.approx(other)


def test_our_requests_are_reworded_as_every_request_is() -> None:
    texts = [text for text, _ in held_pairs("email", "fit")]
    assert "my last 10 emails" not in texts and any("emails" in text for text in texts)
    assert len(texts) == len(held_pairs("email", "check")) == 20
