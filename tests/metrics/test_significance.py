"""Intervals and tests: hand-made p-values, the fast paths against the slow one, and the time they take."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import UserError
from sayso.core.types import Candidate, Example, Metric, Score, Unscored
from sayso.metrics.bleu import CorpusBleu, SentenceBleu
from sayso.metrics.match import Match
from sayso.metrics.overlap import Micro, Overlap
from sayso.metrics.significance import (
    approximate_randomisation,
    holm,
    interval,
    mcnemar,
    paired,
    paired_bootstrap,
    score_with_interval,
    tied_with_best,
)

MATCH = Match("match@1", 1, str.strip, "strip")


@dataclass(frozen=True)
class Slow:
    """The same metric without its pooling: every resample goes through `reduce`."""

    metric: Metric[Any]

    @property
    def name(self) -> str:
        return self.metric.name

    @property
    def signature(self) -> str:
        return self.metric.signature

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> Any:
        return self.metric.measure(example, candidates)

    def reduce(self, stats: Sequence[Any]) -> Score:
        return self.metric.reduce(stats)


def coin(n: int, share: float, seed: int) -> list[int]:
    generator = random.Random(seed)
    return [int(generator.random() < share) for _ in range(n)]


def test_an_interval_is_as_wide_as_theory_says() -> None:
    stats = [1, 0] * 300
    found = interval(MATCH, stats, resamples=4000)
    # Mean .5, standard error √(.25 / 600) = .0204, times 1.96 = .040.
    assert found.low == pytest.approx(0.46, abs=0.005)
    assert found.high == pytest.approx(0.54, abs=0.005)
    assert found.n == 600
    narrow = interval(MATCH, stats, level=0.5, resamples=4000)
    # The middle half reaches .6745 standard errors to either side, .0138.
    assert narrow.high - narrow.low == pytest.approx(0.0275, abs=0.003)


def test_unscored_examples_do_not_widen_an_interval() -> None:
    stats: list[Any] = [1, 0] * 50
    assert interval(MATCH, [*stats, *[Unscored("late")] * 70]) == interval(MATCH, stats)


def test_an_interval_over_nothing_is_nan_and_over_one_value_has_an_end_there() -> None:
    empty = interval(MATCH, [Unscored("late")])
    assert math.isnan(empty.low) and math.isnan(empty.high) and empty.n == 0
    assert (interval(MATCH, [2] * 9).low, interval(MATCH, [1] * 9).high) == (2.0, 1.0)


def test_the_seed_decides() -> None:
    stats = [math.sqrt(i) for i in range(80)]
    assert interval(MATCH, stats, seed=7) == interval(MATCH, stats, seed=7)
    assert interval(MATCH, stats, seed=7) != interval(MATCH, stats, seed=8)


def test_a_score_carries_its_interval() -> None:
    score = score_with_interval(MATCH, [1, 0, 1, Unscored("late")])
    found = interval(MATCH, [1, 0, 1])
    assert (score.value, score.n, score.low, score.high) == (2 / 3, 3, found.low, found.high)


def counts(n: int, seed: int) -> list[list[int]]:
    """[shared, answered, wanted] that could be real."""
    generator = random.Random(seed)
    rows = [(generator.randint(0, 3), generator.randint(0, 3), generator.randint(0, 3)) for _ in range(n)]
    return [[shared, shared + more, shared + missing] for shared, more, missing in rows]


MICRO = Micro("f1", "f1", Overlap(str.split, "words", "bag"))


@pytest.mark.parametrize(
    ("metric", "first", "second"),
    [
        (MATCH, coin(40, 0.5, 1), coin(40, 0.6, 2)),
        (SentenceBleu("bleu@1", 1), [10.0 * i for i in range(10)], [9.5 * i for i in range(10)]),
        (MICRO, counts(30, 1), counts(30, 2)),
        (
            CorpusBleu("bleu", tokenizer="none"),
            [[9, 9, 8 - i, 6 - i, 4 - i, 2, 9, 8, 7, 6] for i in range(3)],
            [[8, 9, 7 - i, 5 - i, 3 - i, 1, 8, 7, 6, 5] for i in range(3)],
        ),
    ],
    ids=["mean of 0 and 1", "mean of floats", "sum of three", "sum of ten"],
)
def test_the_fast_paths_give_what_reduce_gives(metric: Metric[Any], first: list[Any], second: list[Any]) -> None:
    slow = Slow(metric)
    fast_interval, slow_interval = interval(metric, first, resamples=200), interval(slow, first, resamples=200)
    assert fast_interval.low == pytest.approx(slow_interval.low)
    assert fast_interval.high == pytest.approx(slow_interval.high)
    assert fast_interval.low < fast_interval.high
    for test in (paired_bootstrap, approximate_randomisation):
        fast, slowly = test(metric, first, second, resamples=200), test(slow, first, second, resamples=200)
        assert fast.p == slowly.p
        assert fast.difference == pytest.approx(slowly.difference)


def test_many_examples_are_resampled_in_blocks() -> None:
    found = interval(MATCH, [1, 0] * 200_000, resamples=6)
    assert found.low == pytest.approx(0.5, abs=0.01)


def test_600_examples_take_under_a_second() -> None:
    first, second = coin(600, 0.5, 1), coin(600, 0.55, 2)
    started = time.process_time()
    score_with_interval(MATCH, first)
    paired_bootstrap(MATCH, first, second)
    approximate_randomisation(MATCH, first, second)
    assert time.process_time() - started < 1.0


def test_randomisation_by_hand() -> None:
    # Three examples, all won by the first. Of 8 ways to swap them, none and all give as large a difference: p = 2/8.
    comparison = approximate_randomisation(MATCH, [1, 1, 1], [0, 0, 0], resamples=8000)
    assert comparison.p == pytest.approx(0.25, abs=0.02)
    assert (comparison.difference, comparison.n, comparison.left_out) == (1.0, 3, 0)


@pytest.mark.parametrize("test", [paired_bootstrap, approximate_randomisation])
def test_equal_systems_do_not_differ_and_far_ones_do(test: Any) -> None:
    same = coin(200, 0.5, 1)
    assert test(MATCH, same, same).p == 1.0
    far = test(MATCH, coin(200, 0.8, 1), coin(200, 0.4, 2))
    assert far.p == pytest.approx(1 / 1001)
    assert test(MATCH, coin(200, 0.4, 2), coin(200, 0.8, 1)).difference == -far.difference


@pytest.mark.parametrize("test", [paired_bootstrap, approximate_randomisation])
def test_under_no_difference_few_tests_are_significant(test: Any) -> None:
    found = [test(MATCH, coin(100, 0.5, 2 * i), coin(100, 0.5, 2 * i + 1), resamples=200).p for i in range(200)]
    # 5 % of 200 is 10; beyond 22 lies one run in ten thousand, and the seeds are fixed.
    assert sum(p < 0.05 for p in found) <= 22
    assert sum(p < 0.5 for p in found) >= 60


def test_unscored_examples_are_paired_away() -> None:
    late = Unscored("late")
    (first, second), left_out = paired([1, late, 0, 1], [0, 1, late, 1])
    assert (first, second, left_out) == ([1, 1], [0, 1], 2)
    comparison = mcnemar([1, late, 0, 1], [0, 1, late, 1])
    assert (comparison.n, comparison.left_out, comparison.difference) == (2, 2, 0.5)
    nothing = approximate_randomisation(MATCH, [late], [1])
    assert (nothing.p, nothing.n, nothing.left_out) == (1.0, 0, 1)


def test_statistics_of_different_splits_are_refused() -> None:
    with pytest.raises(UserError, match="2 and 3 examples"):
        mcnemar([1, 0], [1, 0, 1])


def test_mcnemar_by_hand() -> None:
    # Six examples only the first got right, one only the second: 2 · (C(7,0) + C(7,1)) / 2⁷ = 16/128.
    first, second = [1] * 6 + [0] + [1, 0, 1], [0] * 6 + [1] + [1, 0, 1]
    comparison = mcnemar(first, second)
    assert comparison.p == 16 / 128
    assert comparison.difference == pytest.approx(0.5)
    assert mcnemar([1, 0], [0, 1]).p == 1.0
    assert mcnemar([1] * 3000, [0] * 3000).p == 0.0


def test_mcnemar_refuses_what_is_not_right_or_wrong() -> None:
    with pytest.raises(UserError, match=r"0\.5") as caught:
        mcnemar([1, 0.5], [0, 1])
    assert "bootstrap" in caught.value.hint


def test_holm_by_hand() -> None:
    # Smallest first: .01 · 3 = .03; .03 · 2 = .06; .04 · 1 = .04, but never below the one before.
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == {"a": 0.03, "c": 0.06, "b": 0.06}
    assert holm({"a": 0.7, "b": 0.6}) == {"b": 1.0, "a": 1.0}


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1), max_size=6))
def test_holm_lies_between_no_correction_and_bonferroni(p_values: dict[str, float]) -> None:
    corrected = holm(p_values)
    assert set(corrected) == set(p_values)
    for name, p in p_values.items():
        assert p <= corrected[name] <= min(1.0, p * len(p_values)) + 1e-12


def test_the_systems_tied_with_the_best() -> None:
    best = coin(300, 0.7, 1)
    close = [1 - stat if i < 3 else stat for i, stat in enumerate(best)]
    worse = coin(300, 0.3, 3)
    systems: dict[str, list[Any]] = {"close": close, "best": best, "worse": worse}
    assert tied_with_best(MATCH, systems) == {"best", "close"}
    assert tied_with_best(MATCH, {"worse": worse}) == {"worse"}
    assert tied_with_best(MATCH, {}) == set()
    # With nothing that all have scored, nobody is shown to be worse.
    assert tied_with_best(MATCH, {**systems, "odd": [Unscored("late")] * 300}) == {*systems, "odd"}


def test_more_systems_make_a_borderline_one_tied() -> None:
    # The second loses 6 examples and wins none: 2/2⁶ = .031 alone, but .031 · 2 = .06 beside an equal rival.
    best, second = [1] * 40, [0] * 6 + [1] * 34
    three = {"best": best, "second": second, "third": second}
    assert tied_with_best(MATCH, {"best": best, "second": second}, resamples=10_000) == {"best"}
    assert tied_with_best(MATCH, three, resamples=10_000) == set(three)
    assert tied_with_best(MATCH, three, significance=0.1, resamples=10_000) == {"best"}
