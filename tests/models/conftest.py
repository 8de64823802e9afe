"""Tiny networks and small batches for every test of models/."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import cast

import pytest
import torch
from torch import Tensor

from sayso.english.vocabulary import PAD
from sayso.models import make_network
from sayso.models.batch import Batch

SIZE = 12
RECURRENT: dict[str, object] = {"embedding": 16, "encoder": 12, "decoder": 16}
ATTENTIVE: dict[str, object] = {"width": 16, "heads": 2, "layers": 2, "feed_forward": 24}
SLOTS = (
    {"name": "kind", "labels": [4, 5, 6], "spans": []},
    {"name": "value", "labels": [4, 7], "spans": [7]},
    {"name": "other", "labels": [4, 8, 9], "spans": [8, 9]},
)
TINY: dict[str, tuple[str, dict[str, object]]] = {
    "gru": ("gru", {**RECURRENT, "attention": "none"}),
    "gru-additive": ("gru", {**RECURRENT, "attention": "additive", "layers": 2}),
    "lstm": ("lstm", RECURRENT),
    "copynet": ("copynet", RECURRENT),
    "copynet-lstm": ("copynet", {**RECURRENT, "cell": "lstm", "layers": 2, "variational": False}),
    "transformer": ("transformer", ATTENTIVE),
    "transformer-copy": ("transformer-copy", {**ATTENTIVE, "norm": "pre"}),
    "modern": ("modern", ATTENTIVE),
    "modern-copy": ("modern", {**ATTENTIVE, "positions": "relative", "copies": True, "shared": True}),
    "set": ("set", {**ATTENTIVE, "slots": SLOTS}),
    "llama": ("llama", {**ATTENTIVE, "key_heads": 1}),
}
COPYING = ("copynet", "copynet-lstm", "transformer-copy", "modern-copy", "set")

Row = tuple[Sequence[int], Sequence[int], Sequence[int]]
"""Source ids, the same as extended ids, target ids."""


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> None:
    """Small tensors are faster on one core, and a test run shares its machine."""
    torch.set_num_threads(1)
    os.environ.setdefault("HF_HUB_OFFLINE", "1")


@pytest.fixture(params=list(TINY))
def network_name(request: pytest.FixtureRequest) -> str:
    """Every network of NETWORKS, some in two ways."""
    return cast("str", request.param)


@pytest.fixture
def tiny_names() -> set[str]:
    """The names of NETWORKS that `network_name` goes through."""
    return {name for name, _ in TINY.values()}


@pytest.fixture
def make_tiny() -> Callable[..., torch.nn.Module]:
    """make_tiny("gru", dropout=0.0): the same weights every time."""

    def make(name: str, **changed: object) -> torch.nn.Module:
        network, settings = TINY[name]
        torch.manual_seed(7)
        sizes: dict[str, object] = {"source_size": SIZE, "output_size": SIZE}
        return make_network(network, {**sizes, **settings, **changed})

    return make


@pytest.fixture
def collate() -> Callable[..., Batch]:
    """collate(rows, more_source=2): a Batch of rows, padded further where asked."""

    def pad(lists: Sequence[Sequence[int]], more: int) -> Tensor:
        width = max(map(len, lists)) + more
        return torch.tensor([[*one, *[PAD] * (width - len(one))] for one in lists])

    def make(rows: Sequence[Row], more_source: int = 0, more_target: int = 0, size: int = SIZE) -> Batch:
        sources, extended, targets = zip(*rows, strict=True)
        most = max((one for row in extended for one in row), default=0)
        extra = max(0, most + 1 - size)
        return Batch(pad(sources, more_source), pad(extended, more_source), pad(targets, more_target), extra)

    return make


@pytest.fixture
def rows_for() -> Callable[[str], list[Row]]:
    """Rows of several lengths, with words to copy where the network copies."""

    def make(name: str) -> list[Row]:
        if name == "set":
            # kind 5, value absent, other 8 at places 1 to 2; and so on. Place p is the extended id SIZE + p.
            targets = [
                [1, 5, 4, 8, 13, 14, 2],
                [1, 6, 7, 12, 12, 9, 15, 16, 2],
                [1, 4, 4, 4, 2],
                [1, 4, 7, 12, 12, 4, 2],
            ]
            sources = [[5, 6, 3, 2], [7, 8, 3, 9, 2], [4, 2], [4]]
            places = [[SIZE + place for place in range(len(source))] for source in sources]
            return list(zip(sources, places, targets, strict=True))
        said = 12 if name in COPYING else 3
        return [
            ([5, 6, 3, 2], [5, 6, 12, 2], [1, said, 6, 5, 2]),
            ([7, 3, 3, 7, 3, 2], [7, 12, 13, 7, 12, 2], [1, 7, said, said + 1 if name in COPYING else 3, 4, 7, 2]),
            ([4], [4], [1, 2]),
        ]

    return make
