"""Transformer stacks: blocks of attention and feed-forward, an encoder, and a decoder with a cache for single steps.

One `Shape` says how the blocks are made; transformer.py and modern.py give the two shapes that we train.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.models.attention import CrossAttention, SelfAttention, Turn
from sayso.models.layers import by_request
from sayso.models.positions import Positions, RelativeBias, rotation, sinusoids

GROWTH = 16  # places by which a cache grows, so that decoding has few distinct shapes


@dataclass(frozen=True)
class Shape:
    """How every block of a stack is made."""

    width: int
    heads: int
    layers: int
    feed_forward: int
    dropout: float
    norm: Literal["post", "pre"]
    positions: Positions
    gated: bool
    """SwiGLU and RMSNorm without biases, instead of ReLU and LayerNorm with them."""


def make_norm(shape: Shape) -> nn.Module:
    """RMSNorm goes with gates, LayerNorm with ReLU."""
    return nn.RMSNorm(shape.width, eps=1e-6) if shape.gated else nn.LayerNorm(shape.width)


class FeedForward(nn.Module):
    """Word by word: ReLU between two matrices, or the gated SiLU of Shazeer (2020)."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.gated = shape.gated
        self.enter = nn.Linear(shape.width, shape.feed_forward * (2 if shape.gated else 1), bias=not shape.gated)
        self.leave = nn.Linear(shape.feed_forward, shape.width, bias=not shape.gated)
        self.drop = nn.Dropout(shape.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """(…, width) -> (…, width)"""
        if self.gated:
            gate, value = self.enter(x).chunk(2, -1)
            hidden = F.silu(gate) * value
        else:
            hidden = F.relu(self.enter(x))
        output: Tensor = self.leave(self.drop(hidden))
        return output


class Residual(nn.Module):
    """Norm and dropout around a part: norm(x + part(x)) as in Vaswani et al. (2017), or x + part(norm(x))."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.before = shape.norm == "pre"
        self.norm = make_norm(shape)
        self.drop = nn.Dropout(shape.dropout)

    def enter(self, x: Tensor) -> Tensor:
        """What the part reads."""
        return self.norm(x) if self.before else x

    def leave(self, x: Tensor, read: Tensor) -> Tensor:
        """What goes on after it."""
        x = x + self.drop(read)
        return x if self.before else self.norm(x)


class EncoderBlock(nn.Module):
    """Self-attention and feed-forward."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.attention = SelfAttention(shape.width, shape.heads, shape.dropout, bias=not shape.gated)
        self.feed_forward = FeedForward(shape)
        self.around_attention, self.around_feed_forward = Residual(shape), Residual(shape)

    def forward(self, x: Tensor, mask: Tensor, turn: Turn | None) -> Tensor:
        """(batch, time, width) -> the same."""
        x = self.around_attention.leave(x, self.attention(self.around_attention.enter(x), mask, turn, causal=False))
        return self.around_feed_forward.leave(x, self.feed_forward(self.around_feed_forward.enter(x)))


class DecoderBlock(nn.Module):
    """Causal self-attention, attention to the source, feed-forward."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.attention = SelfAttention(shape.width, shape.heads, shape.dropout, bias=not shape.gated)
        self.cross = CrossAttention(shape.width, shape.heads, shape.dropout, bias=not shape.gated)
        self.feed_forward = FeedForward(shape)
        self.around_attention, self.around_cross = Residual(shape), Residual(shape)
        self.around_feed_forward = Residual(shape)

    def forward(self, x: Tensor, bias: Tensor | None, turn: Turn | None, memory: Tensor, mask: Tensor) -> Tensor:
        """(batch, time, width), all steps at once."""
        x = self.around_attention.leave(x, self.attention(self.around_attention.enter(x), bias, turn, causal=True))
        return self._finish(x, *self.cross.keys_values(memory), mask)

    def advance(
        self,
        x: Tensor,
        cache: tuple[Tensor, Tensor],
        at: Tensor,
        bias: Tensor,
        turn: Turn | None,
        source: tuple[Tensor, Tensor, Tensor],
    ) -> Tensor:
        """(rows, 1, width), one step; `source` is keys, values and mask of the requests."""
        read = self.attention.advance(self.around_attention.enter(x), cache, at, bias, turn)
        x = self.around_attention.leave(x, read)
        return self._finish(by_request(x[:, 0], source[0].shape[0]), *source).flatten(0, 1)[:, None]

    def _finish(self, x: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Tensor:
        x = self.around_cross.leave(x, self.cross(self.around_cross.enter(x), keys, values, mask))
        return self.around_feed_forward.leave(x, self.feed_forward(self.around_feed_forward.enter(x)))


class Encoder(nn.Module):
    """Embedded words in, words in context out."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.drop = nn.Dropout(shape.dropout)
        self.blocks = nn.ModuleList(EncoderBlock(shape) for _ in range(shape.layers))
        self.relative = RelativeBias(shape.heads, both_ways=True) if shape.positions == "relative" else None
        self.norm = make_norm(shape) if shape.norm == "pre" else nn.Identity()

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """(batch, time, width), `mask` (batch, time) True on words -> (batch, time, width)."""
        at = torch.arange(x.shape[1], device=x.device)
        x, turn = _place(x, at, self.shape)
        visible = mask[:, None, None]  # (batch, 1, 1, time)
        if self.relative is not None:
            visible = self.relative(at, at).masked_fill(~visible, float("-inf"))
        x = self.drop(x)
        for block in self.blocks:
            x = block(x, visible, turn)
        output: Tensor = self.norm(x)
        return output


@dataclass(frozen=True)
class DecoderState:
    """What a decoder keeps between steps: its own past, one row a prefix, and the source's keys, one row a request."""

    keys: Tensor
    """(layers, rows, heads, capacity, head)"""
    values: Tensor
    at: Tensor
    """(1,) the place of the next word, on the device: a step does the same wherever it is."""
    length: int
    """The same here, to know when the cache is full."""
    source: tuple[tuple[Tensor, Tensor, Tensor], ...]
    """Keys, values (requests, heads, places, head) and mask (requests, 1, 1, places) of every layer."""


class Decoder(nn.Module):
    """Embedded words so far and a memory in, states that tell the next word out."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.drop = nn.Dropout(shape.dropout)
        self.blocks = nn.ModuleList(DecoderBlock(shape) for _ in range(shape.layers))
        self.relative = RelativeBias(shape.heads, both_ways=False) if shape.positions == "relative" else None
        self.norm = make_norm(shape) if shape.norm == "pre" else nn.Identity()

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """(batch, time, width) over a memory (batch, places, width) -> (batch, time, width)."""
        at = torch.arange(x.shape[1], device=x.device)
        x, turn = _place(x, at, self.shape)
        bias = self.relative(at, at) if self.relative is not None else None
        x = self.drop(x)
        for block in self.blocks:
            x = block(x, bias, turn, memory, mask[:, None, None])
        output: Tensor = self.norm(x)
        return output

    def start(self, memory: Tensor, mask: Tensor) -> DecoderState:
        """No word yet; keys and values of the source are worked out once."""
        visible = mask[:, None, None]
        source = []
        for block in self.blocks:
            assert isinstance(block, DecoderBlock)
            source.append((*block.cross.keys_values(memory), visible))
        heads, width = self.shape.heads, self.shape.width
        empty = source[0][0].new_zeros(len(source), memory.shape[0], heads, GROWTH, width // heads)
        at = torch.zeros(1, dtype=torch.long, device=memory.device)
        return DecoderState(empty, empty, at, 0, tuple(source))

    def step(self, state: DecoderState, x: Tensor, parents: Tensor) -> tuple[Tensor, DecoderState]:
        """(rows, width) of the last words, continuing the rows `parents` -> their states (rows, width)."""
        keys, values = state.keys.index_select(1, parents), state.values.index_select(1, parents)
        if state.length >= keys.shape[3]:
            keys, values = F.pad(keys, (0, 0, 0, GROWTH)), F.pad(values, (0, 0, 0, GROWTH))
        moved = self.advance(x[:, None], keys, values, state.at, state.source)
        return moved[:, 0], DecoderState(keys, values, state.at + 1, state.length + 1, state.source)

    def advance(
        self,
        x: Tensor,
        keys: Tensor,
        values: Tensor,
        at: Tensor,
        source: tuple[tuple[Tensor, Tensor, Tensor], ...],
    ) -> Tensor:
        """The tensor part of a step, of the same shapes at every position; writes into keys and values."""
        places = torch.arange(keys.shape[3], device=x.device)
        x, turn = _place(x, at, self.shape)
        visible = (places <= at)[None, None, None]  # (1, 1, 1, capacity)
        if self.relative is not None:
            visible = self.relative(at, places).masked_fill(~visible, float("-inf"))
        for layer, block in enumerate(self.blocks):
            assert isinstance(block, DecoderBlock)
            x = block.advance(x, (keys[layer], values[layer]), at, visible, turn, source[layer])
        output: Tensor = self.norm(x)
        return output


def reserve(state: DecoderState, places: int) -> DecoderState:
    """The same state with room for so many words, so that its shapes stay what they are until then."""
    missing = max(0, places - state.keys.shape[3])
    keys, values = (F.pad(one, (0, 0, 0, missing)) for one in (state.keys, state.values))
    return replace(state, keys=keys, values=values)


def _place(x: Tensor, at: Tensor, shape: Shape) -> tuple[Tensor, Turn | None]:
    """Add sinusoids, or work out the turn that queries and keys get at these positions."""
    if shape.positions == "sinusoidal":
        return x + sinusoids(at, shape.width).to(x.dtype), None
    return x, rotation(at, shape.width // shape.heads) if shape.positions == "rotary" else None
