"""Recorded steps find what plain steps find; without a GPU they pass through."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import cast

import pytest
import torch

from sayso.models.batch import Batch
from sayso.models.graphs import GraphedSteps, can_be_recorded, cloned, plain, tensors
from sayso.models.search import Found, SearchSettings, StepModel, beam_search

pytestmark = pytest.mark.torch

Rows = list[tuple[list[int], list[int], list[int]]]


@pytest.fixture(params=["cpu", "cuda"])
def device(request: pytest.FixtureRequest) -> str:
    if request.param == "cuda" and not torch.cuda.is_available():
        pytest.skip("no CUDA device on this machine")
    return cast("str", request.param)


def far_apart(found: list[Found]) -> bool:
    """Whether rounding, which differs between recorded and plain products, cannot change the order."""
    return all(one.score - other.score > 1e-3 for one, other in pairwise(found))


def test_a_search_over_recorded_steps_finds_the_same(
    network_name: str,
    device: str,
    make_tiny: Callable[..., torch.nn.Module],
    rows_for: Callable[[str], Rows],
    collate: Callable[..., Batch],
) -> None:
    network = cast("StepModel[object]", make_tiny(network_name).eval().to(device))
    graphed = GraphedSteps(network, longest=40)
    rows = rows_for(network_name)
    for chosen in (rows, rows[::-1], rows[:1]):  # the second batch replays what the first recorded
        batch = collate(chosen).to(device)
        for wanted in (SearchSettings(width=4, n_best=3, longest=40), SearchSettings(width=1, longest=20)):
            plainly, recorded = beam_search(network, batch, wanted), beam_search(graphed, batch, wanted)
            for ours, theirs in zip(recorded, plainly, strict=True):
                assert [one.log_prob for one in ours] == pytest.approx([one.log_prob for one in theirs], abs=1e-3)
                if far_apart(theirs):
                    assert [one.ids for one in ours] == [one.ids for one in theirs]
    is_recorded = device == "cuda" and can_be_recorded(network.start(batch))
    assert bool(graphed.recordings) == is_recorded
    assert is_recorded or device == "cpu"


def test_a_state_is_walked_through_whole(
    network_name: str,
    make_tiny: Callable[..., torch.nn.Module],
    rows_for: Callable[[str], Rows],
    collate: Callable[..., Batch],
) -> None:
    network = cast("StepModel[object]", make_tiny(network_name).eval())
    batch = collate(rows_for(network_name))
    state = network.start(batch)
    assert can_be_recorded(state)
    assert not can_be_recorded({"cache": state})
    assert batch.extra in plain(state)
    copies = list(tensors(cloned(state)))
    assert len(copies) == len(list(tensors(state))) >= 3
    for kept, copy in zip(tensors(state), copies, strict=True):
        assert torch.equal(kept, copy)
        assert kept.data_ptr() != copy.data_ptr()
