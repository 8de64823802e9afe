"""Windows of notebooks as a trunk learns from them: packed ids in, rows with a weight for every id out. No torch.

How a code cell is learnt is told by the id that it begins with, which is read as BOS.
"""

from __future__ import annotations

import lzma
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sayso.english.prompt import MARKS, TAGS
from sayso.english.vocabulary import BOS, EOS

WINDOW = 1024
LEARNT, HALF, READ = BOS, 16, 14
"""A target cell, another code cell, and one that is only read: ids that no text and no mark has."""
WEIGHTS = {LEARNT: 1.0, HALF: 0.3, READ: 0.0}
TEXT, GIVEN = MARKS["text"], MARKS["code"]
TAG = TAGS["notebook"]
LENGTHS = (256, WINDOW)
"""Lengths that rows are filled up to: each is one shape to compile. Asked cells are short, notebooks seldom."""

Ids = NDArray[np.uint16]


@dataclass(frozen=True)
class Rows:
    """(rows, length) ids, and what weighs each of them as a thing to be said."""

    ids: NDArray[np.int16]
    weights: NDArray[np.float16]

    def taken(self, rows: NDArray[np.int64]) -> Rows:
        return Rows(self.ids[rows], self.weights[rows])


def read_windows(path: Path) -> list[Ids]:
    """Every window begins with the tag, which is nowhere else."""
    flat = np.frombuffer(lzma.decompress(path.read_bytes()), np.uint16)
    starts = np.flatnonzero(flat == TAG)
    return np.split(flat, starts[1:])


def without_given(window: Ids, draw: random.Random, share: float) -> Ids:
    """The same without some of what exercises give."""
    begins = np.flatnonzero(window == GIVEN)
    if not len(begins) or not share:
        return window
    kept = np.ones(len(window), bool)
    leads = np.flatnonzero(window == LEARNT)
    for begin in begins:
        if draw.random() < share:
            place = np.searchsorted(leads, begin)
            kept[begin : leads[place] if place < len(leads) else len(window)] = False
    return window[kept]


def weights_of(window: Ids) -> NDArray[np.float16]:
    """1 for the ids of target cells and the EOS of each, less for other code, 0 for what is read."""
    weights = np.zeros(len(window), np.float16)
    ends = np.flatnonzero(np.isin(window, (EOS, TEXT, GIVEN, LEARNT, HALF, READ)))
    for begin in np.flatnonzero(np.isin(window, (LEARNT, HALF))):
        place = np.searchsorted(ends, begin, "right")
        end = int(ends[place]) if place < len(ends) else len(window)
        is_whole = end < len(window) and window[end] == EOS
        weights[begin + 1 : end + is_whole] = WEIGHTS[int(window[begin])]
    return weights


def filled(windows: Sequence[Ids], length: int) -> Rows:
    """Windows as rows of one length, BOS where a code cell begins."""
    ids = np.zeros((len(windows), length), np.int16)
    weights = np.zeros((len(windows), length), np.float16)
    for row, window in enumerate(windows):
        cut = window[:length]
        weights[row, : len(cut)] = weights_of(cut)
        ids[row, : len(cut)] = np.where(np.isin(cut, (HALF, READ)), BOS, cut)
    return Rows(ids, weights)


def rows_by_length(windows: Sequence[Ids], seed: int, share: float) -> dict[int, Rows]:
    """Each window, less some of what it gives, as a row of the shortest length that it fits in."""
    draw = random.Random(seed)
    found: dict[int, list[Ids]] = {length: [] for length in LENGTHS}
    for window in windows:
        left = without_given(window, draw, share)
        found[next((length for length in LENGTHS if len(left) <= length), LENGTHS[-1])].append(left)
    return {length: filled(some, length) for length, some in found.items()}


def batches(parts: Iterable[dict[int, Rows]], ids: int, seed: int) -> list[Rows]:
    """Rows of all parts in batches of so many ids, in an order of the seed; a rest that fills none is left out."""
    order = np.random.default_rng(seed)
    together = list(parts)
    made: list[Rows] = []
    for length in LENGTHS:
        whole = Rows(
            np.concatenate([part[length].ids for part in together]),
            np.concatenate([part[length].weights for part in together]),
        )
        rows = max(1, ids // length)
        mixed = order.permutation(len(whole.ids))
        made += [whole.taken(mixed[start : start + rows]) for start in range(0, len(mixed) - rows + 1, rows)]
    return [made[place] for place in order.permutation(len(made))]
