"""`transformer-copy` and `modern`, many at once: the same computation as `EncoderDecoder`, over stacked parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor

from sayso.models.blocks import Shape
from sayso.models.positions import RelativeBias, sinusoids
from sayso.models.stacked import (
    Parameters,
    Rows,
    copying_losses,
    embed,
    joined_log_probs,
    linear,
    matches_of,
    no_drop,
    within,
    word_losses,
)
from sayso.models.stacked_trunk import StackedTrunk

Dropper = Callable[[Tensor], Tensor]


@dataclass
class Past:
    """What a decoder keeps between steps: own keys and values of every layer, those of the source, and the memory."""

    memory: Tensor
    source: list[tuple[Tensor, Tensor]]
    own: list[tuple[Tensor, Tensor]] = field(default_factory=list)
    length: int = 0


@dataclass(frozen=True)
class StackedTransformer:
    """`sizes` (networks,) are the vocabularies' own sizes."""

    shape: Shape
    sizes: Tensor
    shared: bool
    copies: bool
    trunk: StackedTrunk | None = None
    """A pretrained encoder in place of one of this shape."""

    def losses(self, p: Parameters, rows: Rows, drop: Dropper) -> Tensor:
        """(networks, rows, steps): a loss a label."""
        n = rows.source.shape[1]
        memory = self._encode(p, rows, drop)
        inputs, labels = rows.target[:, :, :-1], rows.target[:, :, 1:]
        steps = inputs.shape[2]
        x = self._enter(p, inputs, torch.arange(steps, device=inputs.device), drop)
        visible = self._visible(p, "body.decoder.decoder", steps, both_ways=False, device=inputs.device)
        mask = self._hidden(rows)
        for layer in range(self.shape.layers):
            name = f"body.decoder.decoder.blocks.{layer}"
            read = self._self(p, f"{name}.attention", self._before(p, f"{name}.around_attention", x), n, visible, drop)
            x = self._after(p, f"{name}.around_attention", x, read, drop)
            x = self._cross(p, name, x, n, self._keys_values(p, f"{name}.cross", memory, n), mask, drop)
            x = self._feed_forward(p, name, x, drop)
        states = self._norm(p, "body.decoder.decoder.norm", x) if self.shape.norm == "pre" else x
        generated, copied = self._say(p, states, memory, rows)
        if copied is None:
            return word_losses(generated, labels)
        return copying_losses(generated, copied, labels, matches_of(labels, rows))

    def start(self, p: Parameters, rows: Rows) -> Past:
        memory = self._encode(p, rows, no_drop)
        n = rows.source.shape[1]
        names = [f"body.decoder.decoder.blocks.{layer}.cross" for layer in range(self.shape.layers)]
        return Past(memory, [self._keys_values(p, name, memory, n) for name in names])

    def step(self, p: Parameters, past: Past, rows: Rows, last: Tensor) -> Tensor:
        """(networks, rows) ids -> log-probabilities (networks, rows, vocabulary + extra); `past` grows."""
        n = rows.source.shape[1]
        at = torch.tensor([past.length], device=last.device)
        x = self._enter(p, last[..., None], at, no_drop)
        mask = self._hidden(rows)
        bias = None
        if self.shape.positions == "relative":
            places = torch.arange(past.length + 1, device=last.device)
            bias = self._relative(p, "body.decoder.decoder", at, places, both_ways=False)
        for layer in range(self.shape.layers):
            name = f"body.decoder.decoder.blocks.{layer}"
            before = self._before(p, f"{name}.around_attention", x)
            read = self._advance(p, f"{name}.attention", before, n, past, layer, bias)
            x = self._after(p, f"{name}.around_attention", x, read, no_drop)
            x = self._cross(p, name, x, n, past.source[layer], mask, no_drop)
            x = self._feed_forward(p, name, x, no_drop)
        past.length += 1
        states = self._norm(p, "body.decoder.decoder.norm", x) if self.shape.norm == "pre" else x
        generated, copied = self._say(p, states, past.memory, rows)
        return joined_log_probs(
            generated[:, :, 0], None if copied is None else copied[:, :, 0], rows.source_extended, rows.extra
        )

    def _encode(self, p: Parameters, rows: Rows, drop: Dropper) -> Tensor:
        """(networks, rows * places, width)"""
        if self.trunk is not None:
            return self.trunk(p, rows.source, self._hidden(rows), drop)
        _, n, time = rows.source.shape
        table = p["body.decoder.embedding.weight" if self.shared else "body.embedding.weight"]
        at = torch.arange(time, device=rows.source.device)
        x = drop(self._place(embed(rows.source, table), at).flatten(1, 2))
        hidden = self._hidden(rows)
        if self.shape.positions == "relative":
            hidden = hidden + self._relative(p, "body.encoder", at, at, both_ways=True)[:, None]
        for layer in range(self.shape.layers):
            name = f"body.encoder.blocks.{layer}"
            read = self._self(p, f"{name}.attention", self._before(p, f"{name}.around_attention", x), n, hidden, drop)
            x = self._after(p, f"{name}.around_attention", x, read, drop)
            x = self._feed_forward(p, name, x, drop)
        return self._norm(p, "body.encoder.norm", x) if self.shape.norm == "pre" else x

    def _enter(self, p: Parameters, ids: Tensor, at: Tensor, drop: Dropper) -> Tensor:
        table = p["body.decoder.embedding.weight"]
        ids = torch.where(ids < table.shape[1], ids, 3)
        return drop(self._place(embed(ids, table), at).flatten(1, 2))

    def _place(self, x: Tensor, at: Tensor) -> Tensor:
        x = x * self.shape.width**0.5
        return x + sinusoids(at, self.shape.width).to(x.dtype) if self.shape.positions == "sinusoidal" else x

    def _hidden(self, rows: Rows) -> Tensor:
        """(networks, rows, 1, 1, places), added to scores: what is padding is never seen."""
        seen = rows.mask[:, :, None, None]
        return torch.zeros(seen.shape, device=seen.device).masked_fill(~seen, float("-inf"))

    def _visible(self, p: Parameters, name: str, time: int, *, both_ways: bool, device: torch.device) -> Tensor:
        """(networks or 1, 1, heads or 1, time, time)"""
        later = torch.ones(time, time, dtype=torch.bool, device=device).triu(1)
        bias = torch.zeros(time, time, device=device).masked_fill(later, float("-inf"))[None, None, None]
        if self.shape.positions != "relative":
            return bias
        at = torch.arange(time, device=device)
        return bias + self._relative(p, name, at, at, both_ways=both_ways)[:, None]

    def _relative(self, p: Parameters, name: str, queries: Tensor, keys: Tensor, *, both_ways: bool) -> Tensor:
        """(networks, heads, n, m)"""
        buckets = RelativeBias(1, both_ways=both_ways)._bucket(keys[None, :] - queries[:, None])
        table = p[f"{name}.relative.bias.weight"].float()
        return table[:, buckets].permute(0, 3, 1, 2)

    def _norm(self, p: Parameters, name: str, x: Tensor) -> Tensor:
        weight = p[f"{name}.weight"][:, None]
        if self.shape.gated:
            return F.rms_norm(x, (x.shape[-1],), eps=1e-6) * weight
        return F.layer_norm(x, (x.shape[-1],)) * weight + p[f"{name}.bias"][:, None]

    def _before(self, p: Parameters, name: str, x: Tensor) -> Tensor:
        """What a part reads."""
        return self._norm(p, f"{name}.norm", x) if self.shape.norm == "pre" else x

    def _after(self, p: Parameters, name: str, x: Tensor, read: Tensor, drop: Dropper) -> Tensor:
        """What goes on after it."""
        x = x + drop(read)
        return x if self.shape.norm == "pre" else self._norm(p, f"{name}.norm", x)

    def _feed_forward(self, p: Parameters, name: str, x: Tensor, drop: Dropper) -> Tensor:
        hidden = linear(self._before(p, f"{name}.around_feed_forward", x), p, f"{name}.feed_forward.enter")
        if self.shape.gated:
            gate, value = hidden.chunk(2, -1)
            hidden = F.silu(gate) * value
        else:
            hidden = F.relu(hidden)
        read = linear(drop(hidden), p, f"{name}.feed_forward.leave")
        return self._after(p, f"{name}.around_feed_forward", x, read, drop)

    def _heads(self, x: Tensor, n: int) -> Tensor:
        """(networks, rows * time, width) -> (networks, rows, heads, time, head)"""
        return x.view(x.shape[0], n, -1, self.shape.heads, self.shape.width // self.shape.heads).transpose(2, 3)

    def _attend(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, drop: Dropper) -> Tensor:
        scores = ((query * query.shape[-1] ** -0.5) @ key.transpose(-1, -2)).float()
        weights = (scores if bias is None else scores + bias).softmax(-1).to(value.dtype)
        return (drop(weights) @ value).transpose(2, 3).flatten(3).flatten(1, 2)

    def _self(self, p: Parameters, name: str, x: Tensor, n: int, bias: Tensor, drop: Dropper) -> Tensor:
        query, key, value = (self._heads(part, n) for part in linear(x, p, f"{name}.project").chunk(3, -1))
        return linear(self._attend(query, key, value, bias, drop), p, f"{name}.output")

    def _advance(
        self, p: Parameters, name: str, x: Tensor, n: int, past: Past, layer: int, bias: Tensor | None
    ) -> Tensor:
        query, key, value = (self._heads(part, n) for part in linear(x, p, f"{name}.project").chunk(3, -1))
        if len(past.own) > layer:
            key = torch.cat([past.own[layer][0], key], 3)
            value = torch.cat([past.own[layer][1], value], 3)
            past.own[layer] = (key, value)
        else:
            past.own.append((key, value))
        whole = None if bias is None else bias[:, None]
        return linear(self._attend(query, key, value, whole, no_drop), p, f"{name}.output")

    def _keys_values(self, p: Parameters, name: str, memory: Tensor, n: int) -> tuple[Tensor, Tensor]:
        keys, values = (self._heads(part, n) for part in linear(memory, p, f"{name}.of_memory").chunk(2, -1))
        return keys, values

    def _cross(
        self, p: Parameters, name: str, x: Tensor, n: int, source: tuple[Tensor, Tensor], mask: Tensor, drop: Dropper
    ) -> Tensor:
        query = self._heads(linear(self._before(p, f"{name}.around_cross", x), p, f"{name}.cross.query"), n)
        read = linear(self._attend(query, *source, mask, drop), p, f"{name}.cross.output")
        return self._after(p, f"{name}.around_cross", x, read, drop)

    def _say(self, p: Parameters, states: Tensor, memory: Tensor, rows: Rows) -> tuple[Tensor, Tensor | None]:
        """(networks, rows * steps, width) -> generated and copied log-probabilities (networks, rows, steps, …)."""
        networks, n, places = rows.source.shape
        logits = torch.bmm(states, p["body.decoder.embedding.weight"].transpose(1, 2))
        logits = within(logits.view(networks, n, -1, logits.shape[-1]), self.sizes)
        if not self.copies:
            return logits.log_softmax(-1), None
        name, width = "body.decoder.pointer", self.shape.width
        read_from = memory.view(networks, n, places, width)
        queries = linear(states, p, f"{name}.query").view(networks, n, -1, width)
        scores = (queries @ read_from.transpose(-1, -2)).float() * width**-0.5
        pointed = scores.masked_fill(~rows.mask[:, :, None], float("-inf")).log_softmax(-1)
        read = pointed.exp().to(memory.dtype) @ read_from
        both = torch.cat([states.view(networks, n, -1, width), read], -1).flatten(1, 2)
        gate = linear(both, p, f"{name}.gate").float().view(networks, n, -1, 1)
        return F.logsigmoid(gate) + logits.log_softmax(-1), F.logsigmoid(-gate) + pointed
