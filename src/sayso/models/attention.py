"""Multi-head attention through torch's fused kernel: within a sequence, with a cache for decoding, or to a source."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.models.positions import rotate

Turn = tuple[Tensor, Tensor]


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

    def forward(self, x: Tensor, mask: Tensor | None, turn: Turn | None, *, causal: bool) -> Tensor:
        """(batch, time, width) -> the same; `mask` broadcasts to (batch, heads, time, time), True or a bias."""
        query, key, value = self._project(x, turn)
        read = attend(query, key, value, mask, self.dropout if self.training else 0.0, causal=causal)
        output: Tensor = self.output(join_heads(read))
        return output

    def advance(self, x: Tensor, cache: tuple[Tensor, Tensor], at: Tensor, mask: Tensor, turn: Turn | None) -> Tensor:
        """(rows, 1, width) at position `at` (1,); writes keys and values (rows, heads, capacity, head) in place."""
        query, key, value = self._project(x, turn)
        keys, values = cache
        keys.index_copy_(2, at, key.to(keys.dtype))
        values.index_copy_(2, at, value.to(values.dtype))
        output: Tensor = self.output(join_heads(attend(query, keys, values, mask)))
        return output

    def _project(self, x: Tensor, turn: Turn | None) -> tuple[Tensor, Tensor, Tensor]:
        query, key, value = (split_heads(part, self.heads) for part in self.project(x).chunk(3, -1))
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

    def keys_values(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """(batch, places, width) -> keys and values, each (batch, heads, places, head)."""
        keys, values = (split_heads(part, self.heads) for part in self.of_memory(memory).chunk(2, -1))
        return keys, values

    def forward(self, x: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Tensor:
        """(batch, steps, width) -> the same; `mask` (batch, 1, 1, places) is True on words."""
        read = attend(
            split_heads(self.query(x), self.heads), keys, values, mask, self.dropout if self.training else 0.0
        )
        output: Tensor = self.output(join_heads(read))
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
    return F.scaled_dot_product_attention(query, key, value, mask, dropout_p=dropout, is_causal=causal and mask is None)
