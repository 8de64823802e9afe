"""Systems that were trained several times: is a difference more than luck of the seeds, and of the examples?

A seed is as much a draw as an example is. Over examples two systems may differ beyond doubt and over seeds not at all:
the runs of both are dealt out anew in every way, and how often that makes the difference as large as it is, is the p
over seeds. What is claimed is the larger of the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random
from statistics import fmean
from typing import Any

from sayso.core.types import Unscored
from sayso.metrics.significance import RESAMPLES, SEED, SLACK

MOST_DEALS = 20_000
"""More ways than this are drawn from."""


@dataclass(frozen=True)
class SeededTest:
    """The first system's mean less the second's; `over_seeds` is None where one of them has a single run."""

    difference: float
    over_examples: float
    over_seeds: float | None
    n: int

    @property
    def p(self) -> float:
        """The larger: a difference must hold for other examples and for other seeds."""
        return max(self.over_examples, self.over_seeds or 0.0)


def deal_runs(first: Sequence[float], second: Sequence[float], seed: int = SEED) -> float | None:
    """Two-sided: the share of all ways to deal the runs out that differ as much; None where a side has one run."""
    if len(first) < 2 or len(second) < 2:
        return None
    runs = [*first, *second]
    observed = abs(fmean(first) - fmean(second))
    total, size = sum(runs), len(first)

    def difference(chosen: Sequence[int]) -> float:
        left = sum(runs[at] for at in chosen)
        return abs(left / size - (total - left) / (len(runs) - size))

    if comb(len(runs), size) <= MOST_DEALS:
        deals = [difference(chosen) for chosen in combinations(range(len(runs)), size)]
        return sum(one >= observed - SLACK for one in deals) / len(deals)
    random = Random(seed)
    deals = [difference(random.sample(range(len(runs)), size)) for _ in range(MOST_DEALS)]
    return (1 + sum(one >= observed - SLACK for one in deals)) / (1 + len(deals))


def interval_over_both(
    runs: Sequence[Sequence[Any]],
    clusters: Sequence[str] = (),
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[float, float]:
    """Of the mean over runs: runs are drawn and examples are, whole clusters where there are any."""
    import numpy as np

    kept = [at for at in range(len(runs[0])) if not any(isinstance(run[at], Unscored) for run in runs)]
    table = np.asarray([[float(run[at]) for at in kept] for run in runs])  # (runs, examples)
    names = [clusters[at] for at in kept] if clusters else [str(at) for at in kept]
    places = {name: at for at, name in enumerate(dict.fromkeys(names))}
    of = np.asarray([places[name] for name in names])
    sums = np.stack([np.bincount(of, weights=run, minlength=len(places)) for run in table])  # (runs, clusters)
    sizes = np.bincount(of, minlength=len(places))
    generator = np.random.default_rng(seed)
    values = []
    for _ in range(resamples):
        drawn = np.bincount(generator.integers(len(places), size=len(places)), minlength=len(places))
        chosen = generator.integers(len(runs), size=len(runs))
        values.append(float((sums[chosen] @ drawn).mean() / (sizes @ drawn)))
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
