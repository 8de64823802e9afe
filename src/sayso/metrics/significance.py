"""Intervals and paired tests from saved statistics, without a model: is a difference more than luck?

Examples are resampled, or swapped between two systems, and the score is reduced anew each time. Higher is better.
Everything is drawn from one seed, so a number can be had again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from sayso.core.errors import MissingPart, UserError
from sayso.core.types import Metric, Score, Unscored
from sayso.metrics.average import separate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Indices = NDArray[np.int64]
    Numbers = NDArray[Any]

RESAMPLES = 1000
SEED = 0
# Cells of one block of resamples: some 30 MB in all its arrays, whatever the number of examples.
BLOCK = 1_000_000
# A difference smaller than the observed one by this much counts as equal: sums in another order differ a little.
SLACK = 1e-9


@dataclass(frozen=True)
class Interval:
    low: float
    high: float
    level: float
    n: int


@dataclass(frozen=True)
class Comparison:
    """The first system minus the second over the n examples that both have scored; `left_out` are the others."""

    test: str
    difference: float
    p: float
    n: int
    left_out: int


def interval(
    metric: Metric[Any],
    stats: Sequence[Any],
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    clusters: Sequence[str] = (),
) -> Interval:
    """The bootstrap percentile interval over what was scored; with `clusters`, one name an example, these are drawn."""
    np = _numpy()
    scored, _ = separate(stats)
    if not scored:
        return Interval(math.nan, math.nan, level, 0)
    if getattr(metric, "pooling", "any") == "mean" and (set(scored) == {0} or set(scored) == {1}):
        drawn = len(set(_scored_names(clusters, ((stat,) for stat in stats)))) or len(scored)
        low, high = wilson(scored[0], drawn, level)
        return Interval(low, high, level, len(scored))
    if clusters:
        values = _bootstrap_clusters(metric, stats, clusters, resamples, seed)
    else:
        values = _bootstrap(metric, scored, resamples, seed)
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, len(scored))


def wilson(share: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Wilson's interval: none right of n is no proof of 0, where a bootstrap draws nothing but zeros."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle, spread = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = ((middle + sign * spread) / (1 + z * z / n) for sign in (-1, 1))
    return (0.0 if share == 0 else low), (1.0 if share == 1 else high)


def score_with_interval(
    metric: Metric[Any],
    stats: Sequence[Any],
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    clusters: Sequence[str] = (),
) -> Score:
    """What a report prints: the score with its `low` and `high`."""
    found = interval(metric, stats, level, resamples, seed, clusters)
    return replace(metric.reduce(stats), low=found.low, high=found.high)


def paired_bootstrap(
    metric: Metric[Any], first: Sequence[Any], second: Sequence[Any], resamples: int = RESAMPLES, seed: int = SEED
) -> Comparison:
    """Two-sided: how often the resampled difference strays from the observed one by as much as that is from 0."""
    (one, two), left_out = paired(first, second)
    observed = _difference(metric, one, two)
    if not one:
        return Comparison("paired bootstrap", observed, 1.0, 0, left_out)
    # The same seed draws the same examples for both systems.
    differences = _bootstrap(metric, one, resamples, seed) - _bootstrap(metric, two, resamples, seed)
    return Comparison("paired bootstrap", observed, _share(differences - observed, observed), len(one), left_out)


def approximate_randomisation(
    metric: Metric[Any],
    first: Sequence[Any],
    second: Sequence[Any],
    resamples: int = RESAMPLES,
    seed: int = SEED,
    clusters: Sequence[str] = (),
) -> Comparison:
    """Two-sided: how often swapping the systems' answers at random makes the difference as large as it is.

    With `clusters`, one name an example, the answers to a whole cluster are swapped together.
    """
    (one, two), left_out = paired(first, second)
    observed = _difference(metric, one, two)
    if not one:
        return Comparison("approximate randomisation", observed, 1.0, 0, left_out)
    kept = _scored_names(clusters, zip(first, second, strict=True))
    share = _share(_swapped(metric, one, two, resamples, seed, kept), observed)
    return Comparison("approximate randomisation", observed, share, len(one), left_out)


def mcnemar(first: Sequence[Any], second: Sequence[Any]) -> Comparison:
    """The exact two-sided test for statistics of 0 and 1, on the examples that one of the two got right."""
    (one, two), left_out = paired(first, second)
    for stat in (*one, *two):
        if stat not in (0, 1):
            raise UserError(
                f"McNemar's test needs right or wrong, but a statistic is {stat!r}", "use the paired bootstrap"
            )
    only_first = sum(a > b for a, b in zip(one, two, strict=True))
    only_second = sum(a < b for a, b in zip(one, two, strict=True))
    flips = only_first + only_second
    tail = sum(math.comb(flips, i) for i in range(min(only_first, only_second) + 1))
    # Python divides integers of any length exactly; 2.0 ** flips would overflow.
    p = min(1.0, 2 * tail / 2**flips)
    difference = (only_first - only_second) / len(one) if one else math.nan
    return Comparison("McNemar", difference, p, len(one), left_out)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """p-values corrected for their number: compare each with the level as if it stood alone."""
    corrected: dict[str, float] = {}
    highest = 0.0
    for rank, (name, p) in enumerate(sorted(p_values.items(), key=lambda item: item[1])):
        highest = max(highest, min(1.0, p * (len(p_values) - rank)))
        corrected[name] = highest
    return corrected


def tied_with_best(
    metric: Metric[Any],
    systems: Mapping[str, Sequence[Any]],
    significance: float = 0.05,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    clusters: Sequence[str] = (),
) -> set[str]:
    """The best system and those not significantly worse: approximate randomisation, Holm's correction.

    All systems are compared over the examples that every one of them has scored; where there are none, all are tied.
    """
    names = list(systems)
    shared, _ = paired(*systems.values())
    scored = dict(zip(names, shared, strict=True))
    if not names or not shared[0]:
        return set(names)
    kept = _scored_names(clusters, zip(*systems.values(), strict=True))
    values = {name: metric.reduce(stats).value for name, stats in scored.items()}
    best = max(names, key=lambda name: values[name])
    p_values = {
        name: approximate_randomisation(metric, scored[best], scored[name], resamples, seed, kept).p
        for name in names
        if name != best
    }
    return {best} | {name for name, p in holm(p_values).items() if p >= significance}


def paired(*systems: Sequence[Any]) -> tuple[list[list[Any]], int]:
    """The statistics of the examples that all systems have scored, and how many examples that leaves out."""
    lengths = {len(stats) for stats in systems}
    if len(lengths) > 1:
        raise UserError(
            f"statistics of {' and '.join(map(str, sorted(lengths)))} examples cannot be paired",
            "score both systems on the same split",
        )
    rows = list(zip(*systems, strict=True))
    kept = [row for row in rows if not _any_unscored(row)]
    return [[row[i] for row in kept] for i in range(len(systems))], len(rows) - len(kept)


def _scored_names(clusters: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    """The clusters of the examples that all have scored; nothing where examples are drawn one by one."""
    return [name for name, row in zip(clusters, rows, strict=True) if not _any_unscored(row)] if clusters else []


def _any_unscored(row: Sequence[Any]) -> bool:
    return any(isinstance(stat, Unscored) for stat in row)


def _difference(metric: Metric[Any], one: Sequence[Any], two: Sequence[Any]) -> float:
    return metric.reduce(one).value - metric.reduce(two).value


def _share(differences: Floats, observed: float) -> float:
    """How many are as extreme as what was observed, the observation itself counted among them."""
    np = _numpy()
    extreme = int(np.sum(np.abs(differences) >= abs(observed) - SLACK))
    return (extreme + 1) / (len(differences) + 1)


def _bootstrap(metric: Metric[Any], stats: Sequence[Any], resamples: int, seed: int) -> Floats:
    """The value of every resample."""
    np = _numpy()
    n = len(stats)
    matrix = _matrix(metric, stats)
    values: list[float] = []
    for generator, size in _blocks(resamples, n, seed):
        chosen: Indices = generator.integers(n, size=(size, n))
        if matrix is None:
            values += [metric.reduce([stats[i] for i in row]).value for row in chosen.tolist()]
        else:
            flat = (chosen + n * np.arange(size)[:, None]).ravel()
            counts = np.bincount(flat, minlength=size * n).reshape(size, n)
            values += _from_sums(metric, _weighted(counts, matrix), n)
    resampled: Floats = np.asarray(values, dtype=np.float64)
    return resampled


def _bootstrap_clusters(
    metric: Metric[Any], stats: Sequence[Any], clusters: Sequence[str], resamples: int, seed: int
) -> Floats:
    """The value of every resample of whole clusters, as many as there are."""
    np = _numpy()
    groups: dict[str, list[Any]] = {}
    for stat, cluster in zip(stats, clusters, strict=True):
        if not isinstance(stat, Unscored):
            groups.setdefault(cluster, []).append(stat)
    members = list(groups.values())
    n = len(members)
    matrices = [_matrix(metric, group) for group in members]
    values: list[float] = []
    for generator, size in _blocks(resamples, n, seed):
        chosen: Indices = generator.integers(n, size=(size, n))
        if any(matrix is None for matrix in matrices):
            values += [metric.reduce([stat for i in row for stat in members[i]]).value for row in chosen.tolist()]
            continue
        sums = np.asarray([matrix.sum(axis=0) for matrix in matrices if matrix is not None])
        sizes = np.asarray([[len(group)] for group in members])
        counts = np.apply_along_axis(np.bincount, 1, chosen, minlength=n)
        drawn, total = _weighted(counts, sums), _weighted(counts, sizes)[:, 0]
        if getattr(metric, "pooling", "any") == "mean":
            values += (drawn[:, 0] / total).tolist()
        else:
            values += _from_sums(metric, drawn, n)
    resampled: Floats = np.asarray(values, dtype=np.float64)
    return resampled


def _swapped(
    metric: Metric[Any],
    one: Sequence[Any],
    two: Sequence[Any],
    resamples: int,
    seed: int,
    clusters: Sequence[str] = (),
) -> Floats:
    """The difference after every random exchange."""
    np = _numpy()
    n = len(one)
    places = {name: at for at, name in enumerate(dict.fromkeys(clusters))}
    of = [places[name] for name in clusters]
    left, right = _matrix(metric, one), _matrix(metric, two)
    values: list[float] = []
    for generator, size in _blocks(resamples, n, seed):
        swaps = generator.integers(2, size=(size, len(places) or n))
        if of:
            swaps = swaps[:, of]
        if left is None or right is None:
            for row in swaps.tolist():
                a = [two[i] if swap else one[i] for i, swap in enumerate(row)]
                b = [one[i] if swap else two[i] for i, swap in enumerate(row)]
                values.append(_difference(metric, a, b))
        else:
            moved = _weighted(swaps, right - left)
            firsts = _from_sums(metric, left.sum(axis=0) + moved, n)
            seconds = _from_sums(metric, right.sum(axis=0) - moved, n)
            values += [a - b for a, b in zip(firsts, seconds, strict=True)]
    resampled: Floats = np.asarray(values, dtype=np.float64)
    return resampled


def _matrix(metric: Metric[Any], stats: Sequence[Any]) -> Numbers | None:
    """One row of numbers an example, where sums of rows are all that `reduce` needs (`average.Pooling`)."""
    np = _numpy()
    pooling = getattr(metric, "pooling", "any")
    if pooling == "any":
        return None
    rows: Numbers = np.asarray(stats).reshape(len(stats), -1)
    return rows


def _weighted(weights: Indices, matrix: Numbers) -> Numbers:
    """Sums of rows; whole numbers stay whole, though floats multiply many times faster (and are exact up to 2⁵³)."""
    np = _numpy()
    product = weights.astype(np.float64) @ matrix.astype(np.float64)
    sums: Numbers = np.rint(product).astype(np.int64) if matrix.dtype.kind in "bi" else product
    return sums


def _from_sums(metric: Metric[Any], sums: Numbers, n: int) -> list[float]:
    if getattr(metric, "pooling", "any") == "mean":
        means: list[float] = (sums[:, 0] / n).tolist()
        return means
    return [metric.reduce([row]).value for row in sums.tolist()]


def _blocks(resamples: int, n: int, seed: int) -> Iterator[tuple[np.random.Generator, int]]:
    generator = _numpy().random.default_rng(seed)
    rows = max(1, BLOCK // n)
    for start in range(0, resamples, rows):
        yield generator, min(rows, resamples - start)


def _numpy() -> Any:
    try:
        import numpy
    except ImportError as error:
        raise MissingPart(
            "intervals and tests need numpy, which is not installed", "pip install 'sayso[train]'"
        ) from error
    return numpy
