"""A network without left-to-right decoding: an encoder, one classifier a slot, and pointers to the values it copies.

Slots are independent given the request, so more clauses than training had are no longer a longer sequence. It
still answers `start` and `step` (slots.py says how a set is written as ids), so that search finds the best sets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.english.vocabulary import EOS, PAD
from sayso.models.attention import CrossAttention
from sayso.models.batch import Batch
from sayso.models.blocks import Encoder, FeedForward, Residual, Shape
from sayso.models.checks import require, require_choice, require_share, require_sizes, require_vocabularies
from sayso.models.encoder_decoder import make_embedding
from sayso.models.heads import count
from sayso.models.layers import by_request
from sayso.models.slots import Slot

LONGEST = 16  # words of a value that are told apart; longer ones share a bias
LABEL, FIRST, LAST = range(3)  # what comes next: a slot's label, the first or the last place of its value
NO = float("-inf")


@dataclass(frozen=True)
class SetSettings:
    """The slots are the caller's; the sizes are ours. Pre-norm and gates as in modern.py."""

    source_size: int
    output_size: int
    slots: tuple[Slot, ...]
    width: int = 256
    heads: int = 4
    layers: int = 4
    feed_forward: int = 512
    dropout: float = 0.1
    positions: Literal["rotary", "relative"] = "relative"
    window: int = 3
    """Words that are seen together before attention: what stands beside a word must not depend on the rest."""

    def __post_init__(self) -> None:
        # Settings that were saved as JSON come back with lists and mappings.
        object.__setattr__(self, "slots", tuple(_slot(one) for one in self.slots))
        require_vocabularies(self)
        require_sizes(self, "width", "heads", "layers", "feed_forward", "window")
        require(self.window % 2 == 1, f"SetSettings.window is {self.window}, not odd: a word stands in its middle")
        require_choice(self, "positions", ("rotary", "relative"))
        require_share(self, "dropout")
        even = self.width % (2 * self.heads) == 0
        require(even, f"SetSettings.heads is {self.heads}: {self.width} does not fall into heads of even width")
        require(len(self.slots) > 0, "SetSettings.slots is empty")
        for slot in self.slots:
            fits = bool(slot.labels) and all(EOS < label < self.output_size for label in slot.labels)
            require(fits, f"SetSettings.slots: slot {slot.name} has labels {slot.labels} outside the vocabulary")
            known = set(slot.spans) <= set(slot.labels)
            require(known, f"SetSettings.slots: slot {slot.name} has spans {slot.spans} that are no labels of it")


def _slot(one: Slot | Mapping[str, object]) -> Slot:
    if isinstance(one, Slot):
        return one
    labels, spans = one["labels"], one.get("spans", ())
    require(
        isinstance(labels, list | tuple) and isinstance(spans, list | tuple), f"SetSettings.slots: {one} is no slot"
    )
    assert isinstance(labels, list | tuple) and isinstance(spans, list | tuple)
    return Slot(str(one["name"]), tuple(labels), tuple(spans))


@dataclass(frozen=True)
class SetState:
    """What the source says, one row a request, and where each prefix is, one row a prefix."""

    memory: Tensor
    """(requests, places, width)"""
    mask: Tensor
    labels: Tensor
    """(requests, slots + 1, vocabulary) log-probabilities; the last slot is the end."""
    slot: Tensor
    """(rows,)"""
    phase: Tensor
    label: Tensor
    extra: int


class SetPredictor(nn.Module):
    """`set`: slots listen to the source, each for itself."""

    class_of: Tensor
    takes_span: Tensor

    def __init__(self, settings: SetSettings) -> None:
        super().__init__()
        self.settings = settings
        width, size, n = settings.width, settings.output_size, len(settings.slots)
        shape = Shape(
            width=width,
            heads=settings.heads,
            layers=settings.layers,
            feed_forward=settings.feed_forward,
            dropout=settings.dropout,
            norm="pre",
            positions=settings.positions,
            gated=True,
        )
        self.embedding = make_embedding(settings.source_size, width)
        self.encoder = Encoder(shape)
        self.slots = nn.Embedding(n, width)
        self.listen = CrossAttention(width, settings.heads, settings.dropout, bias=False)
        self.around_listen, self.around_think = Residual(shape), Residual(shape)
        self.think = FeedForward(shape)
        entries = [(i, label) for i, slot in enumerate(settings.slots) for label in slot.labels]
        self.classes = nn.Linear(width, len(entries))
        self.of_label = nn.Embedding(size, width)
        self.first, self.last = nn.Linear(width, width), nn.Linear(width, width)
        self.from_first = nn.Linear(width, width, bias=False)
        self.of_length = nn.Embedding(LONGEST, 1)
        self.nearby = nn.Conv1d(width, width, settings.window, padding=settings.window // 2)
        # Which class scores a label in a slot; two more stand for "never" and, in the last slot, for the certain end.
        class_of = torch.full((n + 1, size), len(entries))
        takes_span = torch.zeros(n + 1, size, dtype=torch.bool)
        for number, (i, label) in enumerate(entries):
            class_of[i, label] = number
            takes_span[i, label] = label in settings.slots[i].spans
        class_of[n, EOS] = len(entries) + 1
        self.register_buffer("class_of", class_of, persistent=False)
        self.register_buffer("takes_span", takes_span, persistent=False)

    def loss(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The sum of the labels' negative log-likelihoods, and how many labels there are."""
        size = self.settings.output_size
        memory, mask, classes = self._read(batch)
        wanted = batch.labels  # (batch, time)
        is_label = wanted < size
        slot = (is_label.long().cumsum(1) - 1).clamp(0, len(self.settings.slots))
        before = F.pad(wanted, (2, 0), value=PAD)  # before[:, t + 1] is one place back, before[:, t] two
        one_back, two_back = before[:, 1:-1], before[:, :-2]
        is_last = ~is_label & (one_back >= size)
        label = torch.where(is_last, two_back, one_back).clamp(max=size - 1)
        first = (one_back - size).clamp(min=0)
        rows = torch.arange(len(batch), device=wanted.device)[:, None]
        spans = self._spans(slot, label, first, is_last, memory, mask)
        of_labels = classes[rows, slot].gather(-1, wanted.clamp(max=size - 1)[..., None])
        of_spans = spans.gather(-1, (wanted - size).clamp(min=0)[..., None])
        chosen = torch.where(is_label, of_labels[..., 0], of_spans[..., 0])
        return -torch.where(wanted != PAD, chosen, 0.0).sum(), count(wanted)

    def start(self, batch: Batch) -> SetState:
        """Encode the sources and work out every slot's labels; one row a request."""
        memory, mask, classes = self._read(batch)
        before_bos = torch.full((len(batch),), -1, device=memory.device)
        phase = torch.full_like(before_bos, LAST)
        return SetState(memory, mask, classes, before_bos, phase, torch.zeros_like(phase), batch.extra)

    def step(self, state: SetState, last: Tensor, parents: Tensor) -> tuple[Tensor, SetState]:
        """One id on: (rows,) ids and the rows they continue -> log-probabilities (rows, vocabulary + extra)."""
        size, requests = self.settings.output_size, state.memory.shape[0]
        slot, before, label = state.slot[parents], state.phase[parents], state.label[parents]
        word = last.clamp(max=size - 1)
        starts_span = (before == LABEL) & self.takes_span[slot.clamp(min=0), word]
        phase = torch.where(before == FIRST, LAST, torch.where(starts_span, FIRST, LABEL))
        slot = torch.where(phase == LABEL, slot + 1, slot).clamp(max=len(self.settings.slots))
        label = torch.where(before == LABEL, word, label)
        rows = torch.arange(requests, device=last.device)[:, None]
        at, first = by_request(slot, requests), by_request((last - size).clamp(min=0), requests)
        is_last = by_request(phase == LAST, requests)
        spans = self._spans(at, by_request(label, requests), first, is_last, state.memory, state.mask).flatten(0, 1)
        labels = F.pad(state.labels[rows, at].flatten(0, 1), (0, state.extra), value=NO)
        places = F.pad(spans, (size, state.extra - spans.shape[1]), value=NO)
        log_probs = torch.where((phase == LABEL)[:, None], labels, places)
        after = SetState(state.memory, state.mask, state.labels, slot, phase, label, state.extra)
        return log_probs, after

    def _read(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """Memory, its mask, and every slot's labels' log-probabilities (batch, slots + 1, vocabulary)."""
        mask = batch.source_mask
        words = self.embedding(batch.source) * self.settings.width**0.5 * mask[..., None]
        memory = self.encoder(words + self.nearby(words.transpose(1, 2)).transpose(1, 2), mask)
        slots = self.slots.weight.expand(len(batch), -1, -1)
        keys, values = self.listen.keys_values(memory)
        read = self.listen(self.around_listen.enter(slots), keys, values, mask[:, None, None])
        heard = self.around_listen.leave(slots, read)
        heard = self.around_think.leave(heard, self.think(self.around_think.enter(heard)))
        heard = F.pad(heard, (0, 0, 0, 1))  # the end hears nothing
        scores = F.pad(F.pad(self.classes(heard).float(), (0, 1), value=NO), (0, 1))  # (batch, slots + 1, classes + 2)
        labels = scores.gather(-1, self.class_of.expand(len(batch), -1, -1))
        return memory, mask, labels.log_softmax(-1)

    def _spans(
        self, slot: Tensor, label: Tensor, first: Tensor, is_last: Tensor, memory: Tensor, mask: Tensor
    ) -> Tensor:
        """(batch, n) slots and their labels -> log-probabilities of a first or last place (batch, n, places)."""
        # What a slot looks for does not depend on the rest of the request: that is what carries over to longer ones.
        asked = self.slots(slot.clamp(0, len(self.settings.slots) - 1)) + self.of_label(label)
        first = first.clamp(max=memory.shape[1] - 1)
        starts = memory.gather(1, first[..., None].expand(-1, -1, memory.shape[-1]))
        query = torch.where(is_last[..., None], self.last(asked) + self.from_first(starts), self.first(asked))
        scores = (query @ memory.transpose(1, 2)).float() * self.settings.width**-0.5
        places = torch.arange(memory.shape[1], device=memory.device)
        lengths = (places - first[..., None]).clamp(0, LONGEST - 1)
        scores = torch.where(is_last[..., None], scores + self.of_length(lengths).float().squeeze(-1), scores)
        never = ~mask[:, None] | (is_last[..., None] & (places < first[..., None]))
        # A prefix that search has given up may point behind the source's end; it must not make nan.
        never = never & ~(is_last[..., None] & (places == first[..., None]))
        return torch.where(never, NO, scores).log_softmax(-1)
