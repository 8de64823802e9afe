"""What the networks of a stack are trained on: every row of every member in one padded table on the device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sayso.english.vocabulary import EOS, PAD
from sayso.models.stacked import Rows
from sayso.training.arrays import Ragged, load_encoded
from sayso.training.jobs import Data, Job


@dataclass(frozen=True)
class Member:
    """One network of a stack: a job of a training folder, and what is done otherwise."""

    name: str
    folder: Path
    job: Job
    data: Data
    rows: tuple[int, ...] = ()
    """Of train, where not all."""
    ends: bool = True
    """Whether it learns to say that an answer has ended (Okapi §6)."""
    dev_rows: tuple[int, ...] = ()
    """Of dev, by which its best weights are chosen, where not the first; all members of a stack have some, or none."""


@dataclass(frozen=True)
class Table:
    """Padded ids, (rows, time); `first` and `count` say which rows are whose."""

    source: Tensor
    extended: Tensor
    target: Tensor
    first: list[int]
    count: list[int]
    fits: NDArray[np.bool_]
    """Rows that are not cut."""

    def take(self, index: Tensor, extra: int) -> Rows:
        """(networks, rows) places in the table -> a batch for every network."""
        return Rows(self.source[index], self.extended[index], self.target[index], extra)


def make_table(members: Sequence[Member], split: str, largest: int, device: torch.device, share: float = 1.0) -> Table:
    """The rows of each distinct folder once; extended ids are moved behind the largest vocabulary.

    It is as wide as the given share of rows needs: the few longest would make every batch wider.
    """
    keys = [(one.folder / "data" / one.job.encoding.key / f"{split}.npz", one.ends) for one in members]
    owner = dict(zip(keys, members, strict=True))
    wholes = {key: load_encoded(key[0], one.data.arrays[split]) for key, one in owner.items()}
    source_lengths = np.concatenate([whole.source.lengths for whole in wholes.values()])
    target_lengths = np.concatenate([whole.target.lengths for whole in wholes.values()])
    source_width, target_width = (
        int(np.quantile(lengths, share, method="higher")) for lengths in (source_lengths, target_lengths)
    )
    first: dict[tuple[Path, bool], int] = {}
    parts: tuple[list[NDArray[np.int64]], ...] = ([], [], [])
    for key, whole in wholes.items():
        first[key] = sum(map(len, parts[0]))
        size = owner[key].data.output_size
        target = moved(padded(whole.target, target_width), size, largest)
        parts[0].append(padded(whole.source, source_width))
        parts[1].append(moved(padded(whole.source_extended, source_width), size, largest))
        parts[2].append(target if key[1] else np.where(target == EOS, PAD, target))
    source, extended, target_ids = (torch.from_numpy(np.concatenate(part)).to(device) for part in parts)
    fits = (source_lengths <= source_width) & (target_lengths <= target_width)
    return Table(source, extended, target_ids, [first[key] for key in keys], [len(wholes[key]) for key in keys], fits)


def padded(ragged: Ragged, width: int) -> NDArray[np.int64]:
    """(rows, width), PAD after the end of a row."""
    found = np.full((len(ragged), width), PAD, np.int64)
    places, lengths = np.arange(width)[None], ragged.lengths[:, None]
    index = np.minimum(ragged.offsets[:-1, None] + places, max(len(ragged.flat) - 1, 0))
    return np.where(places < lengths, ragged.flat[index], PAD) if len(ragged.flat) else found


def moved(ids: NDArray[np.int64], size: int, largest: int) -> NDArray[np.int64]:
    return np.where(ids >= size, ids - size + largest, ids)


def orders(members: Sequence[Member], table: Table, steps: int, batch: int) -> NDArray[np.int32]:
    """(networks, steps, batch) rows of the table: every epoch in an order that the seed gives."""
    found = np.empty((len(members), steps * batch), np.int32)
    for at, (one, first, count) in enumerate(zip(members, table.first, table.count, strict=True)):
        own = np.asarray(one.rows or range(count)) + first
        own = own[table.fits[own]]
        draw = np.random.Generator(np.random.PCG64([one.job.seed, 7]))
        epochs = [draw.permutation(own) for _ in range(-(-steps * batch // len(own)))]
        found[at] = np.concatenate(epochs)[: steps * batch]
    return found.reshape(len(members), steps, batch)
