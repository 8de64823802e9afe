"""One package among those that it needs and those that need it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sayso.targets.build.corpus.graph import Graph, dependents

FEWEST, MOST = 6, 12
"""Names on either side of a neighbourhood that a figure can show."""


@dataclass(frozen=True)
class Network:
    """`needs` and `needed_by`: package -> "build", "run" or "build and run"."""

    name: str
    needs: Mapping[str, str]
    needed_by: Mapping[str, str]


def neighbourhood(graph: Graph, name: str) -> Network:
    """Nothing but the name where the graph does not have it."""
    number = graph.numbers.get(name)
    if number is None:
        return Network(name, {}, {})
    sources = [other for other, targets in enumerate(graph.both) if number in targets]
    return Network(
        name,
        {graph.names[one]: graph.kind(name, graph.names[one]) for one in graph.both[number]},
        {graph.names[one]: graph.kind(graph.names[one], name) for one in sources},
    )


def readable_neighbourhood(graph: Graph, without: Collection[str] = ()) -> Network:
    """The first package with about ten neighbours on either side and edges of several kinds; none of `without`."""
    needed_by = dependents(graph.both)
    best = Network("", {}, {})
    for number, targets in enumerate(graph.both):
        if FEWEST <= len(targets) <= MOST and FEWEST <= len(needed_by[number]) <= MOST:
            names = {graph.names[one] for one in (number, *targets, *needed_by[number])}
            if names & set(without):
                continue
            found = neighbourhood(graph, graph.names[number])
            kinds = {*found.needs.values(), *found.needed_by.values()}
            if len(kinds) == 3:
                return found
            best = best if best.name else found
    return best
