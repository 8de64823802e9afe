"""A Transformer whole: embeddings, encoder, decoder, and a head that generates or also copies."""

from __future__ import annotations

from dataclasses import dataclass

import torch.nn.functional as F
from torch import Tensor, nn

from sayso.english.vocabulary import PAD
from sayso.models.batch import Batch
from sayso.models.blocks import Decoder, DecoderState, Encoder, Shape
from sayso.models.copying import PointerMixture, copying_log_probs, copying_loss, matching
from sayso.models.heads import known, projected_loss, vocabulary_log_probs, vocabulary_loss
from sayso.models.packing import find_packing


@dataclass(frozen=True)
class AttentiveState:
    """A decoder's state, and what a pointer needs of the source, one row a request."""

    decoder: DecoderState
    memory: Tensor
    """(requests, places, width)"""
    mask: Tensor
    words: Tensor
    """(requests, places) extended ids"""
    extra: int


class AttentiveDecoder(nn.Module):
    """A Transformer decoder with its embedding and head, over any encoder's memory (batch, places, width)."""

    def __init__(self, shape: Shape, output_size: int, *, copies: bool) -> None:
        super().__init__()
        self.width, self.output_size = shape.width, output_size
        self.embedding = make_embedding(output_size, shape.width)
        self.decoder = Decoder(shape)
        self.pointer = PointerMixture(shape.width, shape.width) if copies else None

    def loss(self, batch: Batch, memory: Tensor) -> tuple[Tensor, Tensor]:
        """The sum of the labels' negative log-likelihoods, and how many labels there are."""
        mask, wanted = batch.source_mask, batch.labels != PAD
        states = self.decoder(self._embed(batch.inputs), memory, mask, wanted)
        if self.pointer is None:
            packing = find_packing(wanted)
            if packing is None:
                return projected_loss(states, self._logits, batch.labels)
            return vocabulary_loss(self._logits(packing.pack(states)), packing.pack(batch.labels))
        logits = self._logits(states)
        generated, copied = self.pointer(states, logits, memory, mask)
        return copying_loss(generated, copied, batch.labels, matching(batch.labels, batch.source_extended, mask))

    def start(self, batch: Batch, memory: Tensor) -> AttentiveState:
        """One row a request."""
        mask = batch.source_mask
        return AttentiveState(self.decoder.start(memory, mask), memory, mask, batch.source_extended, batch.extra)

    def step(self, state: AttentiveState, last: Tensor, parents: Tensor) -> tuple[Tensor, AttentiveState]:
        """One id on: (rows,) ids and the rows they continue -> log-probabilities (rows, vocabulary + extra)."""
        states, decoder = self.decoder.step(state.decoder, self._embed(last), parents)
        logits = self._logits(states)
        after = AttentiveState(decoder, state.memory, state.mask, state.words, state.extra)
        if self.pointer is None:
            return vocabulary_log_probs(logits, state.extra), after
        requests = state.memory.shape[0]
        grouped = (part.view(requests, -1, part.shape[-1]) for part in (states, logits))
        generated, copied = self.pointer(*grouped, state.memory, state.mask)
        return copying_log_probs(generated, copied, state.words, state.extra), after

    def _embed(self, ids: Tensor) -> Tensor:
        embedded: Tensor = self.embedding(known(ids, self.output_size)) * self.width**0.5
        return embedded

    def _logits(self, states: Tensor) -> Tensor:
        """The output matrix is the embedding (Press and Wolf, 2017)."""
        return F.linear(states, self.embedding.weight)


class EncoderDecoder(nn.Module):
    """Encoder and decoder of one shape; with `shared`, one embedding serves source, target and output."""

    def __init__(self, shape: Shape, source_size: int, output_size: int, *, shared: bool, copies: bool) -> None:
        super().__init__()
        self.width = shape.width
        self.embedding = None if shared else make_embedding(source_size, shape.width)
        self.encoder = Encoder(shape)
        self.decoder = AttentiveDecoder(shape, output_size, copies=copies)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)

    def encode(self, batch: Batch) -> Tensor:
        """(batch, places, width)"""
        embedding = self.embedding or self.decoder.embedding
        memory: Tensor = self.encoder(embedding(batch.source) * self.width**0.5, batch.source_mask)
        return memory

    def loss(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The sum of the labels' negative log-likelihoods, and how many labels there are."""
        return self.decoder.loss(batch, self.encode(batch))

    def start(self, batch: Batch) -> AttentiveState:
        """Encode the sources; one row a request."""
        return self.decoder.start(batch, self.encode(batch))

    def step(self, state: AttentiveState, last: Tensor, parents: Tensor) -> tuple[Tensor, AttentiveState]:
        """One id on: (rows,) ids and the rows they continue -> log-probabilities (rows, vocabulary + extra)."""
        return self.decoder.step(state, last, parents)


def make_embedding(size: int, width: int) -> nn.Embedding:
    """Drawn so that it serves as the output matrix too; inputs are scaled up by sqrt(width)."""
    embedding = nn.Embedding(size, width, padding_idx=PAD)
    nn.init.normal_(embedding.weight, std=width**-0.5)
    return embedding
