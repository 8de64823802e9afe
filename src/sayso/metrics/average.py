"""What every `reduce` needs: the scored apart from the unscored, and the mean that most scores are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

from sayso.core.types import Score, Unscored

S = TypeVar("S")

Pooling = Literal["mean", "sum", "any"]
"""How `reduce` joins statistics; a metric says so in a class variable `pooling`; resampling is fast for the first two.

mean: each statistic is a number and the value is their mean.
sum:  each statistic is a list of numbers of one length and the value depends on their sum alone.
any:  whatever else; `reduce` is called for every resample. A metric without the variable is one of these.
"""

NO_REFERENCE = Unscored("no reference")


def separate(stats: Sequence[S | Unscored]) -> tuple[list[S], dict[str, int]]:
    """[1, Unscored("late"), 0] -> ([1, 0], {"late": 1})"""
    scored = [stat for stat in stats if not isinstance(stat, Unscored)]
    reasons = Counter(stat.reason for stat in stats if isinstance(stat, Unscored))
    return scored, dict(sorted(reasons.items()))


def mean_score(name: str, signature: str, stats: Sequence[float | Unscored]) -> Score:
    """The mean of what was scored."""
    scored, unscored = separate(stats)
    value = sum(scored) / len(scored) if scored else float("nan")
    return score(name, signature, value, len(scored), unscored)


def score(name: str, signature: str, value: float, n: int, unscored: Mapping[str, int]) -> Score:
    """A score over nothing has no value: it is NaN, never 0, and whoever prints scores leaves it out."""
    return Score(name=name, value=value if n else float("nan"), n=n, unscored=unscored, signature=signature)
