"""How likely a rule is in a hole of another, learned from the derivations of the pairs by expectation-maximisation.

A place is a hole of a rule. Where a rule was never seen in a place, places that hold much the same rules speak for it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sayso.translate.induction.phrases import Pair
from sayso.translate.induction.rules import Book, Span

Place = tuple[int, int]
"""(rule, hole); the outermost rule of a derivation stands in ROOT."""
ROOT: Place = (-1, 0)
FLOOR = 1e-9
LENT = 1.0
"""How many sightings the neighbours of a place count as."""
Item = tuple[Span, int, str]
Counts = Mapping[Place, Mapping[int, float]]


@dataclass(frozen=True)
class Weights:
    """Counts of rules in places, smoothed."""

    counts: Counts

    def table(self) -> dict[Place, dict[int, float]]:
        """Place -> rule -> probability, for the rules seen there or in a place like it; others have FLOOR."""
        totals = {place: sum(row.values()) for place, row in self.counts.items()}
        shares = {
            place: {rule: n / totals[place] for rule, n in row.items()}
            for place, row in self.counts.items()
            if totals[place]
        }
        norms = {place: math.sqrt(sum(share * share for share in row.values())) for place, row in shares.items()}
        table: dict[Place, dict[int, float]] = {}
        for place, row in shares.items():
            lent: defaultdict[int, float] = defaultdict(float)
            together = 0.0
            for other, others in shares.items():
                if other == place:
                    continue
                likeness = sum(share * others.get(rule, 0.0) for rule, share in row.items()) / (
                    norms[place] * norms[other]
                )
                together += likeness
                for rule, share in others.items():
                    lent[rule] += likeness * share
            scale = LENT / together if together else 0.0
            table[place] = {
                rule: (self.counts[place].get(rule, 0.0) + scale * lent.get(rule, 0.0)) / (totals[place] + LENT) + FLOOR
                for rule in {*row, *lent}
            }
        return table


@dataclass(frozen=True)
class Forest:
    """All derivations of one pair: items bottom-up, each with the ways in which it is made of others."""

    ways: Mapping[Item, Sequence[tuple[Item, ...]]]
    roots: Sequence[Item]


def forest(book: Book, pair: Pair) -> Forest:
    source, goal = pair
    cells: defaultdict[Span, list[Item]] = defaultdict(list)
    ways: dict[Item, list[tuple[Item, ...]]] = {}
    for span, number, holes in book.matches(source):
        rule = book.rules[number]
        choices = [cells.get(hole, []) for hole in holes]
        for children in combine(choices):
            target = rule.fill([child[2] for child in children])
            if target in goal:
                item = (span, number, target)
                if item not in ways:
                    ways[item] = []
                    cells[span].append(item)
                ways[item].append(children)
    return Forest(ways, [item for item in cells.get((0, len(source)), []) if item[2] == goal])


def combine(choices: Sequence[Sequence[Item]]) -> list[tuple[Item, ...]]:
    if not choices:
        return [()]
    return [(item, *rest) for item in choices[0] for rest in combine(choices[1:])]


def learn_weights(book: Book, pairs: Sequence[Pair], rounds: int) -> Weights:
    """Expected counts of (place, rule) over the derivations of the pairs."""
    forests = [found for pair in pairs if (found := forest(book, pair)).roots]
    table: Mapping[Place, Mapping[int, float]] | None = None
    weights = Weights({})
    for _ in range(rounds):
        counts: defaultdict[Place, defaultdict[int, float]] = defaultdict(lambda: defaultdict(float))
        for one in forests:
            add_expected(one, table, counts)
        weights = Weights({place: rounded(row) for place, row in sorted(counts.items())})
        table = weights.table()
    return weights


def rounded(row: Mapping[int, float]) -> dict[int, float]:
    """What is kept in a file: thousandths of a sighting."""
    return {rule: round(count, 3) for rule, count in sorted(row.items()) if round(count, 3)}


def add_expected(
    one: Forest, table: Mapping[Place, Mapping[int, float]] | None, counts: defaultdict[Place, defaultdict[int, float]]
) -> None:
    """Inside and outside over one forest; without a table every step is as likely as any other."""

    def chance(place: Place, item: Item) -> float:
        return 1.0 if table is None else table.get(place, {}).get(item[1], FLOOR)

    def chances(item: Item, children: tuple[Item, ...]) -> float:
        return math.prod(chance((item[1], at), child) * inside[child] for at, child in enumerate(children))

    inside: dict[Item, float] = {}
    for item, ways in one.ways.items():
        inside[item] = sum(chances(item, children) for children in ways)
    total = sum(chance(ROOT, root) * inside[root] for root in one.roots)
    outside: defaultdict[Item, float] = defaultdict(float)
    for root in one.roots:
        share = chance(ROOT, root) / total
        outside[root] += share
        counts[ROOT][root[1]] += share * inside[root]
    for item in reversed(list(one.ways)):
        above = outside.get(item)
        if not above:
            continue
        for children in one.ways[item]:
            whole = above * chances(item, children)
            for at, child in enumerate(children):
                counts[item[1], at][child[1]] += whole
                outside[child] += whole / inside[child]
