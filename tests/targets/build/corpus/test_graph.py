"""The graph of packages: section 4's counts on graphs made by hand, on any graph, and on Debian's."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadFile, MissingData
from sayso.targets.build.corpus.graph import Graph, components, dependents, graph_of, leaf_targets, read_graph, shape_of
from sayso.targets.build.corpus.records import Binary, Package, Relation

edge_lists = st.integers(1, 12).flatmap(
    lambda n: st.lists(st.sets(st.integers(0, n - 1), max_size=4).map(sorted), min_size=n, max_size=n)
)


def test_leaves_internal_isolated_and_the_targets_of_leaves() -> None:
    edges = [[2, 3], [2], [3], [], []]  # two leaves, two that are needed, one alone
    shape = shape_of(edges)
    assert (shape.leaves, shape.internal, shape.isolated) == ([0, 1], [2, 3], [4])
    assert shape.mean_dependents == 2 and shape.needed_by == [0, 0, 2, 2, 0]
    assert leaf_targets(edges, shape.leaves) == {2: 2, 3: 1}


def test_a_cycle_is_one_component() -> None:
    assert sorted(components([[1], [2], [0], [0]])[0]) == [0, 1, 2]


@settings(max_examples=40)
@given(edge_lists)
def test_components_are_those_that_reach_each_other(edges: list[list[int]]) -> None:
    def reached(start: int) -> frozenset[int]:
        seen, work = {start}, [start]
        while work:
            for target in edges[work.pop()]:
                if target not in seen:
                    seen.add(target)
                    work.append(target)
        return frozenset(seen)

    reach = [reached(node) for node in range(len(edges))]
    mutual = {frozenset(other for other in reach[node] if node in reach[other]) for node in range(len(edges))}
    assert set(map(frozenset, components(edges))) == mutual
    assert sum(map(len, components(edges))) == len(edges)


@settings(max_examples=40)
@given(edge_lists)
def test_every_package_is_of_one_kind_and_edges_turn_round_twice(edges: list[list[int]]) -> None:
    shape = shape_of(edges)
    assert sorted([*shape.leaves, *shape.internal, *shape.isolated]) == list(range(len(edges)))
    assert dependents(dependents(edges)) == edges and sum(shape.needed_by) == shape.edges


def test_a_long_chain_does_not_end_the_stack() -> None:
    n = 50_000
    assert len(components([[node + 1] if node + 1 < n else [0] for node in range(n)])[0]) == n


def test_edges_from_records_lead_to_what_a_source_is_built_into() -> None:
    glass = Package("glass", binaries=(Binary("libglass1"), Binary("libglass-dev", requires=(Relation("libglass1"),))))
    lantern = Package(
        "lantern",
        build_requires=(Relation("none", instead=(Relation("libglass-dev:native"),)), Relation("lantern")),
        binaries=(Binary("lantern", requires=(Relation("oil"),)),),
    )
    graph = graph_of([glass, lantern, Package("oil")])
    assert graph.build == [[], [0], []] and graph.run == [[], [2], []] and graph.both == [[], [0, 2], []]
    assert graph.kind("lantern", "glass") == "build" and graph.kind("lantern", "oil") == "run"
    assert graph.kind("glass", "oil") == graph.kind("nobody", "oil") == ""
    assert Graph(["a", "b"], [[1], []], [[1], []]).kind("a", "b") == "build and run"


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{",
        '{"names": ["a"], "bd": [[7]], "rq": [[]], "section": []}',
        '{"names": ["a", "a"], "bd": [[], []], "rq": [[], []], "section": []}',
        '{"names": ["a"], "bd": [], "rq": [[]], "section": []}',
        '{"names": ["a"], "bd": [["x"]], "rq": [[]], "section": []}',
        "[" * 100_000,
    ],
)
def test_what_is_no_graph(tmp_path: Path, text: str) -> None:
    zstandard = pytest.importorskip("zstandard")
    (tmp_path / "packages").mkdir()
    path = tmp_path / "packages" / "graph.json.zst"
    path.write_bytes(zstandard.ZstdCompressor().compress(text.encode()))
    with pytest.raises(BadFile, match="not a graph"):
        read_graph(tmp_path)


def test_a_graph_that_is_not_there_or_not_packed(tmp_path: Path) -> None:
    pytest.importorskip("zstandard")
    with pytest.raises(MissingData, match="not on this machine"):
        read_graph(tmp_path)
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "graph.json.zst").write_bytes(b"no zstd")
    with pytest.raises(BadFile, match="damaged"):
        read_graph(tmp_path)
