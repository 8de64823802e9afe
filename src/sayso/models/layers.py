"""Bricks that several networks share: scoring attention for recurrent decoders, dropouts, and beam-shaped views.

Multi-head attention and positions are in attention.py and positions.py.
"""

from __future__ import annotations

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

AttentionKind = Literal["general", "additive"]


def by_request(rows: Tensor, requests: int) -> Tensor:
    """(requests * width, …) -> (requests, width, …): the rows of one request stand together."""
    return rows.view(requests, rows.shape[0] // requests, *rows.shape[1:])


class Attention(nn.Module):
    """Scores every place of the memory for a query: "general" of Luong et al. (2015), additive of Bahdanau et al."""

    def __init__(self, kind: AttentionKind, query_width: int, memory_width: int) -> None:
        super().__init__()
        self.kind = kind
        self.of_memory = nn.Linear(memory_width, query_width, bias=False)
        if kind == "additive":
            self.of_query = nn.Linear(query_width, query_width)
            self.energy = nn.Linear(query_width, 1, bias=False)

    def keys(self, memory: Tensor) -> Tensor:
        """(batch, places, memory width) -> (batch, places, query width); the same at every step."""
        keys: Tensor = self.of_memory(memory)
        return keys

    def forward(self, queries: Tensor, keys: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """(batch, steps, query width) -> what each step reads, (batch, steps, memory width)."""
        if self.kind == "general":
            scores = queries @ keys.transpose(1, 2)  # (batch, steps, places)
        else:
            summed = self.of_query(queries)[:, :, None] + keys[:, None]  # (batch, steps, places, query width)
            scores = self.energy(torch.tanh(summed)).squeeze(-1)
        weights = scores.float().masked_fill(~mask[:, None], float("-inf")).softmax(-1)
        return weights.to(memory.dtype) @ memory


class Dropout(nn.Module):
    """As torch's own, in a third of its time on a CPU."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, inputs: Tensor) -> Tensor:
        """Zeros at the given rate, the rest scaled up."""
        return drop(inputs, self.rate) if self.training else inputs


def drop(inputs: Tensor, rate: float) -> Tensor:
    """On a CPU one random number serves four places, 16 bits each: a rate is held to 1 in 65,536."""
    if inputs.device.type != "cpu" or not rate:
        return F.dropout(inputs, rate)
    numbers = torch.empty(-(-inputs.numel() // 4), dtype=torch.int64).random_(-(2**63), None)
    kept = numbers.view(torch.int16)[: inputs.numel()].view(inputs.shape) >= round(rate * 65_536) - 32_768
    return inputs * kept.to(inputs.dtype).mul_(1 / (1 - rate))


class VariationalDropout(nn.Module):
    """Drops the same units at every time step of a sequence (Gal and Ghahramani, 2016)."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, inputs: Tensor) -> Tensor:
        """(batch, time, width), one mask a sequence."""
        if not self.training or self.rate == 0:
            return inputs
        return inputs * self.mask(inputs[:, :1])

    def mask(self, like: Tensor) -> Tensor:
        """Zeros, and 1 / (1 - rate) where a unit is kept; ones when nothing is dropped."""
        return F.dropout(torch.ones_like(like), self.rate, self.training)
