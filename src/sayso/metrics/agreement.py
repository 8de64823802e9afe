"""How far judges agree (NL2Bash table 7): Krippendorff's alpha from its definition, and plain agreement of pairs.

Alpha is 1 - observed / expected disagreement over the coincidence matrix; a value that stands alone pairs with nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import Literal

from sayso.metrics.judged import Verdict, Which

Value = bool | int | float | str
Level = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True)
class PairAgreement:
    """Two judges over the n items that both judged."""

    first: str
    second: str
    n: int
    agreement: float
    alpha: float


def alpha(units: Iterable[Iterable[Value | None]], level: Level = "nominal") -> float:
    """Krippendorff's alpha; a unit is what its judges said, None (or nothing) where one said nothing.

    NaN where it is not defined: nothing to pair, or one value throughout. Ordinal and interval need numbers.
    """
    weights: dict[tuple[Value, Value], float] = {}
    for unit in units:
        values = [value for value in unit if value is not None]
        for pair in permutations(values, 2):
            weights[pair] = weights.get(pair, 0.0) + 1 / (len(values) - 1)
    marginals: dict[Value, float] = {}
    for (value, _), weight in weights.items():
        marginals[value] = marginals.get(value, 0.0) + weight
    distance = _distance(marginals, level)
    total = sum(marginals.values())
    observed = sum(weight * distance(a, b) for (a, b), weight in weights.items())
    expected = sum(marginals[a] * marginals[b] * distance(a, b) for a, b in product(marginals, repeat=2))
    if not expected:
        return float("nan")
    return 1 - (total - 1) * observed / expected


def _distance(marginals: Mapping[Value, float], level: Level) -> Callable[[Value, Value], float]:
    """The squared difference of two values."""
    if level == "nominal":
        return lambda a, b: float(a != b)
    if level == "interval":
        return lambda a, b: (float(a) - float(b)) ** 2

    def ordinal(a: Value, b: Value) -> float:
        low, high = sorted((float(a), float(b)))
        between = sum(count for value, count in marginals.items() if low <= float(value) <= high)
        return (between - (marginals[a] + marginals[b]) / 2) ** 2 if a != b else 0.0

    return ordinal


def agreement(units: Iterable[tuple[Value, Value]]) -> float:
    """The share of pairs that are equal: [("y", "y"), ("y", "n")] -> 0.5; NaN for none."""
    same = [first == second for first, second in units]
    return sum(same) / len(same) if same else float("nan")


def ratings(verdicts: Iterable[Verdict], which: Which) -> list[dict[str, Value]]:
    """For each verdict what every judge said: [{"A": True, "B": False}, …]"""
    units: list[dict[str, Value]] = []
    for verdict in verdicts:
        said = ((vote.judge, vote.template if which == "template" else vote.command) for vote in verdict.votes)
        units.append({judge: value for judge, value in said if value is not None})
    return units


def pairwise(units: Sequence[Mapping[str, Value]], level: Level = "nominal") -> list[PairAgreement]:
    """Every two judges over what both judged, in the order in which judges first appear."""
    judges = dict.fromkeys(judge for unit in units for judge in unit)
    found: list[PairAgreement] = []
    for first, second in combinations(judges, 2):
        both = [(unit[first], unit[second]) for unit in units if first in unit and second in unit]
        found.append(PairAgreement(first, second, len(both), agreement(both), alpha(both, level)))
    return found
