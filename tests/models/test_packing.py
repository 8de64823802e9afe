"""Packed words go back to their places, and a network says the same with and without its padding."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from sayso.models import blocks, encoder_decoder
from sayso.models.batch import Batch
from sayso.models.layers import Dropout, drop
from sayso.models.packing import find_packing

pytestmark = pytest.mark.torch

Rows = list[tuple[list[int], list[int], list[int]]]
MASK = torch.tensor([[True, True, False], [True, False, False], [False, True, True]])


def test_what_is_packed_is_spread_to_where_it_was() -> None:
    packing = find_packing(MASK)
    assert packing is not None
    padded = torch.randn(3, 3, 2, requires_grad=True)
    packed = packing.pack(padded)
    assert torch.equal(packed, padded[MASK])
    spread = packing.spread(packed)
    assert torch.equal(spread[MASK], padded[MASK])
    assert not spread[~MASK].any()
    spread.sum().backward()  # type: ignore[no-untyped-call]
    assert padded.grad is not None and torch.equal(padded.grad, MASK[..., None].expand(3, 3, 2).float())


def test_full_batches_are_not_packed() -> None:
    assert find_packing(torch.ones(2, 3, dtype=torch.bool)) is None


@pytest.mark.parametrize("name", ["transformer", "transformer-copy", "modern", "modern-copy"])
def test_packed_and_padded_networks_learn_the_same(
    name: str,
    make_tiny: Callable[..., torch.nn.Module],
    rows_for: Callable[[str], Rows],
    collate: Callable[..., Batch],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    batch = collate(rows_for(name), more_source=3, more_target=2)

    def learnt() -> tuple[float, list[torch.Tensor]]:
        network = make_tiny(name, dropout=0.0)
        loss, _ = network.loss(batch)  # type: ignore[operator]
        loss.backward()
        return loss.item(), [one.grad for one in network.parameters() if one.grad is not None]

    packed, gradients = learnt()
    for module in (blocks, encoder_decoder):
        monkeypatch.setattr(module, "find_packing", lambda mask: None)
    padded, expected = learnt()
    assert packed == pytest.approx(padded, rel=1e-5)
    for ours, theirs in zip(gradients, expected, strict=True):
        assert torch.allclose(ours, theirs, atol=1e-4)


@pytest.mark.parametrize("rate", [0.1, 0.5])
def test_dropout_keeps_its_rate_and_the_mean(rate: float) -> None:
    torch.manual_seed(0)
    dropped = drop(torch.ones(403, 501), rate)
    assert (dropped == 0).float().mean().item() == pytest.approx(rate, abs=0.005)
    assert dropped.mean().item() == pytest.approx(1.0, abs=0.01)
    assert torch.allclose(dropped[dropped != 0], torch.tensor(1 / (1 - rate)))
    neighbours = (dropped[:, 1:] == 0) & (dropped[:, :-1] == 0)
    assert neighbours.float().mean().item() == pytest.approx(rate**2, abs=0.01)


def test_dropout_follows_the_seed_and_rests_in_evaluation() -> None:
    x, layer = torch.ones(50, 7), Dropout(0.5)
    torch.manual_seed(3)
    first = layer(x)
    torch.manual_seed(3)
    assert torch.equal(first, layer(x))
    assert not torch.equal(first, layer(x))
    assert torch.equal(layer.eval()(x), x)
