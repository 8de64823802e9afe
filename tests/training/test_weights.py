"""Weights and answers as they travel: nothing lost that should be kept, little where they are rounded."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadFile
from sayso.training.decode import pack_answers, unpack_answers
from sayso.training.settings import Ship
from sayso.training.weights import pack_weights, unpack_weights

pytestmark = pytest.mark.torch


def some() -> dict[str, torch.Tensor]:
    random = torch.Generator().manual_seed(3)
    return {
        "matrix": torch.randn(40, 50, generator=random) * torch.logspace(-3, 3, 40)[:, None],
        "zeros": torch.zeros(3, 4),
        "bias": torch.randn(40, generator=random),
        "count": torch.tensor(7),
    }


@pytest.mark.parametrize(("ship", "worst", "size"), [("fp32", 0.0, 8300), ("fp16", 5e-4, 4300), ("int8", 4e-3, 2500)])
def test_rounding_costs_what_it_may(ship: Ship, worst: float, size: int) -> None:
    weights = some()
    content = pack_weights(weights, ship)
    assert len(content) < size + 400
    back = unpack_weights(content, "a job")
    assert back.keys() == weights.keys() and back["count"].dtype == torch.int64 and int(back["count"]) == 7
    for name, tensor in weights.items():
        largest = tensor.abs().amax(-1, keepdim=True).float()
        assert bool(((back[name] - tensor).abs() <= worst * largest + 1e-12).all()), name


def test_text_is_no_weights() -> None:
    with pytest.raises(BadFile, match="a job does not hold weights"):
        unpack_weights(b"hello", "a job")


answers = st.lists(
    st.lists(st.tuples(st.lists(st.integers(0, 9000), max_size=6).map(tuple), st.floats(-50, 0, width=32)), max_size=3),
    max_size=6,
)


@settings(max_examples=50)
@given(answers)
def test_answers_come_back_as_they_were(found: list[list[tuple[tuple[int, ...], float]]]) -> None:
    assert unpack_answers(pack_answers(found), "here") == found


@pytest.mark.parametrize("content", [b"", b"hello", pack_answers([[((4, 5), -1.0)]])[:100]])
def test_damaged_answers_are_one_clear_line(content: bytes) -> None:
    with pytest.raises(BadFile, match="job/dev does not hold answers"):
        unpack_answers(content, "job/dev")
