"""Where a word stands: sinusoids added to it, rotary turns of queries and keys, or T5's learnt bias by distance.

Positions are tensors, so that one step of decoding has the same shapes wherever it is.
"""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor, nn

Positions = Literal["sinusoidal", "rotary", "relative"]


def _angles(positions: Tensor, width: int) -> Tensor:
    """(n,) -> (n, width / 2): slower and slower turns, as in Vaswani et al. (2017) §3.5."""
    speeds = torch.exp(torch.arange(0, width, 2, device=positions.device) * (-math.log(10_000) / width))
    return positions[:, None].float() * speeds


def sinusoids(positions: Tensor, width: int) -> Tensor:
    """(n,) -> (n, width), to be added to embeddings."""
    angles = _angles(positions, width)
    return torch.cat([angles.sin(), angles.cos()], -1)


def rotation(positions: Tensor, width: int) -> tuple[Tensor, Tensor]:
    """Cosines and sines (n, width / 2) by which `rotate` turns the queries and keys at these positions."""
    angles = _angles(positions, width)
    return angles.cos(), angles.sin()


def rotate(vectors: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    """(…, n, width) turned pair by pair, so that a product depends on distance only (Su et al., 2021)."""
    cosines, sines = turn
    left, right = vectors.float().chunk(2, -1)
    return torch.cat([left * cosines - right * sines, left * sines + right * cosines], -1).to(vectors.dtype)


class RelativeBias(nn.Module):
    """One number a head and a bucket of distances (T5, Raffel et al. 2020 §2.1): exact when near, coarse when far."""

    def __init__(self, heads: int, *, both_ways: bool, buckets: int = 32, farthest: int = 128) -> None:
        super().__init__()
        self.both_ways, self.buckets, self.farthest = both_ways, buckets, farthest
        self.bias = nn.Embedding(buckets, heads)

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Positions (n,) and (m,) -> (1, heads, n, m), added to the scores."""
        distance = keys[None, :] - queries[:, None]  # (n, m), negative to the left
        bias: Tensor = self.bias(self._bucket(distance))
        return bias.permute(2, 0, 1)[None]

    def _bucket(self, distance: Tensor) -> Tensor:
        half = self.buckets // 2 if self.both_ways else self.buckets
        side = (distance > 0) * half if self.both_ways else 0
        distance = distance.abs() if self.both_ways else (-distance).clamp(min=0)
        exact = half // 2
        # The other half of the buckets grows logarithmically up to `farthest`.
        grown = (distance.clamp(min=1).float() / exact).log() / math.log(self.farthest / exact) * (half - exact)
        far = (exact + grown.long()).clamp(max=half - 1)
        return side + torch.where(distance < exact, distance, far)
