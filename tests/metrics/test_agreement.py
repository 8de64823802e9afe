"""Krippendorff's alpha on the worked examples of his "Computing Krippendorff's Alpha-Reliability", redone by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.metrics.agreement import Level, agreement, alpha, pairwise, ratings
from sayso.metrics.judged import Verdict, Vote, Which, read_verdicts

# Two observers, ten units, two values. They differ on four units, so 4 of the coincidences are (0, 1); of the 20 values
# 14 are 0 and 6 are 1: alpha = 1 - 19 · 4 / (14 · 6) = .095
BINARY = list(zip((0, 1, 0, 0, 0, 0, 0, 0, 1, 0), (1, 1, 1, 0, 0, 1, 0, 0, 0, 0), strict=True))

# Four observers, twelve units, values left out. 40 values can be paired: 9 ones, 13 twos, 10 threes, 5 fours, 3 fives;
# the lone 3 of the last unit cannot. Only three units differ: 2 2 3 2, 1 2 3 4 and 1 1 2 1.
FOUR = list(
    zip(
        (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
        (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
        (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
        (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
        strict=True,
    )
)


def test_two_observers_binary() -> None:
    assert alpha(BINARY) == pytest.approx(1 - 19 * 4 / (14 * 6))
    assert agreement(BINARY) == 0.6


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        # Unequal coincidences: 2 + 4 + 2 = 8 (a unit of four shares each pair by 3). Expected: 40² - 384 = 1216.
        ("nominal", 1 - 39 * 8 / 1216),
        # Observed 2·1 + 2/3·(1+4+9+1+4+1) + 2·1 = 52/3; expected 2·(40·306 - 100²) = 4480.
        ("interval", 1 - 39 * (52 / 3) / 4480),
        # Distances by rank: 12 → 11², 13 → 22.5², 14 → 30², 23 → 11.5², 24 → 19², 34 → 7.5², 15 → 34², 25 → 23²,
        # 35 → 11.5², 45 → 4². Observed 2·132.25 + 2/3·2076.75 + 2·121 = 1891; expected 2·199740.
        ("ordinal", 1 - 39 * 1891 / 399480),
    ],
)
def test_four_observers_with_missing_values(level: Level, expected: float) -> None:
    assert alpha(FOUR, level) == pytest.approx(expected)


def test_the_published_figures() -> None:
    levels: tuple[Level, ...] = ("nominal", "ordinal", "interval")
    assert [round(alpha(FOUR, level), 3) for level in levels] == [0.743, 0.815, 0.849]


def test_alpha_is_undefined_without_variation_or_pairs() -> None:
    assert math.isnan(alpha([(1, 1), (1, 1)]))
    assert math.isnan(alpha([(1, None), (2,)]))
    assert math.isnan(alpha([]))


@given(st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=4), min_size=2, max_size=8))
def test_alpha_is_1_only_for_perfect_agreement(units: list[list[int]]) -> None:
    value = alpha(units)
    if math.isnan(value):
        assert len({rating for unit in units for rating in unit}) == 1
    else:
        assert (value == pytest.approx(1.0)) == all(len(set(unit)) == 1 for unit in units)
        assert value <= 1.0 + 1e-9
        # Names of judges do not matter, nor does naming the values otherwise at the nominal level.
        assert alpha([[10 - rating for rating in reversed(unit)] for unit in units]) == pytest.approx(value)


def test_pairs_of_judges_over_what_both_judged() -> None:
    verdicts = [
        verdict(A=True, B=True, C=None),
        verdict(A=True, B=False, C=True),
        verdict(A=False, B=False, C=False),
    ]
    pairs = {pair.first + pair.second: pair for pair in pairwise(ratings(verdicts, "command"))}
    assert [(name, pair.n) for name, pair in pairs.items()] == [("AB", 3), ("AC", 2), ("BC", 2)]
    assert pairs["AB"].agreement == 2 / 3
    # A and C agree on one yes and one no. Of their 4 values 2 are yes: alpha = 1 - 3 · 0.
    assert pairs["AC"].alpha == 1.0
    # B and C: one unit differs, one is no twice; 3 no, 1 yes: 1 - 3 · 1 / (3 · 1) = 0.
    assert pairs["BC"].alpha == pytest.approx(0.0)


def verdict(**said: bool | None) -> Verdict:
    return Verdict("x", "y", None, None, tuple(Vote(judge, None, vote) for judge, vote in said.items()))


@pytest.mark.parametrize(
    ("name", "which", "printed"),
    # NL2Bash table 7 prints .89/.81 for its first pair and .90/.89 for its third, and calls them alpha. Plain agreement
    # of judges A and B gives just that: .892/.812 on the test rows of ST-CopyNet, .903/.885 on the dev rows.
    [
        ("test.stc.csv", "command", 0.89),
        ("test.stc.csv", "template", 0.81),
        ("dev.samples.csv", "command", 0.90),
        ("dev.samples.csv", "template", 0.89),
    ],
)
def test_table_7_is_plain_agreement(corpora: Path, name: str, which: Which, printed: float) -> None:
    verdicts = read_verdicts(corpora / f"nl2bash/manual_judgements/manual.evaluations.{name}")
    first = pairwise(ratings(verdicts, which))[0]
    assert (first.first, first.second, first.n) == ("A", "B", len(verdicts))
    assert first.agreement == pytest.approx(printed, abs=0.0055)
    # The real alpha of the same rows is far lower.
    assert first.alpha < printed - 0.1
