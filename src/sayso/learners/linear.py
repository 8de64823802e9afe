"""The one linear model: logistic regression, a softmax over rivals, Platt's targets, and the steps that fit them.

Weights follow from the data and the steps alone: no randomness but the seed of `fit_sparse`, no early stop. Numpy is
imported when something is fitted; who only asks `logistic` needs none.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

STEEPEST = 30.0
"""Beyond this a logistic is 0 or 1 to the last place that counts."""


def logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x > -500 else 0.0


def logistics(scores: Array) -> Array:
    import numpy as np

    found: Array = 1 / (1 + np.exp(-np.clip(scores, -500, 500)))
    return found


def platt_targets(right: Sequence[bool]) -> Array:
    """Neither 0 nor 1, so that a few points cannot promise certainty (Platt 1999)."""
    import numpy as np

    hits = sum(right)
    return np.where(right, (hits + 1) / (hits + 2), 1 / (len(right) - hits + 2))


class Steps(Protocol):
    """How weights walk downhill: from where, along which slope, and what they may not leave."""

    def __call__(self, start: Array, slope: Callable[[Array], Array]) -> Array: ...


@dataclass(frozen=True)
class Descent:
    """Gradient descent with momentum; `momentum` 0 is the plain one. `least`: no weight falls below it."""

    rate: float
    rounds: int
    momentum: float = 0.0
    least: float = -math.inf

    def __call__(self, start: Array, slope: Callable[[Array], Array]) -> Array:
        import numpy as np

        weights, speed = start.copy(), np.zeros_like(start)
        for _ in range(self.rounds):
            speed = self.momentum * speed - self.rate * slope(weights)
            weights = np.maximum(weights + speed, self.least)
        return weights


@dataclass(frozen=True)
class Adam:
    """Kingma and Ba 2015, with their constants."""

    rate: float
    rounds: int

    def __call__(self, start: Array, slope: Callable[[Array], Array]) -> Array:
        import numpy as np

        weights, mean, square = start.copy(), np.zeros_like(start), np.zeros_like(start)
        for step in range(1, self.rounds + 1):
            now = slope(weights)
            mean, square = 0.9 * mean + 0.1 * now, 0.999 * square + 0.001 * now**2
            weights = weights - self.rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        return weights


@dataclass(frozen=True)
class Data:
    """Rows (row, feature) and what is true of each, 0 to 1; `weight` and `offset` have a number a row."""

    rows: Array
    truth: Array
    weight: Array | float = 1.0
    offset: Array | float = 0.0


def fit_logistic(data: Data, steps: Steps, start: Array, pull: Array | float = 0.0) -> Array:
    """Weights under which the truth is likely; `pull` draws each towards 0 (L2)."""

    def slope(weights: Array) -> Array:
        error = logistics(data.offset + data.rows @ weights) - data.truth
        found: Array = data.rows.T @ (data.weight * error) + pull * weights
        return found

    return steps(start, slope)


def fit_newton(data: Data, start: Array, pull: float, rounds: int = 50) -> Array:
    """The same by Newton's steps, drawn towards the start: for few weights, to the optimum."""
    import numpy as np

    found = start.copy()
    for _ in range(rounds):
        chance = logistics(np.clip(data.offset + data.rows @ found, -STEEPEST, STEEPEST))
        slope = data.rows.T @ (data.weight * (chance - data.truth)) + pull * (found - start)
        bend = data.rows.T @ (data.rows * (data.weight * chance * (1 - chance))[:, None]) + pull * np.eye(len(start))
        step = np.linalg.solve(bend, slope)
        found = found - step / max(1.0, float(np.abs(step).max()))  # far off, a whole step goes astray
    return found


@dataclass(frozen=True)
class Rivals:
    """Questions with their rivals, padded to one width, and the share of the truth that each rival has."""

    features: Array
    """(question, rival, feature)"""
    absent: Array
    """(question, rival): 0, or far below where a question has no such rival."""
    truth: Array
    weight: Array
    """A number a question."""


def rivals(questions: Sequence[tuple[Any, Any, float]]) -> Rivals:
    """From (rows, truth of each row, weight) a question; the weights are made to sum to 1."""
    import numpy as np

    widest, width = max(len(truth) for _, truth, _ in questions), len(questions[0][0][0])
    features = np.zeros((len(questions), widest, width))
    absent, right = np.full((len(questions), widest), -1e9), np.zeros((len(questions), widest))
    for at, (rows, truth, _) in enumerate(questions):
        features[at, : len(truth)], absent[at, : len(truth)], right[at, : len(truth)] = rows, 0.0, truth
    weight = np.array([much for _, _, much in questions], float)
    return Rivals(features, absent, right, weight / weight.sum())


def fit_ranking(
    asked: Rivals, steps: Steps, start: Array, pull: Array | float, none: bool = False, free: Array | float = 1.0
) -> Array:
    """Weights under which the right rivals are likely (softmax); with `none`, "none of these" is a rival of score 0.

    `free` is 0 for weights that stay where they start.
    """
    import numpy as np

    def slope(weights: Array) -> Array:
        scores = asked.features @ weights + asked.absent
        top = np.maximum(scores.max(axis=1), 0.0) if none else scores.max(axis=1)
        odds = np.exp(scores - top[:, None])
        likely = odds / (odds.sum(axis=1) + (np.exp(-top) if none else 0.0))[:, None]
        wrong = (likely - asked.truth) * asked.weight[:, None]
        found: Array = (np.einsum("qr,qrf->f", wrong, asked.features) + pull * weights) * free
        return found

    return steps(start, slope)


def fit_sparse(
    rows: Sequence[tuple[Sequence[str], bool]], epochs: int, rate: float, fading: float, seed: int
) -> dict[str, float]:
    """Logistic regression over named features that are there or not, by stochastic descent; pure Python."""
    weights: dict[str, float] = defaultdict(float)
    order, shuffler, step = list(range(len(rows))), random.Random(seed), 0
    for _ in range(epochs):
        shuffler.shuffle(order)
        for at in order:
            row, right = rows[at]
            total = sum(weights[feature] for feature in row)
            change = rate / (1 + step * fading) * (right - logistic(max(-STEEPEST, min(STEEPEST, total))))
            step += 1
            for feature in row:
                weights[feature] += change
    return dict(weights)


def fit_named(
    rows: Sequence[Sequence[str]],
    truth: Sequence[float],
    steps: Steps,
    pull: float,
    weight: Sequence[float] | None = None,
) -> dict[str, float]:
    """The same over named features by whole steps: for many rows with few features each; `pull` draws towards 0."""
    import numpy as np

    numbers = {name: at for at, name in enumerate(sorted({name for row in rows for name in row}))}
    flat = np.array([numbers[name] for row in rows for name in row])
    lengths = np.array([len(row) for row in rows])
    owner = np.repeat(np.arange(len(rows)), lengths)
    wanted = np.array(truth, float)
    much = np.ones(len(rows)) if weight is None else np.array(weight, float)

    def slope(weights: Array) -> Array:
        scores: Array = np.bincount(owner, weights[flat], len(rows)).astype(np.float64)
        error = (logistics(scores) - wanted) * much
        found: Array = np.bincount(flat, error[owner], len(numbers)) + pull * weights
        return found

    found = steps(np.zeros(len(numbers)), slope)
    return {name: float(found[at]) for name, at in numbers.items()}
