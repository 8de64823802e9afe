"""Multi-head attention through torch's fused kernel: within a sequence, with a cache for decoding, or to a source."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.models.layers import drop
from sayso.models.packing import Packing
from sayso.models.positions import rotate

Turn = tuple[Tensor, Tensor]
FEW = 16  # queries, such as the prefixes of a beam, that leave most of a fused kernel's tile empty


def split_heads(vectors: Tensor, heads: int) -> Tensor:
    """(batch, time, width) -> (batch, heads, time, width / heads)"""
    batch, time, width = vectors.shape
    return vectors.view(batch, time, heads, width // heads).transpose(1, 2)


def join_heads(vectors: Tensor) -> Tensor:
    """(batch, heads, time, head) -> (batch, time, heads * head)"""
    return vectors.transpose(1, 2).flatten(2)


class SelfAttention(nn.Module):
    """Every word looks at the words of its own sequence that `mask` (or causality) lets it see."""

    def __init__(self, width: int, heads: int, dropout: float, *, bias: bool) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.project = nn.Linear(width, 3 * width, bias=bias)
        self.output = nn.Linear(width, width, bias=bias)

    def forward(
        self, x: Tensor, mask: Tensor | None, turn: Turn | None, *, causal: bool, packing: Packing | None = None
    ) -> Tensor:
        """(batch, time, width), or packed -> the same; `mask` broadcasts to (batch, heads, time, time)."""
        query, key, value = self._project(x, turn, packing)
        read = join_heads(attend(query, key, value, mask, self.dropout if self.training else 0.0, causal=causal))
        output: Tensor = self.output(packing.pack(read) if packing else read)
        return output

    def advance(self, x: Tensor, cache: tuple[Tensor, Tensor], at: Tensor, mask: Tensor, turn: Turn | None) -> Tensor:
        """The prefixes (requests, prefixes, width) one word on, to the place `at` (1,).

        A request's prefixes share one cache, (requests, heads, capacity, prefixes, head), which is written in place;
        `mask` (requests, heads, prefixes, capacity * prefixes) says whose past a place belongs to.
        """
        query, key, value = self._project(x, turn, None)
        keys, values = cache
        keys.index_copy_(2, at, key[:, :, None].to(keys.dtype))
        values.index_copy_(2, at, value[:, :, None].to(values.dtype))
        output: Tensor = self.output(join_heads(attend(query, keys.flatten(2, 3), values.flatten(2, 3), mask)))
        return output

    def _project(self, x: Tensor, turn: Turn | None, packing: Packing | None) -> tuple[Tensor, Tensor, Tensor]:
        projected = self.project(x)
        projected = packing.spread(projected) if packing else projected
        query, key, value = (split_heads(part, self.heads) for part in projected.chunk(3, -1))
        if turn is not None:
            query, key = rotate(query, turn), rotate(key, turn)
        return query, key, value


class CrossAttention(nn.Module):
    """Every word looks at the source. Steps of several prefixes of one request share the request's keys and values."""

    def __init__(self, width: int, heads: int, dropout: float, *, bias: bool) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.query = nn.Linear(width, width, bias=bias)
        self.of_memory = nn.Linear(width, 2 * width, bias=bias)
        self.output = nn.Linear(width, width, bias=bias)

    def keys_values(self, memory: Tensor, packing: Packing | None = None) -> tuple[Tensor, Tensor]:
        """(batch, places, width), or packed -> keys and values, each (batch, heads, places, head)."""
        projected = self.of_memory(memory)
        projected = packing.spread(projected) if packing else projected
        keys, values = (split_heads(part, self.heads) for part in projected.chunk(2, -1))
        return keys, values

    def forward(self, x: Tensor, keys: Tensor, values: Tensor, mask: Tensor, packing: Packing | None = None) -> Tensor:
        """(batch, steps, width), or packed -> the same; `mask` (batch, 1, 1, places) is True on words."""
        query = self.query(x)
        query = split_heads(packing.spread(query) if packing else query, self.heads)
        read = join_heads(attend(query, keys, values, mask, self.dropout if self.training else 0.0))
        output: Tensor = self.output(packing.pack(read) if packing else read)
        return output


def attend(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, dropout: float = 0.0, *, causal: bool = False
) -> Tensor:
    """(batch, heads, n, head) over (batch, heads, m, head); a causal mask with a bias is folded into the bias."""
    if mask is not None and causal:
        later = torch.ones(query.shape[2], key.shape[2], dtype=torch.bool, device=query.device).triu(1)
        mask = ~later & mask if mask.dtype == torch.bool else mask.masked_fill(later, float("-inf"))
    if mask is not None and mask.dtype != torch.bool:
        mask = mask.to(query.dtype)
    if dropout and query.device.type == "cpu":  # it has no fused kernel that drops out
        return _attend_plainly(query, key, value, mask, dropout, causal=causal)
    if query.shape[2] <= FEW and query.is_cuda and not torch.is_grad_enabled():
        return _attend_plainly(query, key, value, mask, dropout, causal=causal)
    return F.scaled_dot_product_attention(query, key, value, mask, dropout_p=dropout, is_causal=causal and mask is None)


def _attend_plainly(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, dropout: float, *, causal: bool
) -> Tensor:
    """The same in four steps."""
    scores = (query * query.shape[-1] ** -0.5) @ key.transpose(-1, -2)
    if mask is None and causal:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=query.device).tril()
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf")) if mask.dtype == torch.bool else scores + mask
    return drop(scores.softmax(-1), dropout) @ value
