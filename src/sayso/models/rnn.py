"""Recurrent encoder–decoders: the GRU of NL2Bash §6.1 and the LSTM with Luong attention of JuICe §6.2 and §7.1.

Attention is read after the recurrence and not fed back, so that teacher forcing runs over all time steps at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, get_args

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.english.vocabulary import PAD
from sayso.models.batch import Batch
from sayso.models.checks import require, require_choice, require_share, require_sizes, require_vocabularies
from sayso.models.heads import known, projected_loss, vocabulary_log_probs
from sayso.models.layers import Attention, VariationalDropout, by_request

Cell = Literal["gru", "lstm"]
ATTENTIONS = ("general", "additive", "none")


@dataclass(frozen=True)
class GRUSettings:
    """NL2Bash §6.1. Embeddings of 200 and additive attention are from its released training scripts, not the paper."""

    source_size: int
    output_size: int
    embedding: int = 200
    encoder: int = 200
    """Units of each of the two directions."""
    decoder: int = 400
    layers: int = 1
    dropout: float = 0.4
    variational: bool = True
    """One dropout mask a sequence, on inputs, recurrent states and outputs; otherwise between layers and at the end."""
    attention: Literal["general", "additive", "none"] = "additive"
    cell: ClassVar[Cell] = "gru"

    def __post_init__(self) -> None:
        check_recurrent(self)


@dataclass(frozen=True)
class LSTMSettings:
    """JuICe §7.1: 2 layers of 1024 (the encoder's two directions together), dropout 0.5, Luong's general attention."""

    source_size: int
    output_size: int
    embedding: int = 1024
    encoder: int = 512
    """Units of each of the two directions."""
    decoder: int = 1024
    layers: int = 2
    dropout: float = 0.5
    variational: bool = False
    attention: Literal["general", "additive", "none"] = "general"
    shared: bool = False
    """One embedding for what is read and what was said: needs one vocabulary, as JuICe's byte pairs are."""
    cell: ClassVar[Cell] = "lstm"

    def __post_init__(self) -> None:
        check_recurrent(self)
        same = not self.shared or self.source_size == self.output_size
        require(same, "LSTMSettings.shared needs as many words in as out")


def check_recurrent(settings: EncoderSettings, attentions: tuple[str, ...] = ATTENTIONS) -> None:
    """Refuse sizes, shares and names that make no recurrent network."""
    require_vocabularies(settings)
    require_sizes(settings, "embedding", "encoder", "decoder", "layers")
    require_share(settings, "dropout")
    require_choice(settings, "attention", attentions)
    require_choice(settings, "cell", get_args(Cell))
    require(isinstance(settings.variational, bool), f"{type(settings).__name__}.variational must be true or false")


class EncoderSettings(Protocol):
    """What a recurrent encoder is made from, whichever network it serves."""

    @property
    def cell(self) -> Cell: ...
    @property
    def source_size(self) -> int: ...
    @property
    def embedding(self) -> int: ...
    @property
    def encoder(self) -> int: ...
    @property
    def layers(self) -> int: ...
    @property
    def dropout(self) -> float: ...
    @property
    def variational(self) -> bool: ...


def make_dropout(settings: EncoderSettings) -> nn.Module:
    """One mask a sequence, or anew at every step."""
    return VariationalDropout(settings.dropout) if settings.variational else nn.Dropout(settings.dropout)


class Recurrence(nn.Module):
    """One layer in one direction. A state is (rows, hidden), an LSTM's has its cell beside it: (rows, 2 * hidden)."""

    def __init__(self, cell: Cell, width: int, hidden: int) -> None:
        super().__init__()
        self.cell, self.hidden = cell, hidden
        self.state_width = hidden if cell == "gru" else 2 * hidden
        self.weights = (nn.GRU if cell == "gru" else nn.LSTM)(width, hidden, batch_first=True)

    def forward(self, inputs: Tensor, state: Tensor, kept: Tensor | None = None) -> Tensor:
        """(batch, time, width) -> (batch, time, hidden); `kept` (batch, hidden) masks what the recurrence reads."""
        if kept is None:
            # cuDNN's recurrence knows half precision but not bf16, and a step waits for the one before, not for bits.
            with torch.autocast(inputs.device.type, enabled=False):
                state = state.float()[None]
                h, c = state[..., : self.hidden].contiguous(), state[..., self.hidden :].contiguous()
                outputs: Tensor = self.weights(inputs.float(), h if self.cell == "gru" else (h, c))[0]
            return outputs
        projected = self.project(inputs)
        if self.cell == "gru":
            return run_masked(projected[None], state[None], [self], kept[None])[0]
        states = []
        for step in projected.unbind(1):
            state = self._move(step, state, kept)
            states.append(state[:, : self.hidden])
        return torch.stack(states, 1)

    def advance(self, inputs: Tensor, state: Tensor, kept: Tensor | None = None) -> Tensor:
        """(rows, width) and a state -> the next state, of which the first `hidden` are the output."""
        return self._move(self.project(inputs), state, kept)

    def project(self, inputs: Tensor) -> Tensor:
        """(…, width) -> (…, gates): what does not wait for the state."""
        of_input, _, input_bias, _ = self.weights.all_weights[0]
        return F.linear(inputs, of_input, input_bias)

    def _move(self, projected: Tensor, state: Tensor, kept: Tensor | None) -> Tensor:
        h = state[:, : self.hidden]
        _, of_state, _, state_bias = self.weights.all_weights[0]
        recalled = F.linear(h if kept is None else h * kept, of_state, state_bias)
        if self.cell == "lstm":
            enter, forget, new, leave = (projected + recalled).chunk(4, -1)
            c = forget.sigmoid() * state[:, self.hidden :] + enter.sigmoid() * new.tanh()
            return torch.cat([leave.sigmoid() * c.tanh(), c], -1)
        reset, update, new = projected.chunk(3, -1)
        reset_recalled, update_recalled, new_recalled = recalled.chunk(3, -1)
        mixed = torch.tanh(new + torch.sigmoid(reset + reset_recalled) * new_recalled)
        share = torch.sigmoid(update + update_recalled)
        return (1 - share) * mixed + share * h


def run_masked(projected: Tensor, state: Tensor, layers: Sequence[Recurrence], kept: Tensor) -> Tensor:
    """GRUs side by side: (layers, batch, time, gates) and (layers, batch, hidden) -> (layers, batch, time, hidden).

    Single precision throughout, as cuDNN's recurrence is: a step waits for the one before, not for bits.
    """
    with torch.autocast(projected.device.type, enabled=False):
        weights = torch.stack([one.weights.all_weights[0][1] for one in layers])
        biases = torch.stack([one.weights.all_weights[0][3] for one in layers])
        steps = projected.to(weights.dtype).permute(2, 0, 1, 3).contiguous()
        outputs: Tensor = MaskedGRU.apply(steps, state.to(weights.dtype), weights, biases, kept.to(weights.dtype))[0]  # type: ignore[no-untyped-call]
        return outputs.permute(1, 2, 0, 3)


class MaskedGRU(torch.autograd.Function):
    """The recurrence of GRUs whose states are masked, with a gradient by hand: a GPU waits for the number of kernels,
    and this launches a fifth of what autograd's does."""

    @staticmethod
    def forward(steps: Tensor, state: Tensor, weights: Tensor, biases: Tensor, kept: Tensor) -> tuple[Tensor, ...]:
        """(time, layers, batch, gates), (layers, batch, hidden), weights (layers, gates, hidden) -> every state, and
        what its gradient needs."""
        hidden, turned, bias = state.shape[-1], weights.transpose(1, 2), biases[:, None]
        recalled, news = torch.empty_like(steps), steps.new_empty(*steps.shape[:-1], hidden)
        shares, outputs = steps.new_empty(*steps.shape[:-1], 2 * hidden), torch.empty_like(news)
        before = state
        for at, step in enumerate(steps.unbind()):
            torch.baddbmm(bias, before * kept, turned, out=recalled[at])
            torch.add(step[..., : 2 * hidden], recalled[at, ..., : 2 * hidden], out=shares[at]).sigmoid_()
            reset, update = shares[at].chunk(2, -1)
            torch.addcmul(step[..., 2 * hidden :], reset, recalled[at, ..., 2 * hidden :], out=news[at]).tanh_()
            before = torch.lerp(news[at], before, update, out=outputs[at])
        return outputs, recalled, shares, news

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, ...], output: tuple[Tensor, ...]) -> None:
        """Kept for the gradient."""
        _, state, weights, _, kept = inputs
        ctx.mark_non_differentiable(*output[1:])
        ctx.save_for_backward(state, weights, kept, *output)

    @staticmethod
    def vmap(info: Any, places: tuple[int | None, ...], *inputs: Tensor) -> tuple[tuple[Tensor, ...], tuple[int, ...]]:
        """Further networks are further layers."""
        size = info.batch_size
        every = [
            one.expand(size, *one.shape) if place is None else one.movedim(place, 0)
            for one, place in zip(inputs, places, strict=True)
        ]
        steps = every[0].movedim(0, 1).flatten(1, 2).contiguous()
        outputs = MaskedGRU.apply(steps, *(one.flatten(0, 1) for one in every[1:]))  # type: ignore[no-untyped-call]
        return tuple(one.unflatten(1, (size, -1)) for one in outputs), (1,) * len(outputs)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, None]:
        """What each gate makes of a state's gradient is known for all steps at once; only its way back is a loop."""
        state, weights, kept, outputs, recalled, shares, news = ctx.saved_tensors
        recalled = recalled[..., 2 * state.shape[-1] :]
        reset, update = shares.chunk(2, -1)
        before = torch.cat([state[None], outputs[:-1]])
        by_new = (1 - update) * (1 - news * news)
        by_recalled = by_new * reset
        by_gate = torch.stack(
            [by_recalled * recalled * (1 - reset), (before - news) * update * (1 - update), by_recalled], -2
        )  # (time, layers, batch, 3, hidden)
        gates, reached = torch.empty_like(by_gate), torch.empty_like(outputs)
        gradient = gradients[0]
        carried = torch.zeros_like(state)
        for at in range(len(outputs) - 1, -1, -1):
            torch.add(gradient[at], carried, out=reached[at])
            torch.mul(reached[at, ..., None, :], by_gate[at], out=gates[at])
            back = torch.bmm(gates[at].flatten(-2), weights)
            carried = torch.mul(reached[at], update[at]).addcmul_(back, kept)
        flat = gates.flatten(-2)
        rows = flat.transpose(0, 1).flatten(1, 2)  # (layers, time * batch, gates)
        read = (before * kept).transpose(0, 1).flatten(1, 2)
        of_steps = torch.cat([flat[..., : 2 * state.shape[-1]], reached * by_new], -1)
        return of_steps, carried, torch.bmm(rows.transpose(1, 2), read), rows.sum(1), None


class Turned(torch.autograd.Function):
    """Rows (batch, time, …) in an order that is its own inverse, so that a gradient takes the same way back."""

    @staticmethod
    def forward(rows: Tensor, places: Tensor) -> Tensor:
        """`places` (batch * time,) are counted through the whole batch."""
        return rows.flatten(0, 1).index_select(0, places).view_as(rows)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        """Kept for the gradient."""
        ctx.save_for_backward(inputs[1])

    @staticmethod
    def vmap(info: Any, places: tuple[int | None, ...], rows: Tensor, order: Tensor) -> tuple[Tensor, int]:
        """Further networks are further rows."""
        size = info.batch_size
        rows, order = (
            one.expand(size, *one.shape) if place is None else one.movedim(place, 0)
            for one, place in zip((rows, order), places, strict=True)
        )
        start = order.shape[1] * torch.arange(size, device=order.device)[:, None]
        turned: Tensor = Turned.apply(rows.flatten(0, 1), (order + start).flatten())  # type: ignore[no-untyped-call]
        return turned.view_as(rows), 0

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        """The same again."""
        gradient = gradients[0]
        return gradient.flatten(0, 1).index_select(0, ctx.saved_tensors[0]).view_as(gradient), None


class RecurrentEncoder(nn.Module):
    """Both directions, layer on layer; padding on the right touches nothing."""

    def __init__(self, settings: EncoderSettings) -> None:
        super().__init__()
        self.embedding = nn.Embedding(settings.source_size, settings.embedding, padding_idx=PAD)
        widths = [settings.embedding] + [2 * settings.encoder] * (settings.layers - 1)
        self.forwards = nn.ModuleList(Recurrence(settings.cell, width, settings.encoder) for width in widths)
        self.backwards = nn.ModuleList(Recurrence(settings.cell, width, settings.encoder) for width in widths)
        self.drop = make_dropout(settings)
        self.variational = settings.variational

    def forward(self, source: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Ids (batch, time) -> the memory (batch, time, 2 * encoder) and the last state of each direction, joined."""
        lengths = mask.sum(1, keepdim=True)
        places = torch.arange(mask.shape[1], device=mask.device).expand_as(mask)
        backwards = torch.where(mask, lengths - 1 - places, places)  # its own inverse
        backwards = (backwards + places.shape[1] * torch.arange(len(mask), device=mask.device)[:, None]).flatten()
        memory = self.embedding(source)
        memory = self.drop(memory) if self.variational else memory
        for layer, (ahead, back) in enumerate(zip(self.forwards, self.backwards, strict=True)):
            memory = self.drop(memory) if layer and not self.variational else memory
            read = self._run(ahead, back, memory, turn(memory, backwards))
            last = torch.cat(
                [one.gather(1, (lengths - 1)[..., None].expand(-1, -1, one.shape[-1])) for one in read], -1
            )
            memory = torch.cat([read[0], turn(read[1], backwards)], -1)
            memory = self.drop(memory) if self.variational else memory
        return memory, last.squeeze(1)

    def _run(self, ahead: nn.Module, back: nn.Module, *inputs: Tensor) -> list[Tensor]:
        """Both directions, at once where they can be."""
        assert isinstance(ahead, Recurrence)
        assert isinstance(back, Recurrence)
        both = [ahead, back]
        state = inputs[0].new_zeros(inputs[0].shape[0], ahead.state_width)
        kept = [recurrent_mask(self.drop, state[:, : ahead.hidden]) for _ in both]
        if ahead.cell == "gru" and kept[0] is not None and kept[1] is not None:
            projected = [one.project(read) for one, read in zip(both, inputs, strict=True)]
            return list(run_masked(torch.stack(projected), torch.stack([state, state]), both, torch.stack(kept)))  # type: ignore[arg-type]
        return [one(read, state, mask) for one, read, mask in zip(both, inputs, kept, strict=True)]


def turn(rows: Tensor, places: Tensor) -> Tensor:
    turned: Tensor = Turned.apply(rows, places)  # type: ignore[no-untyped-call]
    return turned


def recurrent_mask(drop: nn.Module, like: Tensor) -> Tensor | None:
    """The units of a state that a variational dropout lets the recurrence read, one mask a sequence."""
    return drop.mask(like) if isinstance(drop, VariationalDropout) and drop.training and drop.rate else None


@dataclass(frozen=True)
class RecurrentState:
    """Between two steps: one row a kept prefix, and what the source left behind, one row a request."""

    layers: Tensor
    """(layers, rows, state width)"""
    memory: Tensor
    """(requests, places, 2 * encoder)"""
    keys: Tensor
    mask: Tensor
    extra: int


class RecurrentNetwork(nn.Module):
    """`gru` and `lstm`: the decoder starts from the encoder's last states and attends to all of its states."""

    def __init__(self, settings: GRUSettings | LSTMSettings) -> None:
        super().__init__()
        self.settings = settings
        self.encoder = RecurrentEncoder(settings)
        self.embedding: nn.Embedding | None = None
        if not (isinstance(settings, LSTMSettings) and settings.shared):
            self.embedding = nn.Embedding(settings.output_size, settings.embedding, padding_idx=PAD)
        widths = [settings.embedding] + [settings.decoder] * (settings.layers - 1)
        self.decoder = nn.ModuleList(Recurrence(settings.cell, width, settings.decoder) for width in widths)
        state_width = settings.decoder * (1 if settings.cell == "gru" else 2)
        self.bridge = nn.Linear(2 * settings.encoder, settings.layers * state_width)
        self.attention: Attention | None = None
        if settings.attention != "none":
            self.attention = Attention(settings.attention, settings.decoder, 2 * settings.encoder)
            self.combine = nn.Linear(settings.decoder + 2 * settings.encoder, settings.decoder, bias=False)
        self.drop = make_dropout(settings)
        self.output = nn.Linear(settings.decoder, settings.output_size)

    def loss(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The sum of the labels' negative log-likelihoods, and how many labels there are."""
        memory, states = self._read(batch)
        outputs = self._embed(batch.inputs)
        outputs = self.drop(outputs) if self.settings.variational else outputs
        for number, (layer, state) in enumerate(zip(self.decoder, states, strict=True)):
            outputs = self.drop(outputs) if number else outputs
            outputs = layer(outputs, state, recurrent_mask(self.drop, state[:, : self.settings.decoder]))
        keys = self.attention.keys(memory) if self.attention else memory
        return projected_loss(self._read_back(outputs, keys, memory, batch.source_mask), self.output, batch.labels)

    def start(self, batch: Batch) -> RecurrentState:
        """Encode the sources; one row a request."""
        memory, states = self._read(batch)
        keys = self.attention.keys(memory) if self.attention else memory
        return RecurrentState(states, memory, keys, batch.source_mask, batch.extra)

    def step(self, state: RecurrentState, last: Tensor, parents: Tensor) -> tuple[Tensor, RecurrentState]:
        """One id on: (rows,) ids and the rows they continue -> log-probabilities (rows, vocabulary + extra)."""
        outputs = self._embed(last)
        moved = []
        for layer, before in zip(self.decoder, state.layers[:, parents], strict=True):
            assert isinstance(layer, Recurrence)
            moved.append(layer.advance(outputs, before))
            outputs = moved[-1][:, : layer.hidden]
        requests = state.memory.shape[0]
        logits = self._logits(by_request(outputs, requests), state.keys, state.memory, state.mask).flatten(0, 1)
        after = RecurrentState(torch.stack(moved), state.memory, state.keys, state.mask, state.extra)
        return vocabulary_log_probs(logits, state.extra), after

    def _embed(self, said: Tensor) -> Tensor:
        embedding = self.embedding or self.encoder.embedding
        embedded: Tensor = embedding(known(said, self.settings.output_size))
        return embedded

    def _read(self, batch: Batch) -> tuple[Tensor, Tensor]:
        memory, last = self.encoder(batch.source, batch.source_mask)
        first = torch.tanh(self.bridge(last)).view(len(batch), self.settings.layers, -1)
        return memory, first.transpose(0, 1).contiguous()  # (layers, batch, state width)

    def _logits(self, outputs: Tensor, keys: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """(batch, steps, decoder) -> (batch, steps, vocabulary)."""
        logits: Tensor = self.output(self._read_back(outputs, keys, memory, mask))
        return logits

    def _read_back(self, outputs: Tensor, keys: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """(batch, steps, decoder) with what each step reads of the source, which the logits are made of."""
        if self.attention:
            read = self.attention(outputs, keys, memory, mask)
            outputs = torch.tanh(self.combine(torch.cat([read, outputs], -1)))
        dropped: Tensor = self.drop(outputs)
        return dropped
