"""Requests over cells that they share: every cell is stored once, and how many of them are read is said by each job.

A notebook's cell is context to several others, so this is a third of what whole rows take. One file a split holds the
cells and what several tasks answer.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sayso.core.errors import BadFile
from sayso.core.files import write_atomically
from sayso.training.arrays import Encoded, Ragged, ragged, take
from sayso.training.settings import Encoding

CURE = "write it again with `sayso encode`"
NOTHING = -1
"""Where a request has fewer cells above it."""


@dataclass(frozen=True)
class Cells:
    """`rows` (requests, stored + 1) name cells, the nearest last and the request's own at the end."""

    pool: Ragged
    rows: NDArray[np.int32]
    targets: Mapping[str, Ragged]
    """Task → BOS … EOS of every request; nothing for one that it leaves out."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def digest(self) -> str:
        """SHA-256 over every array."""
        whole = hashlib.sha256()
        for name, array in sorted(self.arrays().items()):
            whole.update(f"{name} {array.shape}".encode() + np.ascontiguousarray(array).astype(np.int64).tobytes())
        return whole.hexdigest()

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        found: dict[str, NDArray[np.generic]] = {
            "pool": self.pool.flat.astype(np.uint16),
            "pool_lengths": self.pool.lengths.astype(np.uint16),
            "rows": self.rows,
        }
        for name, target in self.targets.items():
            found[f"target_{name}"] = target.flat.astype(np.uint16)
            found[f"target_{name}_lengths"] = target.lengths.astype(np.uint16)
        return found

    def save(self, path: Path) -> None:
        with write_atomically(path) as file:
            np.savez_compressed(file, allow_pickle=False, **self.arrays())

    def sources(self, context: int, longest: int) -> Ragged:
        """The nearest `context` cells before each request's own; what is too long loses its farthest cells."""
        chosen = self.rows[:, self.rows.shape[1] - 1 - context :]
        lengths = np.where(chosen == NOTHING, 0, self.pool.lengths[chosen])
        reach = lengths[:, ::-1].cumsum(1)[:, ::-1]  # ids from a cell on to the end
        fits = (chosen != NOTHING) & (reach <= longest)
        fits[:, -1] = True
        flat = take(self.pool, chosen[fits].astype(np.int64))
        offsets = np.zeros(len(self) + 1, np.int64)
        np.cumsum(np.where(fits, lengths, 0).sum(1), out=offsets[1:])
        return Ragged(flat.flat, offsets)

    def read(self, encoding: Encoding, answers: str) -> Encoded:
        """What one job reads, and what it says; requests that its task leaves out are not among them."""
        source = self.sources(encoding.context, encoding.source_longest)
        target = self.targets.get(answers)
        if target is None:  # requests alone, to be answered
            target = Ragged(np.zeros(0, np.int32), np.zeros(len(self) + 1, np.int64))
        else:
            kept = np.flatnonzero(target.lengths)
            if len(kept) < len(self):
                source, target = take(source, kept), take(target, kept)
        return Encoded(source, source, target, np.zeros(len(source), np.int32))


def pack_cells(
    pool: Sequence[Sequence[int]], rows: Sequence[Sequence[int]], targets: Mapping[str, Sequence[Sequence[int]]]
) -> Cells:
    """Lists of ids as arrays."""
    return Cells(ragged(pool), np.asarray(rows, np.int32), {name: ragged(answers) for name, answers in targets.items()})


def load_cells(path: Path, digest: str = "") -> Cells:
    """What `save` wrote; another shape, or another content than `digest` names, is a BadFile."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            names = [name.removeprefix("target_") for name in found if name.startswith("target_")]
            targets = {
                name: unpacked(found[f"target_{name}"], found[f"target_{name}_lengths"])
                for name in names
                if not name.endswith("_lengths")
            }
            whole = Cells(unpacked(found["pool"], found["pool_lengths"]), found["rows"], targets)
    except FileNotFoundError as error:
        raise BadFile(f"there is no file {path}", CURE) from error
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise BadFile(f"{path} does not hold encoded cells: {error}", CURE) from error
    if digest and whole.digest != digest:
        raise BadFile(f"{path} was altered: its ids do not have the digest that was written beside it", CURE)
    rows, cells = whole.rows, len(whole.pool)
    if rows.ndim != 2 or (len(rows) and (rows.max() >= cells or rows.min() < NOTHING or rows[:, -1].min() < 0)):
        raise BadFile(f"{path} does not hold encoded cells: its rows name cells that are not there", CURE)
    if any(len(target) != len(rows) for target in targets.values()):
        raise BadFile(f"{path} does not hold encoded cells: requests and answers are not as many", CURE)
    return whole


def unpacked(flat: NDArray[np.generic], lengths: NDArray[np.generic]) -> Ragged:
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths.astype(np.int64), out=offsets[1:])
    if offsets[-1] != len(flat):
        raise ValueError("lengths do not fit")
    return Ragged(flat.astype(np.int32), offsets)
