"""C, T and V from random graphs: what the paper asks of them (§6), whatever the graph."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.targets.build.evaluation.choose import Dependencies, Edges, Plan, choose

NODES = [f"n{at}" for at in range(14)]
EDGES: st.SearchStrategy[Edges] = st.dictionaries(
    st.sampled_from(NODES), st.frozensets(st.sampled_from(NODES), max_size=5), max_size=14
)
GRAPHS = st.builds(Dependencies, EDGES, EDGES)
PLANS = st.builds(
    Plan,
    external=st.sampled_from([0.1, 0.5, 0.8]),
    internal=st.sampled_from([0.0, 0.2]),
    most_tests=st.sampled_from([0, 2]),
    most_dependents=st.sampled_from([0, 2]),
    run_too=st.booleans(),
)


@settings(max_examples=60)
@given(GRAPHS, st.integers(0, 50), PLANS)
def test_the_sets_are_what_the_paper_asks_for(graph: Dependencies, seed: int, plan: Plan) -> None:
    found = choose(graph, seed, plan)
    assert found == choose(graph, seed, plan)
    # Pairwise disjoint, and together all packages with a relation.
    assert found.common | found.tests | found.validation == graph.nodes
    assert len(found.common) + len(found.tests) + len(found.validation) == len(graph.nodes)
    # V are leaves; every one needs a package of T directly, and every package of T is needed so by one of V.
    assert found.validation <= graph.leaves and set(found.edges) == found.validation
    kinds = ("build", "run") if plan.run_too else ("build",)
    for leaf, needs in found.edges.items():
        assert needs and needs <= found.tests
        assert needs == found.tests & frozenset().union(*(graph.needs(leaf, kind) for kind in kinds))  # type: ignore[arg-type]
    assert frozenset().union(*found.edges.values()) == found.tests
    if plan.most_tests:
        assert len(found.tests) <= plan.most_tests
    # What tunes a system stays in C, and shares nothing with what scores it.
    inside = set(found.tuning_edges) | set().union(*found.tuning_edges.values())
    assert inside <= found.common
    # Some leaves are left for C wherever V is not to have all of them.
    assert len(found.validation) <= round(plan.external * len(graph.leaves))


@settings(max_examples=40)
@given(GRAPHS)
def test_no_package_that_too_many_leaves_need_is_tested(graph: Dependencies) -> None:
    found = choose(graph, 0, Plan(external=1.0, internal=0.0, most_dependents=1))
    for test in found.tests:
        assert sum(test in graph.needs(leaf, "build") for leaf in graph.leaves) == 1


def test_build_requires_come_before_requires() -> None:
    graph = Dependencies({"v": frozenset({"b"})}, {"v": frozenset({"r"}), "w": frozenset({"r"})})
    plan = Plan(external=1.0, internal=0.0, run_too=True, most_tests=1)
    assert choose(graph, 0, plan).tests == {"b"}
    assert choose(graph, 0, Plan(external=1.0, internal=0.0)).tests == {"b"}
    assert choose(graph, 0, Plan(external=1.0, internal=0.0, run_too=True)).tests == {"b", "r"}


def test_another_seed_chooses_otherwise() -> None:
    graph = Dependencies({f"v{at}": frozenset({f"t{at % 7}"}) for at in range(40)})
    assert choose(graph, 1).validation != choose(graph, 2).validation
    found = choose(graph, 1)
    assert len(found.validation) == 16 and len(found.tuning_edges) <= 8
