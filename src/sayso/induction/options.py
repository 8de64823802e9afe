"""Where a rule could have stood and did not: a reading that is odd in this one place alone, and was never right.

A rule seen nowhere in a place may just have had no chance; one that was passed over again and again does not belong.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sayso.induction.places import ROOT, Place
from sayso.induction.rules import Book, Span

Event = tuple[Place, int]
Odd = dict[Span, dict[int, int]]
"""How many events that were never seen the best reading of a span by a rule has: 0 or 1, more is not kept."""
Seen = Mapping[Place, Mapping[int, float]]


@dataclass(frozen=True)
class Chart:
    """Readings of a source with at most one event that was never seen."""

    seen: Seen
    ways: Mapping[tuple[Span, int], list[tuple[Span, ...]]]
    odd: Odd

    def is_new(self, place: Place, rule: int) -> int:
        return int(rule not in self.seen.get(place, {}))

    def least(self, place: Place, span: Span) -> int:
        return min((n + self.is_new(place, rule) for rule, n in self.odd.get(span, {}).items()), default=2)


def read(book: Book, source: str, seen: Seen) -> Chart:
    ways: defaultdict[tuple[Span, int], list[tuple[Span, ...]]] = defaultdict(list)
    odd: defaultdict[Span, dict[int, int]] = defaultdict(dict)
    chart = Chart(seen, ways, odd)
    for span, number, holes in book.matches(source):
        n = sum(chart.least((number, at), hole) for at, hole in enumerate(holes))
        if n < 2:
            ways[span, number].append(holes)
            odd[span][number] = min(n, odd[span].get(number, n))
    return chart


def passed_over(book: Book, source: str, seen: Seen) -> set[Event]:
    """Events that were never seen and are the only such ones in some reading of the source."""
    chart = read(book, source, seen)
    whole = (0, len(source))
    around = {(whole, rule): chart.is_new(ROOT, rule) for rule in chart.odd.get(whole, {})}
    found = {(ROOT, rule) for (_, rule), new in around.items() if new and not chart.odd[whole][rule]}
    for (span, number), all_holes in reversed(list(chart.ways.items())):
        outside = around.get((span, number))
        if outside is None:
            continue
        for holes in all_holes:
            least = [chart.least((number, at), hole) for at, hole in enumerate(holes)]
            for at, hole in enumerate(holes):
                for child, inside in chart.odd[hole].items():
                    new = chart.is_new((number, at), child)
                    rest = outside + sum(least) - least[at] + new
                    if rest + inside < 2:
                        around[hole, child] = min(rest, around.get((hole, child), rest))
                        if new:
                            found.add(((number, at), child))
    return found


def often_passed_over(book: Book, sources: Iterable[str], seen: Seen, fewest: int) -> list[Event]:
    counts = Counter(event for source in sources for event in passed_over(book, source, seen))
    return sorted(event for event, n in counts.items() if n >= fewest)
