"""How often a rule stands in a place: expected counts over the derivations of pairs, by expectation-maximisation."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sayso.induction.options import often_passed_over
from sayso.induction.phrases import Pair
from sayso.induction.places import FLOOR, ROOT, Place, Weights
from sayso.induction.rules import Book, Span

Item = tuple[Span, int, str]
FEWEST_OPTIONS = 5
"""In so many pairs a rule must have been passed over in a place before its absence there says something."""


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
    absent = often_passed_over(book, (source for source, _ in pairs), weights.counts, FEWEST_OPTIONS)
    return Weights(
        {
            place: dict(sorted({**{rule: 0.0 for where, rule in absent if where == place}, **row}.items()))
            for place, row in weights.counts.items()
        }
    )


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
