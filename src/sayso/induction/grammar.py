"""A learned grammar at work: the derivations of a request, summed by what they say, and the best if it is sure."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product

from sayso.core.types import Candidate, Request
from sayso.induction.places import FLOOR, ROOT, Place, Weights
from sayso.induction.rules import Book, Coder, Rule, Span, Spelt

WIDTH = 8
"""How many targets a rule keeps for a span."""


class Grammar:
    """Translator: rules, how likely each is in each place, and how sure an answer must be."""

    def __init__(self, spelt: Sequence[tuple[Spelt, Spelt]], weights: Weights, sure: float, longest: int) -> None:
        self.spelt, self.weights, self.sure, self.longest = tuple(spelt), weights, sure, longest
        self.coder = Coder()
        self.rules = [Rule(self.coder.unspell(source), self.coder.unspell(target)) for source, target in spelt]
        self.book = Book(self.rules)

    @cached_property
    def table(self) -> Mapping[Place, Mapping[int, float]]:
        return self.weights.table()

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        """The best answers where the first is sure; none otherwise."""
        found = [self.derive(request.text, k) for request in requests]
        return [answers if answers and answers[0].score >= self.sure else [] for answers in found]

    def derive(self, text: str, k: int = 1) -> list[Candidate]:
        """The targets that the rules give for a text with their share of all derivations, best first."""
        source = self.coder.encode(text)
        if not source or len(source) > self.longest:
            return []
        found = self.chart(source)
        total = sum(found.values())
        best = heapq.nsmallest(k, found.items(), key=lambda item: (-item[1], item[0]))
        return [
            Candidate(self.coder.decode(target), weight / total, ("derived by the induced grammar",))
            for target, weight in best
        ]

    def chart(self, source: str) -> Mapping[str, float]:
        cells: defaultdict[Span, dict[int, dict[str, float]]] = defaultdict(dict)
        kept: dict[tuple[Place, Span], Mapping[str, float]] = {}

        def fillers(place: Place, span: Span) -> Mapping[str, float]:
            key = place, span
            if key not in kept:
                kept[key] = merged(cells.get(span, {}), self.table.get(place, {}))
            return kept[key]

        for span, number, holes in self.book.matches(source):
            rule = self.rules[number]
            choices = [fillers((number, at), hole).items() for at, hole in enumerate(holes)]
            made = cells[span].setdefault(number, {}) if all(choices) else {}
            for values in product(*choices):
                target = rule.fill([value for value, _ in values])
                weight = 1.0
                for _, share in values:
                    weight *= share
                made[target] = made.get(target, 0.0) + weight
        return merged(cells.get((0, len(source)), {}), self.table.get(ROOT, {}))


def merged(cell: Mapping[int, Mapping[str, float]], chances: Mapping[int, float]) -> Mapping[str, float]:
    """What a span says in a place, over the rules that may stand there."""
    found: defaultdict[str, float] = defaultdict(float)
    for number, targets in cell.items():
        chance = chances.get(number, FLOOR)
        for target, weight in targets.items():
            found[target] += chance * weight
    if len(found) <= WIDTH:
        return found
    return dict(heapq.nsmallest(WIDTH, found.items(), key=lambda item: (-item[1], item[0])))


def shown(side: Spelt) -> str:
    """One side of a rule for people: tap [1]"""
    return " ".join(f"[{item + 1}]" if isinstance(item, int) else item for item in side)
