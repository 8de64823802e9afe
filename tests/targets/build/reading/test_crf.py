"""A chain of tags against every way to tag a short sequence, counted one by one."""

from __future__ import annotations

import math
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.experiments.build_lines import Sequences, fit_crf
from sayso.targets.build.reading.crf import Crf, as_json, from_json

WEIGHT = st.floats(-3, 3)
ROWS = st.lists(st.lists(st.sampled_from(["a", "b", "c", "unknown"]), max_size=3), min_size=1, max_size=4)
CHAINS = st.builds(
    lambda emit, step, start: Crf(("x", "y"), dict(zip("abc", emit, strict=True)), step, start),
    st.lists(st.lists(WEIGHT, min_size=2, max_size=2), min_size=3, max_size=3),
    st.lists(st.lists(WEIGHT, min_size=2, max_size=2), min_size=2, max_size=2),
    st.lists(WEIGHT, min_size=2, max_size=2),
)


def total(chain: Crf, rows: list[list[str]], path: tuple[int, ...]) -> float:
    score = chain.start[path[0]] + sum(chain.scores(row)[tag] for row, tag in zip(rows, path, strict=True))
    return score + sum(chain.step[one][other] for one, other in pairwise(path))


@given(CHAINS, ROWS)
def test_chances_are_those_of_all_paths_and_the_best_path_is_best(chain: Crf, rows: list[list[str]]) -> None:
    paths = {path: math.exp(total(chain, rows, path)) for path in product((0, 1), repeat=len(rows))}
    whole = sum(paths.values())
    for at, found in enumerate(chain.chances(rows)):
        wanted = sum(weight for path, weight in paths.items() if path[at] == 0) / whole
        assert found[0] == pytest.approx(wanted, abs=1e-9)
        assert sum(found) == pytest.approx(1)
    best = tuple(chain.tags.index(tag) for tag in chain.best(rows))
    assert paths[best] == pytest.approx(max(paths.values()))


def test_a_chain_learns_that_one_tag_follows_another() -> None:
    # "go" opens, and whatever comes next is y: only the step tells.
    data = Sequences([[["go"], ["same"], ["same"]]] * 4, [[0, 1, 0]] * 4)
    chain = fit_crf(data, ("x", "y"), 1, 0.01, 200)
    assert chain.best([["go"], ["same"], ["same"]]) == ["x", "y", "x"]
    assert from_json(as_json(chain)).best([["go"], ["same"]]) == ["x", "y"]


def test_nothing_has_no_tags() -> None:
    chain = Crf(("x", "y"), {}, [[0, 0], [0, 0]], [0, 0])
    assert chain.best([]) == [] and chain.chances([]) == []
