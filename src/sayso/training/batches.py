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
from sayso.models.batch import Batch
from sayso.text.vocabulary import PAD
from sayso.training.arrays import Encoded, Ragged

# Widths are multiples of this: matrix units like it, and it keeps the search for buckets short.
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
    """At most `most` buckets, cut so that the least padding is needed; ordered by length."""
    widths = np.stack([round_up(whole.source.lengths), round_up(whole.target.lengths)])  # (2, rows)
    total = widths.sum(0)
    keys, group_of, counts = np.unique(total, return_inverse=True, return_counts=True)
    widest = np.zeros((2, len(keys)), np.int64)
    for side in (0, 1):
        np.maximum.at(widest[side], group_of, widths[side])
    buckets = []
    for first, last in cheapest_cuts(widest, counts, most):
        rows = np.flatnonzero((group_of >= first) & (group_of <= last))
        source_width, target_width = widest[:, first : last + 1].max(1)
        buckets.append(Bucket(rows, int(source_width), int(target_width), int(whole.extra[rows].max())))
    return buckets


def round_up(lengths: Numbers) -> Numbers:
    return -(-lengths // STEP) * STEP


def cheapest_cuts(widest: Numbers, counts: Numbers, most: int) -> list[tuple[int, int]]:
    """(first, last) of every bucket over sorted lengths, with the fewest padded tokens: dynamic programming."""
    n = len(counts)
    cost = np.full((n, n), np.inf)  # of one bucket from length i to length j
    for i in range(n):
        cost[i, i:] = np.maximum.accumulate(widest[:, i:], axis=1).sum(0) * np.cumsum(counts[i:])
    best = cost[0].copy()
    starts = [np.zeros(n, np.int64)]
    for _ in range(1, min(most, n)):
        before = np.concatenate([[np.inf], best[:-1]])[:, None] + cost  # a new bucket from i, the rest before it
        before[0] = cost[0]
        starts.append(before.argmin(0))
        best = before.min(0)
    cuts, last = [], n - 1
    for start in reversed(starts):
        first = int(start[last])
        cuts.append((first, last))
        last = first - 1
        if last < 0:
            break
    return cuts[::-1]


@dataclass(frozen=True)
class Batches:
    """The batches of one process. `batch` and `tokens` are per process; `tokens` = 0 is no limit."""

    whole: Encoded
    batch: int
    tokens: int = 0
    shapes: int = 8
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


def decoding_batches(whole: Encoded, batch: int, device: torch.device) -> Iterator[tuple[Sequence[int], Batch]]:
    """Requests of similar length together, with the rows they are; targets have width 0."""
    order = np.argsort(whole.source.lengths, kind="stable")
    maker = Batches(whole, batch, device=device)
    for at in range(0, len(order), batch):
        rows = order[at : at + batch]
        width = int(whole.source.lengths[rows].max())
        bucket = Bucket(rows, width, 0, int(whole.extra[rows].max()))
        yield rows.tolist(), maker._collate(bucket, rows, len(rows), bucket.extra)
