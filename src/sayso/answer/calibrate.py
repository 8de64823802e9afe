"""From a score to a probability that means what it says, and how well it does: Platt's curve, ECE, coverage."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sayso.learners.linear import logistic

BINS = 10
Point = tuple[float, bool]
"""A stated confidence, and whether the answer was right."""


@dataclass(frozen=True)
class Curve:
    """logistic(bias + Σ weight · feature), after Platt; `highest` is as sure as one may be after so few trials."""

    bias: float
    weights: Mapping[str, float]
    highest: float = 1.0

    def __call__(self, features: Mapping[str, float]) -> float:
        total = self.bias + sum(weight * features[name] for name, weight in self.weights.items())
        return min(self.highest, logistic(total))


def logit(p: float, least: float = 1e-4) -> float:
    """.5 -> 0; never infinite."""
    p = min(1 - least, max(least, p))
    return math.log(p / (1 - p))


def calibration_error(points: Sequence[Point], bins: int = BINS) -> float:
    """ECE: |stated − right|, averaged over bins of equal width by their number of points."""
    groups: list[list[Point]] = [[] for _ in range(bins)]
    for stated, right in points:
        groups[min(bins - 1, int(stated * bins))].append((stated, right))
    gaps = [abs(sum(stated for stated, _ in group) - sum(right for _, right in group)) for group in groups]
    return sum(gaps) / len(points) if points else 0.0


def coverage(points: Sequence[Point]) -> list[tuple[float, float, float]]:
    """(threshold, share answered, share right of these), from answering only the surest to answering all."""
    ordered = sorted(points, reverse=True)
    hits, curve = 0, []
    for count, (stated, right) in enumerate(ordered, 1):
        hits += right
        if count == len(ordered) or ordered[count][0] < stated:
            curve.append((stated, count / len(ordered), hits / count))
    return curve
