"""`copynet` with LSTM cells, many at once: the same computation as `CopyNet`, over stacked parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from sayso.models.copying import NEVER
from sayso.models.copynet import CopyNetSettings
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
)

Dropper = Callable[[Tensor], Tensor]
Layers = list[tuple[Tensor, Tensor]]
"""The state and the cell of every layer, (networks, rows, units) each."""


@dataclass
class Source:
    """What the encoder left behind."""

    memory: Tensor
    """(networks, rows, places, units)"""
    keys: Tensor
    copy_keys: Tensor
    bias: Tensor
    """(networks, rows, places): -inf where there is padding"""


@dataclass
class Said:
    """What a decoder keeps between steps."""

    source: Source
    layers: Layers
    scores: Tensor
    weights: list[Tensor]
    """(networks, inputs + units, gates) of every layer, but for what the last word gives"""


@dataclass(frozen=True)
class StackedCopyNet:
    """LSTM cells, Luong's general attention, dropout between layers: what Okapi's recipe has."""

    settings: CopyNetSettings
    sizes: Tensor

    def losses(self, p: Parameters, rows: Rows, drop: Dropper) -> Tensor:
        """(networks, rows, steps): a loss a label."""
        inputs, labels = rows.target[:, :, :-1], rows.target[:, :, 1:]
        said = self._read(p, rows, drop)
        places = matches_of(inputs, rows)
        bars = torch.zeros(places.shape, device=places.device).masked_fill(~places, NEVER)
        entered = self._enter(p, inputs).permute(2, 0, 1, 3).contiguous()  # (steps, networks, rows, gates)
        outputs, scores = [], []
        for step in range(inputs.shape[2]):
            self._move(p, said, entered[step], bars[:, :, step], places[:, :, step], drop)
            outputs.append(said.layers[-1][0])
            scores.append(said.scores)
        generated, copied = self._say(p, drop(torch.stack(outputs, 2)), said.source, torch.stack(scores, 2))
        return copying_losses(generated, copied, labels, matches_of(labels, rows))

    def start(self, p: Parameters, rows: Rows) -> Said:
        return self._read(p, rows, no_drop)

    def step(self, p: Parameters, said: Said, rows: Rows, last: Tensor) -> Tensor:
        """(networks, rows) ids -> log-probabilities (networks, rows, vocabulary + extra); `said` moves on."""
        places = matches_of(last[..., None], rows)[:, :, 0]
        bars = torch.zeros(places.shape, device=places.device).masked_fill(~places, NEVER)
        self._move(p, said, self._enter(p, last[..., None])[:, :, 0], bars, places, no_drop)
        generated, copied = self._say(p, said.layers[-1][0][:, :, None], said.source, said.scores[:, :, None])
        return joined_log_probs(generated[:, :, 0], copied[:, :, 0], rows.source_extended, rows.extra)

    def _read(self, p: Parameters, rows: Rows, drop: Dropper) -> Said:
        networks, n, time = rows.source.shape
        mask = rows.mask
        lengths = mask.sum(2, keepdim=True)
        place = torch.arange(time, device=mask.device).expand_as(mask)
        turned = torch.where(mask, lengths - 1 - place, place)[..., None]  # its own inverse
        units = self.settings.encoder
        memory = embed(rows.source, p["encoder.embedding.weight"])
        for layer in range(self.settings.layers):
            memory = drop(memory) if layer else memory
            back = memory.gather(2, turned.expand_as(memory))
            both = torch.cat([memory, back]).flatten(1, 2)  # forwards, then backwards: twice the networks
            weights = {
                part: torch.cat([p[f"encoder.{way}.{layer}.weights.{part}_l0"] for way in ("forwards", "backwards")])
                for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
            }
            bias = (weights["bias_ih"] + weights["bias_hh"])[:, None]
            gates = torch.baddbmm(bias, both, weights["weight_ih"].transpose(1, 2)).view(2 * networks, n, time, -1)
            gates = gates.permute(2, 0, 1, 3).contiguous()
            outputs = run_cells(gates, weights["weight_hh"].transpose(1, 2), units)
            ahead, behind = outputs[:networks], outputs[networks:]
            end = (lengths - 1)[..., None].expand(-1, -1, -1, units)
            last = torch.cat([ahead.gather(2, end), behind.gather(2, end)], -1)[:, :, 0]
            memory = torch.cat([ahead, behind.gather(2, turned.expand_as(behind))], -1)
        hidden = self.settings.decoder
        first = torch.tanh(linear(last, p, "bridge")).view(networks, n, self.settings.layers, 2 * hidden)
        layers = [tuple(part.contiguous() for part in one.chunk(2, -1)) for one in first.unbind(2)]
        flat = memory.flatten(1, 2)
        keys = linear(flat, p, "attention.of_memory").view(networks, n, time, -1)
        copy_keys = torch.tanh(linear(flat, p, "copy")).view(networks, n, time, -1)
        bias = torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, float("-inf"))
        source = Source(memory, keys, copy_keys, bias)
        return Said(source, layers, torch.zeros(mask.shape, device=mask.device), self._weights(p))  # type: ignore[arg-type]

    def _weights(self, p: Parameters) -> list[Tensor]:
        found = []
        for layer in range(self.settings.layers):
            weight = p[f"decoder.{layer}.weights.weight_ih_l0"]
            weight = weight if layer else weight[:, :, self.settings.embedding :]
            found.append(torch.cat([weight, p[f"decoder.{layer}.weights.weight_hh_l0"]], 2).transpose(1, 2))
        return found

    def _enter(self, p: Parameters, ids: Tensor) -> Tensor:
        """The part of the first layer's gates that the last words give, for all steps at once."""
        table = p["embedding.weight"]
        embedded = embed(torch.where(ids < table.shape[1], ids, 3), table)
        weight = p["decoder.0.weights.weight_ih_l0"][:, :, : self.settings.embedding]
        bias = (p["decoder.0.weights.bias_ih_l0"] + p["decoder.0.weights.bias_hh_l0"])[:, None]
        gates = torch.baddbmm(bias, embedded.flatten(1, 2), weight.transpose(1, 2))
        return gates.view(*ids.shape, -1)

    def _move(self, p: Parameters, said: Said, entered: Tensor, bars: Tensor, places: Tensor, drop: Dropper) -> None:
        """One step: what the last word gives, and where it stands -> new layers and copy scores."""
        source = said.source
        query = said.layers[-1][0][:, :, None]
        attended = ((query @ source.keys.transpose(-1, -2))[:, :, 0] + source.bias).softmax(-1)
        selected = (said.scores + bars).softmax(-1) * places
        read = torch.stack([selected, attended], 2) @ source.memory  # (networks, rows, 2, units)
        inputs, moved = read.flatten(2), []
        for layer, (h, c) in enumerate(said.layers):
            name = f"decoder.{layer}.weights"
            if layer:
                inputs = drop(inputs)
                entered = (p[f"{name}.bias_ih_l0"] + p[f"{name}.bias_hh_l0"])[:, None].expand(-1, h.shape[1], -1)
            moved.append(cell(entered, torch.bmm(torch.cat([inputs, h], -1), said.weights[layer]), c))
            inputs = moved[-1][0]
        said.layers = moved
        said.scores = (inputs[:, :, None] @ source.copy_keys.transpose(-1, -2))[:, :, 0]

    def _say(self, p: Parameters, outputs: Tensor, source: Source, scores: Tensor) -> tuple[Tensor, Tensor]:
        """(networks, rows, steps, units) and copy scores -> generated and copied under one softmax."""
        logits = linear(outputs.flatten(1, 2), p, "output").view(*outputs.shape[:3], -1)
        logits = within(logits, self.sizes)
        scores = scores + source.bias[:, :, None]
        both = torch.logaddexp(logits.logsumexp(-1, keepdim=True), scores.logsumexp(-1, keepdim=True))
        return logits - both, scores - both


@cache
def has_fused_cell(device: torch.device) -> bool:
    """Whether torch has the kernel for this device, and its gradient."""
    gates = torch.zeros(2, 8, device=device, requires_grad=True)
    try:
        h, _, _ = torch.ops.aten._thnn_fused_lstm_cell(gates, gates, gates[:, :2])
        torch.autograd.grad(h.sum(), gates)
    except (RuntimeError, NotImplementedError, AttributeError):
        return False
    return True


def cell(entered: Tensor, recalled: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
    """One LSTM cell: two parts of the gates (…, 4 * units) -> the new state and cell; a GPU has one kernel for it."""
    if recalled.is_cuda and has_fused_cell(recalled.device):
        flat = [one.reshape(-1, one.shape[-1]) for one in (entered, recalled, c)]
        h, new, _ = torch.ops.aten._thnn_fused_lstm_cell(*flat)
        return h.view(c.shape), new.view(c.shape)
    enter, forget, fresh, leave = (entered + recalled).chunk(4, -1)
    new = forget.sigmoid() * c + enter.sigmoid() * fresh.tanh()
    return leave.sigmoid() * new.tanh(), new


def run_cells(gates: Tensor, recurrent: Tensor, units: int) -> Tensor:
    """(time, networks, rows, 4 * units) from the inputs -> the states (networks, rows, time, units)."""
    h = gates.new_zeros(*gates.shape[1:3], units)
    c, outputs = h, []
    for step in gates:
        h, c = cell(step, torch.bmm(h, recurrent), c)
        outputs.append(h)
    return torch.stack(outputs, 2)
