"""C, T and V from any package graph and a seed (§6), with sets for tuning that C keeps to itself (§4).

V are leaves, which need others and are needed by none; T are the direct targets of V. BuildRequires guides the choice:
a leaf validates what it needs to be built, and what it only needs to run fills up where that is asked for. Some leaves
stay in C, since a system that is tuned needs some of them, with targets of their own.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from sayso.targets.build.corpus.graph import Graph

Kind = Literal["build", "run"]
Edges = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Dependencies:
    """Who needs whom: source -> targets, to be built and to run. Targets outside the graph are left out."""

    build: Edges
    run: Edges = field(default_factory=dict)

    @cached_property
    def nodes(self) -> frozenset[str]:
        """Packages with some relation, as the paper counts them."""
        sources = {name for edges in (self.build, self.run) for name, targets in edges.items() if targets}
        return frozenset(sources).union(*self.build.values(), *self.run.values())

    @cached_property
    def targets(self) -> frozenset[str]:
        return frozenset[str]().union(*self.build.values(), *self.run.values())

    @cached_property
    def leaves(self) -> frozenset[str]:
        """Sources of relations that are no target of one."""
        return self.nodes - self.targets

    def needs(self, name: str, kind: Kind) -> frozenset[str]:
        return (self.build if kind == "build" else self.run).get(name, frozenset()) - {name}


def dependencies_of(graph: Graph) -> Dependencies:
    """A corpus's graph by names."""

    def named(edges: Sequence[Sequence[int]]) -> Edges:
        return {graph.names[at]: frozenset(graph.names[one] for one in found) for at, found in enumerate(edges)}

    return Dependencies(named(graph.build), named(graph.run))


@dataclass(frozen=True)
class Plan:
    """How sets are drawn. Shares are of all leaves; what neither names stays in C."""

    external: float = 0.4
    """Leaves that validate the score."""
    internal: float = 0.2
    """Leaves, all in C, that validate while a system is tuned."""
    most_tests: int = 0
    """Packages in T; 0 is as many as V needs."""
    most_dependents: int = 0
    """A package that more leaves than this need is infrastructure and stays in C; 0 is no such limit."""
    run_too: bool = False
    """Whether targets of Requires may fill up T, behind those of BuildRequires."""


@dataclass(frozen=True)
class Chosen:
    """C, T and V, pairwise disjoint and together all packages; `edges` lead from V to T, `tuning_edges` within C."""

    common: frozenset[str]
    tests: frozenset[str]
    validation: frozenset[str]
    edges: Mapping[str, frozenset[str]]
    tuning_edges: Mapping[str, frozenset[str]]
    """The internal sets: leaves in C and what they need of C."""


def choose(graph: Dependencies, seed: int, plan: Plan = Plan()) -> Chosen:  # noqa: B008 (a frozen value)
    """The same sets for the same graph, plan and seed."""
    dice = random.Random(seed)
    leaves = sorted(graph.leaves)
    dice.shuffle(leaves)
    outside = leaves[: round(plan.external * len(leaves))]
    inside = leaves[len(outside) : len(outside) + round(plan.internal * len(leaves))]
    kinds: tuple[Kind, ...] = ("build", "run") if plan.run_too else ("build",)
    allowed = testable(graph, plan, kinds)
    tests = picked(graph, outside, allowed, kinds, plan.most_tests)
    edges = between(graph, outside, tests, kinds)
    # A package that serves the score never serves to tune for it.
    tuned = picked(graph, inside, allowed - tests, kinds, plan.most_tests)
    validation = frozenset(edges)
    return Chosen(graph.nodes - tests - validation, tests, validation, edges, between(graph, inside, tuned, kinds))


def testable(graph: Dependencies, plan: Plan, kinds: tuple[Kind, ...]) -> frozenset[str]:
    """Targets of leaves that are no infrastructure."""
    counts = Counter(
        target
        for leaf in sorted(graph.leaves)
        for target in frozenset[str]().union(*(graph.needs(leaf, kind) for kind in kinds))
    )
    return frozenset(name for name, count in counts.items() if not 0 < plan.most_dependents < count)


def picked(
    graph: Dependencies, leaves: list[str], allowed: frozenset[str], kinds: tuple[Kind, ...], most: int
) -> frozenset[str]:
    """Direct targets of the leaves: of BuildRequires first, and of those the ones that most leaves need."""
    counts = {kind: Counter(one for leaf in leaves for one in graph.needs(leaf, kind) & allowed) for kind in kinds}
    order = sorted({name for found in counts.values() for name in found}, key=lambda name: rank(name, counts))
    return frozenset(order[:most] if most else order)


def rank(name: str, counts: Mapping[Kind, Counter[str]]) -> tuple[int, int, str]:
    return -counts["build"][name], -counts.get("run", Counter())[name], name


def between(
    graph: Dependencies, leaves: list[str], targets: frozenset[str], kinds: tuple[Kind, ...]
) -> dict[str, frozenset[str]]:
    """The leaves that need one of the targets, with those that they need."""
    found = {leaf: frozenset[str]().union(*(graph.needs(leaf, kind) & targets for kind in kinds)) for leaf in leaves}
    return {leaf: needs for leaf, needs in sorted(found.items()) if needs}
