"""Seeds are draws as well: what is beyond doubt over examples may be luck of the seeds."""

from __future__ import annotations

import pytest

from sayso.core.types import Unscored
from sayso.metrics.match import Match
from sayso.metrics.seeded import SeededTest, deal_runs, interval_over_both
from sayso.metrics.significance import approximate_randomisation, interval, tied_with_best, wilson

EXACT = Match("exact", 1, str.strip, "text")


def test_runs_are_dealt_out_in_every_way() -> None:
    # Of 6 ways to deal 4 runs out, only the observed one and its mirror differ by .4.
    assert deal_runs([0.9, 0.8], [0.5, 0.4]) == pytest.approx(2 / 6)
    # MiniLM on Program email: +.06 with seeds from .26 to .48 is no difference.
    assert (deal_runs([0.26, 0.48, 0.42, 0.44, 0.40], [0.30, 0.38, 0.34, 0.40, 0.29]) or 0) > 0.1
    assert deal_runs([0.5], [0.4, 0.3]) is None


def test_many_runs_are_sampled_and_the_same_each_time() -> None:
    first, second = [0.5 + at / 100 for at in range(12)], [0.1 + at / 100 for at in range(12)]
    found = deal_runs(first, second)
    assert found == deal_runs(first, second)
    assert found is not None
    assert found < 0.001


def test_the_larger_p_counts() -> None:
    assert SeededTest(0.06, 0.0002, 0.21, 100).p == 0.21
    assert SeededTest(0.06, 0.0002, None, 100).p == 0.0002


def test_an_interval_over_seeds_is_wider_than_one_over_examples_alone() -> None:
    good, bad = [1] * 40 + [0] * 10, [1] * 10 + [0] * 40
    low, high = interval_over_both([good, bad])
    means = interval(EXACT, [0.5 * (a + b) for a, b in zip(good, bad, strict=True)])
    assert high - low > means.high - means.low
    assert low < 0.5 < high


def test_unscored_examples_are_left_out_of_every_run() -> None:
    assert interval_over_both([[1, Unscored("late")], [1, 0]]) == (1.0, 1.0)


def test_paraphrases_of_one_call_are_no_evidence_of_their_own() -> None:
    stats = [1] * 30 + [0] * 30
    calls = ["a"] * 30 + ["b"] * 30
    alone, together = interval(EXACT, stats), interval(EXACT, stats, clusters=calls)
    assert together.high - together.low > 2 * (alone.high - alone.low)
    other = [0] * 60
    assert approximate_randomisation(EXACT, stats, other).p < 0.01
    assert approximate_randomisation(EXACT, stats, other, clusters=calls).p > 0.4
    assert tied_with_best(EXACT, {"one": stats, "two": other}) == {"one"}
    assert tied_with_best(EXACT, {"one": stats, "two": other}, clusters=calls) == {"one", "two"}


def test_none_right_is_no_proof_of_zero() -> None:
    # Wilson: z² / (n + z²) with z = 1.96 and n = 50.
    assert wilson(0, 50)[0] == 0.0 and wilson(0, 50)[1] == pytest.approx(0.0713, abs=1e-4)
    found = interval(EXACT, [0] * 50)
    assert (found.low, found.high) == wilson(0, 50)
    assert interval(EXACT, [1] * 50).low == pytest.approx(1 - 0.0713, abs=1e-4)
    # Five calls with ten paraphrases each are five.
    assert interval(EXACT, [0] * 50, clusters=[str(at % 5) for at in range(50)]).high == wilson(0, 5)[1]
