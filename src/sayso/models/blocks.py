"""Transformer stacks: blocks of attention and feed-forward, an encoder, and a decoder with a cache for single steps.

One `Shape` says how the blocks are made; transformer.py and modern.py give the two shapes that we train.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.models.attention import CrossAttention, SelfAttention, Turn
from sayso.models.layers import Dropout, by_request
from sayso.models.packing import Packing, find_packing
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
        self.drop = Dropout(shape.dropout)

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
        self.drop = Dropout(shape.dropout)

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

    def forward(self, x: Tensor, mask: Tensor, turn: Turn | None, packing: Packing | None = None) -> Tensor:
        """(batch, time, width), or packed -> the same."""
        read = self.attention(self.around_attention.enter(x), mask, turn, causal=False, packing=packing)
        x = self.around_attention.leave(x, read)
        return self.around_feed_forward.leave(x, self.feed_forward(self.around_feed_forward.enter(x)))


Source = tuple[Tensor, Tensor, Tensor]
"""Keys, values (requests, heads, places, head) and mask (requests, 1, 1, places) of what a layer of a decoder reads."""


class DecoderBlock(nn.Module):
    """Causal self-attention, attention to the source, feed-forward."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.attention = SelfAttention(shape.width, shape.heads, shape.dropout, bias=not shape.gated)
        self.cross = CrossAttention(shape.width, shape.heads, shape.dropout, bias=not shape.gated)
        self.feed_forward = FeedForward(shape)
        self.around_attention, self.around_cross = Residual(shape), Residual(shape)
        self.around_feed_forward = Residual(shape)

    def forward(
        self, x: Tensor, bias: Tensor | None, turn: Turn | None, source: Source, packing: Packing | None = None
    ) -> Tensor:
        """(batch, time, width), or packed: all steps at once."""
        read = self.attention(self.around_attention.enter(x), bias, turn, causal=True, packing=packing)
        return self._finish(self.around_attention.leave(x, read), source, packing)

    def advance(
        self, x: Tensor, cache: tuple[Tensor, Tensor], at: Tensor, bias: Tensor, turn: Turn | None, source: Source
    ) -> Tensor:
        """(requests, prefixes, width), one step."""
        read = self.attention.advance(self.around_attention.enter(x), cache, at, bias, turn)
        return self._finish(self.around_attention.leave(x, read), source, None)

    def _finish(self, x: Tensor, source: Source, packing: Packing | None) -> Tensor:
        x = self.around_cross.leave(x, self.cross(self.around_cross.enter(x), *source, packing))
        return self.around_feed_forward.leave(x, self.feed_forward(self.around_feed_forward.enter(x)))


class Encoder(nn.Module):
    """Embedded words in, words in context out."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.drop = Dropout(shape.dropout)
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
        packing = find_packing(mask)
        x = self.drop(packing.pack(x) if packing else x)
        for block in self.blocks:
            x = block(x, visible, turn, packing)
        output: Tensor = self.norm(x)
        return packing.spread(output) if packing else output


@dataclass(frozen=True)
class DecoderState:
    """What a decoder keeps between steps: the past of all prefixes of a request together, and the request's keys."""

    keys: Tensor
    """(layers, requests, heads, capacity, prefixes, head): what each prefix of its time said at each place."""
    values: Tensor
    past: Tensor
    """(requests, prefixes, capacity) which of the prefixes of that time each prefix goes back to: reordering prefixes
    moves these numbers and no keys."""
    at: Tensor
    """(1,) the place of the next word, on the device: a step does the same wherever it is."""
    length: int
    """The same here, to know when the cache is full."""
    source: tuple[Source, ...]
    """Of every layer."""

    def with_room(self, places: int) -> DecoderState:
        """The same with room for so many words, so that its shapes stay what they are until then."""
        missing = max(0, places - self.past.shape[2])
        keys, values = (F.pad(one, (0, 0, 0, 0, 0, missing)) for one in (self.keys, self.values))
        return replace(self, keys=keys, values=values, past=F.pad(self.past, (0, missing)))


class Decoder(nn.Module):
    """Embedded words so far and a memory in, states that tell the next word out."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.drop = Dropout(shape.dropout)
        self.blocks = nn.ModuleList(DecoderBlock(shape) for _ in range(shape.layers))
        self.relative = RelativeBias(shape.heads, both_ways=False) if shape.positions == "relative" else None
        self.norm = make_norm(shape) if shape.norm == "pre" else nn.Identity()

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor, wanted: Tensor) -> Tensor:
        """(batch, time, width) over a memory (batch, places, width) -> (batch, time, width), right where `wanted`."""
        at = torch.arange(x.shape[1], device=x.device)
        x, turn = _place(x, at, self.shape)
        bias = self.relative(at, at) if self.relative is not None else None
        packing = find_packing(wanted)
        x = self.drop(packing.pack(x) if packing else x)
        for block, source in zip(self.blocks, self._sources(memory, mask), strict=True):
            x = block(x, bias, turn, source, packing)
        output: Tensor = self.norm(x)
        return packing.spread(output) if packing else output

    def start(self, memory: Tensor, mask: Tensor) -> DecoderState:
        """No word yet; keys and values of the source are worked out once."""
        source = tuple(self._sources(memory, mask))
        requests, heads = memory.shape[0], self.shape.heads
        empty = source[0][0].new_zeros(len(source), requests, heads, GROWTH, 1, self.shape.width // heads)
        past = torch.zeros(requests, 1, GROWTH, dtype=torch.long, device=memory.device)
        at = torch.zeros(1, dtype=torch.long, device=memory.device)
        return DecoderState(empty, empty, past, at, 0, source)

    def _sources(self, memory: Tensor, mask: Tensor) -> Iterator[Source]:
        packing = find_packing(mask)
        memory = packing.pack(memory) if packing else memory
        for block in self.blocks:
            assert isinstance(block, DecoderBlock)
            keys, values = block.cross.keys_values(memory, packing)
            yield keys.contiguous(), values.contiguous(), mask[:, None, None]

    def step(self, state: DecoderState, x: Tensor, parents: Tensor) -> tuple[Tensor, DecoderState]:
        """(rows, width) of the last words, continuing the rows `parents` -> their states (rows, width)."""
        state = _reordered(state, parents)
        requests, prefixes, capacity = state.past.shape
        if state.length >= capacity:
            state = state.with_room(capacity + GROWTH)
        own = torch.arange(prefixes, device=x.device)
        past = state.past.index_copy(2, state.at, own[None, :, None].expand(requests, -1, -1))
        moved = self.advance(by_request(x, requests), state.keys, state.values, past, state.at, state.source)
        after = replace(state, past=past, at=state.at + 1, length=state.length + 1)
        return moved.flatten(0, 1), after

    def advance(
        self, x: Tensor, keys: Tensor, values: Tensor, past: Tensor, at: Tensor, source: tuple[Source, ...]
    ) -> Tensor:
        """The tensor part of a step, of the same shapes at every place; writes into keys and values."""
        places = torch.arange(past.shape[2], device=x.device)
        x, turn = _place(x, at, self.shape)
        own = past[..., None] == torch.arange(
            past.shape[1], device=x.device
        )  # (requests, prefixes, capacity, prefixes)
        visible = (own & (places <= at)[:, None])[:, None]
        if self.relative is not None:
            visible = self.relative(at, places)[..., None].masked_fill(~visible, float("-inf"))
        visible = visible.flatten(3)
        for layer, block in enumerate(self.blocks):
            assert isinstance(block, DecoderBlock)
            x = block.advance(x, (keys[layer], values[layer]), at, visible, turn, source[layer])
        output: Tensor = self.norm(x)
        return output


def _reordered(state: DecoderState, parents: Tensor) -> DecoderState:
    """The rows `parents` of a state, with memory of their own to write to."""
    requests, before, _ = state.past.shape
    now = len(parents) // requests
    past = state.past.flatten(0, 1).index_select(0, parents).view(requests, now, -1)
    if now == before:
        # A recording writes to its own memory; any other step leaves the state that it came from as it was.
        if parents.is_cuda and torch.cuda.is_current_stream_capturing():
            return replace(state, past=past)
        return replace(state, past=past, keys=state.keys.clone(), values=state.values.clone())
    # (requests, prefixes, capacity) -> (layers, requests, heads, capacity, prefixes, head)
    index = past.transpose(1, 2)[None, :, None, :, :, None]
    layers, _, heads, _, _, head = state.keys.shape
    index = index.expand(layers, -1, heads, -1, -1, head)
    own = torch.arange(now, device=parents.device)[None, :, None].expand_as(past)
    return replace(state, keys=state.keys.gather(4, index), values=state.values.gather(4, index), past=own.contiguous())


def _place(x: Tensor, at: Tensor, shape: Shape) -> tuple[Tensor, Turn | None]:
    """Add sinusoids, or work out the turn that queries and keys get at these positions."""
    if shape.positions == "sinusoidal":
        return x + sinusoids(at, shape.width).to(x.dtype), None
    return x, rotation(at, shape.width // shape.heads) if shape.positions == "rotary" else None
