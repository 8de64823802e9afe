"""Batches with few distinct shapes, in an order that depends on (seed, epoch) alone, so a resume finds its place.

Examples of similar length share a bucket, and every batch of a bucket is padded to the bucket's widths. Processes that
train together cut the same batches and take every n-th row, so what they see together is what one process would see.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sayso.core.errors import RunFailed
from sayso.english.vocabulary import PAD
from sayso.models.batch import Batch
from sayso.training.arrays import Encoded, Ragged

# Widths are multiples of this.
STEP = 4

Numbers = NDArray[np.int64]
CPU = torch.device("cpu")


@dataclass(frozen=True)
class Bucket:
    """Rows that are padded to the same widths."""

    rows: Numbers
    source_width: int
    target_width: int
    extra: int
    """The most extended ids of any row."""


def make_buckets(whole: Encoded, most: int) -> list[Bucket]:
    """At most `most` buckets: one is cut in two, by the length of either side, wherever that saves most padding."""
    widths = np.stack([round_up(whole.source.lengths), round_up(whole.target.lengths)])  # (2, rows)
    parts = [np.arange(len(whole))]
    cuts = [best_cut(parts[0], widths)]
    while len(parts) < most and (saved := max(cut.saved for cut in cuts)):
        at = next(at for at, cut in enumerate(cuts) if cut.saved == saved)
        halves = cuts[at].halves
        parts[at : at + 1] = halves
        cuts[at : at + 1] = [best_cut(half, widths) for half in halves]
    buckets = []
    for rows in parts:
        source_width, target_width = widths[:, rows].max(1).tolist()
        buckets.append(Bucket(np.sort(rows), source_width, target_width, int(whole.extra[rows].max())))
    return buckets


def round_up(lengths: Numbers) -> Numbers:
    return -(-lengths // STEP) * STEP


@dataclass(frozen=True)
class Cut:
    """A bucket in two halves, and how many padded places fewer they have; 0 where none is saved."""

    saved: int
    halves: tuple[Numbers, ...] = ()


def best_cut(rows: Numbers, widths: Numbers) -> Cut:
    """Every cut by source length, then every cut by target length."""
    best = Cut(0)
    together = len(rows) * int(widths[:, rows].max(1).sum())
    number = np.arange(1, len(rows) + 1)
    for side in (0, 1):
        order = rows[np.argsort(widths[side, rows], kind="stable")]
        width = widths[:, order]
        shorter = number * np.maximum.accumulate(width, axis=1).sum(0)
        longer = (number * np.maximum.accumulate(width[:, ::-1], axis=1).sum(0))[::-1]
        places = np.flatnonzero(width[side, :-1] != width[side, 1:])  # equal lengths stay together
        if len(places):
            apart = shorter[places] + longer[places + 1]
            saved = together - int(apart.min())
            if saved > best.saved:
                place = int(places[apart.argmin()]) + 1
                best = Cut(saved, (order[:place], order[place:]))
    return best


@dataclass(frozen=True)
class Batches:
    """The batches of one process. `batch` and `tokens` are per process; `tokens` = 0 is no limit."""

    whole: Encoded
    batch: int
    tokens: int = 0
    shapes: int = 12
    seed: int = 0
    rank: int = 0
    world: int = 1
    fixed: bool = False
    """Fill the last batch of a bucket with rows that count for nothing, so that no other shapes occur."""
    device: torch.device = CPU

    def __post_init__(self) -> None:
        if not len(self.whole):
            raise RunFailed("there are no encoded examples to make batches of")

    @cached_property
    def buckets(self) -> list[Bucket]:
        return make_buckets(self.whole, self.shapes)

    @cached_property
    def _on_device(self) -> tuple[Flat, Flat, Flat]:
        whole = self.whole
        source = Flat.of(whole.source, self.device)
        same = whole.source_extended is whole.source
        copied = source if same else Flat.of(whole.source_extended, self.device)
        return source, copied, Flat.of(whole.target, self.device)

    def rows_of(self, bucket: Bucket) -> int:
        """Rows of one batch over all processes together."""
        rows = self.batch * self.world
        if self.tokens:
            rows = min(rows, self.tokens * self.world // (bucket.source_width + bucket.target_width))
        return max(rows, 1)

    @cached_property
    def per_epoch(self) -> int:
        return sum(-(-len(bucket.rows) // self.rows_of(bucket)) for bucket in self.buckets)

    @property
    def padding(self) -> float:
        """The share of all padded places that hold nothing."""
        held = self.whole.source.lengths.sum() + self.whole.target.lengths.sum()
        places = sum(len(bucket.rows) * (bucket.source_width + bucket.target_width) for bucket in self.buckets)
        return 1 - float(held) / places

    def epoch(self, number: int, start: int = 0) -> Iterator[Batch]:
        """The batches of an epoch from place `start` on, shuffled from (seed, number)."""
        random = np.random.Generator(np.random.PCG64([self.seed, number]))
        cut = [part for bucket in self.buckets for part in self._cut(bucket, random.permutation(bucket.rows))]
        for place in random.permutation(len(cut))[start:]:
            yield self._batch(*cut[place])

    def one_of_each(self) -> Iterator[Batch]:
        """A batch of every shape, the largest first: what is recorded of it leaves memory that serves the others."""
        for bucket in sorted(self.buckets, key=lambda one: -self.rows_of(one) * (one.source_width + one.target_width)):
            yield self._batch(bucket, bucket.rows[: self.rows_of(bucket)])

    def in_order(self) -> Iterator[Batch]:
        """Every row once, unshuffled: for the loss on dev."""
        for bucket in self.buckets:
            for part in self._cut(bucket, bucket.rows):
                yield self._batch(*part)

    def _cut(self, bucket: Bucket, rows: Numbers) -> Iterator[tuple[Bucket, Numbers]]:
        size = self.rows_of(bucket)
        return ((bucket, rows[at : at + size]) for at in range(0, len(rows), size))

    def _batch(self, bucket: Bucket, everyone: Numbers) -> Batch:
        mine = everyone[self.rank :: self.world]
        live = len(mine)
        wanted = -(-self.rows_of(bucket) // self.world) if self.fixed else max(live, 1)
        if live < wanted:  # a row without a target costs nothing and counts for nothing
            mine = np.concatenate([mine, np.full(wanted - live, everyone[0])])
        extra = bucket.extra if self.fixed else int(self.whole.extra[mine].max())
        return self._collate(bucket, mine, live, extra)

    def _collate(self, bucket: Bucket, rows: Numbers, live: int, extra: int) -> Batch:
        index = torch.from_numpy(rows).to(self.device, non_blocking=True)
        source, copied, target = self._on_device
        read = source.padded(index, bucket.source_width)
        wanted = target.padded(index, bucket.target_width)
        wanted[live:] = PAD
        return Batch(
            source=read,
            source_extended=read if copied is source else copied.padded(index, bucket.source_width),
            target=wanted,
            extra=extra,
        )


@dataclass(frozen=True)
class Flat:
    """A ragged array on the device, so that a step copies nothing but row numbers."""

    ids: Tensor
    offsets: Tensor

    @staticmethod
    def of(ragged: Ragged, device: torch.device) -> Flat:
        ids = torch.from_numpy(np.concatenate([ragged.flat.astype(np.int64), [PAD]]))  # never empty
        return Flat(ids.to(device), torch.from_numpy(ragged.offsets.astype(np.int64)).to(device))

    def padded(self, rows: Tensor, width: int) -> Tensor:
        """(rows, width), PAD after the end of a row."""
        start, end = self.offsets[rows, None], self.offsets[rows + 1, None]
        places = start + torch.arange(width, device=rows.device)
        return torch.where(places < end, self.ids[places.clamp(max=len(self.ids) - 1)], PAD)


def decoding_batches(
    whole: Encoded, batch: int, device: torch.device, step: int = 1
) -> Iterator[tuple[Sequence[int], Batch]]:
    """Requests of similar length together, with the rows they are; targets have width 0, other widths are multiples
    of `step`."""
    order = np.argsort(whole.source.lengths, kind="stable")
    maker = Batches(whole, batch, device=device)
    for at in range(0, len(order), batch):
        rows = order[at : at + batch]
        width, extra = (
            -(-int(most) // step) * step for most in (whole.source.lengths[rows].max(), whole.extra[rows].max())
        )
        yield rows.tolist(), maker._collate(Bucket(rows, width, 0, extra), rows, len(rows), extra)
