"""Which source packages need which: edges for the build, edges at run time, and what section 4 counts on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sayso.core.errors import BadFile
from sayso.core.given import parse_json, read_up_to
from sayso.targets.build.corpus.records import Package, Relation
from sayso.targets.build.corpus.stored import FOLDER, HINT, unpacked

FILE = "graph.json.zst"
LARGEST = 64 << 20

Edges = Sequence[Sequence[int]]
"""For every package the numbers of those that it needs, in order, each once."""


@dataclass(frozen=True)
class Graph:
    """Packages by number; `build[i]` are what i needs to be built, `run[i]` what it needs to run."""

    names: Sequence[str]
    build: Edges
    run: Edges
    sections: Sequence[str] = ()

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def both(self) -> Edges:
        """Edges of either kind."""
        return [sorted({*build, *run}) for build, run in zip(self.build, self.run, strict=True)]

    def kind(self, source: str, needed: str) -> str:
        """How `source` needs `needed`: "build", "run", "build and run", or "" where it does not."""
        one, other = self.numbers.get(source), self.numbers.get(needed)
        if one is None or other is None:
            return ""
        found = [name for name, edges in (("build", self.build), ("run", self.run)) if other in edges[one]]
        return " and ".join(found)


def read_graph(data: Path) -> Graph:
    """Debian's graph; raises MissingData or BadFile."""
    path = data / FOLDER / FILE
    with unpacked(path) as file:
        content = read_up_to(file, LARGEST, str(path))
    try:
        document = parse_json(content)
        graph = Graph(document["names"], document["bd"], document["rq"], document["section"])
        check(graph)
    except (ValueError, KeyError, TypeError) as error:
        raise BadFile(f"{path} is not a graph of packages: {str(error)[:200]}", HINT) from error
    return graph


def check(graph: Graph) -> None:
    n = len(graph.names)
    if not all(isinstance(name, str) for name in graph.names) or len(graph.numbers) != n:
        raise ValueError("names must be distinct words")
    for edges in (graph.build, graph.run):
        if len(edges) != n:
            raise ValueError(f"{len(edges)} lists of edges for {n} packages")
        for targets in edges:
            if targets and (min(targets) < 0 or max(targets) >= n):
                raise ValueError("an edge leads to a package that is not there")


def graph_of(packages: Iterable[Package]) -> Graph:
    """The graph of any records: an edge leads to the source of the first alternative that one of them is built into."""
    rows = list(packages)
    numbers = {package.name: number for number, package in enumerate(rows)}
    makers = {binary.name: number for number, package in enumerate(rows) for binary in package.binaries}
    makers.update(numbers)

    def resolve(number: int, relations: Iterable[Relation]) -> list[int]:
        found = (first_known(one, makers) for one in relations)
        return sorted({one for one in found if one is not None and one != number})

    build = [resolve(number, package.build_requires) for number, package in enumerate(rows)]
    run = [
        resolve(number, (*package.requires, *(one for binary in package.binaries for one in binary.requires)))
        for number, package in enumerate(rows)
    ]
    return Graph([package.name for package in rows], build, run, [package.section for package in rows])


def first_known(relation: Relation, makers: Mapping[str, int]) -> int | None:
    for one in (relation, *relation.instead):
        if (found := makers.get(one.name.split(":", 1)[0])) is not None:
            return found
    return None


def dependents(edges: Edges) -> list[list[int]]:
    """The same edges backwards: who needs each package."""
    found: list[list[int]] = [[] for _ in edges]
    for source, targets in enumerate(edges):
        for target in targets:
            found[target].append(source)
    return found


@dataclass(frozen=True)
class Shape:
    """Section 4 of one kind of edges. A leaf needs something and nothing needs it; what is needed is internal."""

    leaves: Sequence[int]
    internal: Sequence[int]
    isolated: Sequence[int]
    edges: int
    needed_by: Sequence[int]
    """Dependents of every package."""

    @property
    def mean_dependents(self) -> float:
        """Of an internal package."""
        return self.edges / max(len(self.internal), 1)


def shape_of(edges: Edges) -> Shape:
    needed_by = [len(sources) for sources in dependents(edges)]
    everything = range(len(edges))
    return Shape(
        leaves=[one for one in everything if edges[one] and not needed_by[one]],
        internal=[one for one in everything if needed_by[one]],
        isolated=[one for one in everything if not edges[one] and not needed_by[one]],
        edges=sum(map(len, edges)),
        needed_by=needed_by,
    )


def leaf_targets(build: Edges, leaves: Iterable[int]) -> dict[int, int]:
    """What leaves need for their build -> by how many leaves it is needed so."""
    counts: dict[int, int] = {}
    for leaf in leaves:
        for target in build[leaf]:
            counts[target] = counts.get(target, 0) + 1
    return counts


def components(edges: Edges) -> list[list[int]]:
    """Strongly connected components, largest first; with a loop of its own, since the stack of Python is short."""
    n, order = len(edges), 0
    found_at, low, on_stack = [-1] * n, [0] * n, [False] * n
    stack: list[int] = []
    found: list[list[int]] = []
    for start in range(n):
        if found_at[start] >= 0:
            continue
        work: list[tuple[int, Any]] = [(start, None)]
        while work:
            node, rest = work.pop()
            if rest is None:
                found_at[node] = low[node] = order
                order += 1
                stack.append(node)
                on_stack[node] = True
                rest = iter(edges[node])
            for target in rest:
                if found_at[target] < 0:
                    work += [(node, rest), (target, None)]
                    break
                if on_stack[target]:
                    low[node] = min(low[node], found_at[target])
            else:
                if low[node] == found_at[node]:
                    found.append(cut(stack, node, on_stack))
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
    return sorted(found, key=len, reverse=True)


def cut(stack: list[int], node: int, on_stack: list[bool]) -> list[int]:
    component = []
    while True:
        one = stack.pop()
        on_stack[one] = False
        component.append(one)
        if one == node:
            return component
