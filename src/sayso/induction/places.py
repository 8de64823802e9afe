"""Places in derivations, and how likely rules are in them.

A place is a hole of a rule. Where a rule was never seen in a place, places that hold much the same rules speak for it,
unless it could have stood there in known pairs and never did.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

Place = tuple[int, int]
"""(rule, hole); the outermost rule of a derivation stands in ROOT."""
ROOT: Place = (-1, 0)
FLOOR = 1e-12
LENT = 1.0
"""How many sightings the neighbours of a place count as."""
Row = Mapping[int, float]


@dataclass(frozen=True)
class Weights:
    """Counts of rules in places; 0 says that a rule could have stood there and never did."""

    counts: Mapping[Place, Row]

    def table(self) -> dict[Place, dict[int, float]]:
        """Place -> rule -> probability, for the rules seen there or in a place like it; others have FLOOR."""
        shares = {place: shares_of(row) for place, row in self.counts.items() if sum(row.values())}
        table: dict[Place, dict[int, float]] = {}
        for place, row in shares.items():
            counts, total = self.counts[place], sum(self.counts[place].values())
            lent = {rule: share for rule, share in borrowed(place, shares).items() if counts.get(rule) != 0}
            table[place] = {
                rule: (counts.get(rule, 0.0) + LENT * lent.get(rule, 0.0)) / (total + LENT) + FLOOR
                for rule in sorted({*row, *lent})
            }
        return table


def shares_of(row: Row) -> dict[int, float]:
    total = sum(row.values())
    return {rule: count / total for rule, count in row.items() if count}


def borrowed(place: Place, shares: Mapping[Place, Row]) -> dict[int, float]:
    """What other places hold, each as far as it is like this one."""
    row = shares[place]
    found: defaultdict[int, float] = defaultdict(float)
    together = 0.0
    for other, others in shares.items():
        if other != place:
            alike = cosine(row, others)
            together += alike
            for rule, share in others.items():
                found[rule] += alike * share
    return {rule: weight / together for rule, weight in found.items()} if together else {}


def cosine(one: Row, other: Row) -> float:
    shared = sum(share * other.get(rule, 0.0) for rule, share in one.items())
    return shared / math.sqrt(sum(a * a for a in one.values()) * sum(b * b for b in other.values()))
