"""CopyNet (Gu et al., 2016) on a recurrent decoder: NL2Bash §6.1 with a GRU, Okapi §5's LSTM with value copying.

Generating and copying share one softmax, and a copied word is read back from where it stands in the source. That
selective read needs the scores of the step before, so teacher forcing walks through time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from sayso.english.vocabulary import PAD
from sayso.models.batch import Batch
from sayso.models.copying import NEVER, copying_log_probs, copying_loss, matching
from sayso.models.heads import known
from sayso.models.layers import Attention, by_request
from sayso.models.rnn import Cell, Recurrence, RecurrentEncoder, check_recurrent, make_dropout, recurrent_mask


@dataclass(frozen=True)
class CopyNetSettings:
    """NL2Bash §6.1: as its Seq2Seq, with the copying of Gu et al., whose attention is additive."""

    source_size: int
    output_size: int
    embedding: int = 200
    encoder: int = 200
    """Units of each of the two directions."""
    decoder: int = 400
    layers: int = 1
    dropout: float = 0.4
    variational: bool = True
    attention: Literal["general", "additive"] = "additive"
    cell: Cell = "gru"

    def __post_init__(self) -> None:
        check_recurrent(self, ("general", "additive"))


@dataclass(frozen=True)
class Source:
    """What the encoder left behind, one row a request."""

    memory: Tensor
    """(requests, places, 2 * encoder)"""
    keys: Tensor
    copy_keys: Tensor
    """(requests, places, decoder): tanh(W_c h), eq. 8 of Gu et al."""
    words: Tensor
    """(requests, places) extended ids"""
    mask: Tensor
    extra: int


@dataclass(frozen=True)
class CopyNetState:
    """One row a prefix: the decoder's layers, and the copy scores of the last step for the selective read."""

    layers: Tensor
    """(layers, rows, state width)"""
    scores: Tensor
    """(rows, places)"""
    source: Source


class CopyNet(nn.Module):
    """`copynet`: an attentive decoder that reads its last word, its source place if it was copied, and the context."""

    def __init__(self, settings: CopyNetSettings) -> None:
        super().__init__()
        self.settings = settings
        memory, hidden = 2 * settings.encoder, settings.decoder
        self.encoder = RecurrentEncoder(settings)
        self.embedding = nn.Embedding(settings.output_size, settings.embedding, padding_idx=PAD)
        widths = [settings.embedding + 2 * memory] + [hidden] * (settings.layers - 1)
        self.decoder = nn.ModuleList(Recurrence(settings.cell, width, hidden) for width in widths)
        state_width = hidden * (1 if settings.cell == "gru" else 2)
        self.bridge = nn.Linear(memory, settings.layers * state_width)
        self.attention = Attention(settings.attention, hidden, memory)
        self.copy = nn.Linear(memory, hidden, bias=False)
        self.drop = make_dropout(settings)
        self.output = nn.Linear(hidden, settings.output_size)

    def loss(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The sum of the labels' negative log-likelihoods, and how many labels there are."""
        state = self.start(batch)
        source, size = state.source, self.settings.output_size
        embedded = self.embedding(known(batch.inputs, size))
        embedded = self.drop(embedded) if self.settings.variational else embedded
        read_back = matching(batch.inputs, source.words, source.mask)
        kept = [recurrent_mask(self.drop, layer[:, : self.settings.decoder]) for layer in state.layers]
        layers, scores = list(state.layers), state.scores
        outputs, copied = [], []
        for step, places in zip(embedded.unbind(1), read_back.unbind(1), strict=True):
            layers, scores = self._move(step, places, layers, scores, source, kept)
            outputs.append(layers[-1][:, : self.settings.decoder])
            copied.append(scores)
        generated, pointed = self._parts(self.drop(torch.stack(outputs, 1)), source, torch.stack(copied, 1))
        return copying_loss(generated, pointed, batch.labels, matching(batch.labels, source.words, source.mask))

    def start(self, batch: Batch) -> CopyNetState:
        """Encode the sources; one row a request."""
        mask = batch.source_mask
        memory, last = self.encoder(batch.source, mask)
        layers = torch.tanh(self.bridge(last)).view(len(batch), self.settings.layers, -1).transpose(0, 1)
        copy_keys = torch.tanh(self.copy(memory))
        source = Source(memory, self.attention.keys(memory), copy_keys, batch.source_extended, mask, batch.extra)
        return CopyNetState(layers, torch.zeros_like(mask, dtype=torch.float), source)

    def step(self, state: CopyNetState, last: Tensor, parents: Tensor) -> tuple[Tensor, CopyNetState]:
        """One id on: (rows,) ids and the rows they continue -> log-probabilities (rows, vocabulary + extra)."""
        source, requests = state.source, len(state.source.memory)
        places = matching(by_request(last, requests), source.words, source.mask).flatten(0, 1)
        embedded = self.embedding(known(last, self.settings.output_size))
        before = list(state.layers[:, parents])
        layers, scores = self._move(embedded, places, before, state.scores[parents], source, [None] * len(before))
        outputs = by_request(layers[-1][:, : self.settings.decoder], requests)
        generated, copied = self._parts(outputs, source, by_request(scores, requests))
        log_probs = copying_log_probs(generated, copied, source.words, source.extra)
        return log_probs, CopyNetState(torch.stack(layers), scores, source)

    def _move(
        self,
        embedded: Tensor,
        places: Tensor,
        layers: list[Tensor],
        scores: Tensor,
        source: Source,
        kept: list[Tensor | None],
    ) -> tuple[list[Tensor], Tensor]:
        """The last word (rows, embedding) and where it stands (rows, places) -> new layers and copy scores."""
        requests = len(source.memory)
        hidden = self.settings.decoder
        queries = by_request(layers[-1][:, :hidden], requests)
        context = self.attention(queries, source.keys, source.memory, source.mask)
        # Eq. 9 of Gu et al.: the last step's copy probabilities, over the places that say the last word.
        weights = scores.masked_fill(~places, NEVER).softmax(-1) * places
        selected = by_request(weights, requests).to(source.memory.dtype) @ source.memory
        inputs = torch.cat([embedded, selected.flatten(0, 1), context.flatten(0, 1)], -1)
        moved = []
        for number, (layer, before, mask) in enumerate(zip(self.decoder, layers, kept, strict=True)):
            assert isinstance(layer, Recurrence)
            inputs = self.drop(inputs) if number and not self.settings.variational else inputs
            moved.append(layer.advance(inputs, before, mask))
            inputs = moved[-1][:, :hidden]
        pointed = by_request(inputs, requests) @ source.copy_keys.transpose(1, 2)
        return moved, pointed.flatten(0, 1).float()

    def _parts(self, outputs: Tensor, source: Source, scores: Tensor) -> tuple[Tensor, Tensor]:
        """(requests, steps, decoder) and copy scores -> generated and copied log-probabilities under one softmax."""
        logits = self.output(outputs).float()
        scores = scores.masked_fill(~source.mask[:, None], float("-inf"))
        both = torch.logaddexp(logits.logsumexp(-1, keepdim=True), scores.logsumexp(-1, keepdim=True))
        return logits - both, scores - both
