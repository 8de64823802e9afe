"""Encoded examples as flat arrays with offsets, kept in npz: quick to load, nothing to unpickle, no text inside."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sayso.core.errors import BadFile
from sayso.core.files import write_atomically

Ids = NDArray[np.int32]
NAMES = ("source", "source_extended", "target")


@dataclass(frozen=True)
class Ragged:
    """Row i is flat[offsets[i]:offsets[i + 1]]."""

    flat: Ids
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> Ids:
        return self.flat[self.offsets[row] : self.offsets[row + 1]]

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)


@dataclass(frozen=True)
class Encoded:
    """Examples as ids. `source_extended` is `source` itself where nothing is copied; `target` rows may be empty."""

    source: Ragged
    source_extended: Ragged
    target: Ragged
    extra: Ids
    """How many extended ids each row has."""

    def __len__(self) -> int:
        return len(self.source)

    @property
    def digest(self) -> str:
        """SHA-256 over every array."""
        whole = hashlib.sha256()
        for array in self.arrays().values():
            whole.update(f"{array.shape}".encode() + np.ascontiguousarray(array).tobytes())
        return whole.hexdigest()

    def arrays(self) -> dict[str, NDArray[np.int32] | NDArray[np.int64]]:
        found: dict[str, NDArray[np.int32] | NDArray[np.int64]] = {"extra": self.extra}
        for name in NAMES:
            if name != "source_extended" or self.source_extended is not self.source:
                ragged: Ragged = getattr(self, name)
                found |= {name: ragged.flat, f"{name}_offsets": ragged.offsets}
        return found

    def save(self, path: Path) -> None:
        with write_atomically(path) as file:
            np.savez_compressed(file, allow_pickle=False, **self.arrays())


def ragged(rows: Sequence[Sequence[int]]) -> Ragged:
    """[[4, 5], [], [6]] -> flat 4 5 6, offsets 0 2 2 3"""
    offsets = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=offsets[1:])
    flat = np.fromiter((one for row in rows for one in row), np.int32, int(offsets[-1]))
    return Ragged(flat, offsets)


def encoded(
    source: Sequence[Sequence[int]],
    source_extended: Sequence[Sequence[int]] | None,
    target: Sequence[Sequence[int]],
    extra: Sequence[int],
) -> Encoded:
    """Lists of ids as arrays; no `source_extended` means that nothing is copied."""
    read = ragged(source)
    copied = read if source_extended is None else ragged(source_extended)
    return Encoded(read, copied, ragged(target), np.asarray(extra, np.int32))


def some_of(whole: Encoded, share: float) -> Encoded:
    """A share of the rows, in their order; what is in a smaller share is in every larger one."""
    if share == 1:
        return whole
    chosen = np.random.Generator(np.random.PCG64(0)).permutation(len(whole))
    rows = np.sort(chosen[: max(1, round(share * len(whole)))])
    source = take(whole.source, rows)
    copied = source if whole.source_extended is whole.source else take(whole.source_extended, rows)
    return Encoded(source, copied, take(whole.target, rows), whole.extra[rows])


def joined(wholes: Sequence[Encoded]) -> Encoded:
    """The rows of all, one after the other; none of them may copy."""
    sources, targets = ([getattr(one, name) for one in wholes] for name in ("source", "target"))
    source = one_after_the_other(sources)
    return Encoded(source, source, one_after_the_other(targets), np.concatenate([one.extra for one in wholes]))


def one_after_the_other(parts: Sequence[Ragged]) -> Ragged:
    ends = np.concatenate([[0], *(part.lengths for part in parts)]).cumsum()
    return Ragged(np.concatenate([part.flat for part in parts]), ends.astype(np.int64))


def take(from_all: Ragged, rows: NDArray[np.int64]) -> Ragged:
    """These rows, in this order; one may be taken several times."""
    lengths = from_all.lengths[rows]
    offsets = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    places = np.repeat(from_all.offsets[rows] - offsets[:-1], lengths) + np.arange(offsets[-1])
    return Ragged(from_all.flat[places], offsets)


def load_encoded(path: Path, digest: str = "") -> Encoded:
    """What `save` wrote; another shape, or another content than `digest` names, is a BadFile."""
    cure = "write it again with `sayso encode`"
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            parts = {name: Ragged(found[name], found[f"{name}_offsets"]) for name in NAMES if name in found}
            extra = found["extra"]
    except FileNotFoundError as error:
        raise BadFile(f"there is no file {path}", cure) from error
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise BadFile(f"{path} does not hold encoded examples: {error}", cure) from error
    for name in ("source", "target"):
        if name not in parts:
            raise BadFile(f'{path} does not hold encoded examples: no "{name}"', cure)
    whole = Encoded(parts["source"], parts.get("source_extended", parts["source"]), parts["target"], extra)
    check(whole, path, cure)
    if digest and whole.digest != digest:
        raise BadFile(f"{path} was altered: its ids do not have the digest that was written beside it", cure)
    return whole


def check(whole: Encoded, path: Path, cure: str) -> None:
    """Offsets that point outside would be read as somebody else's ids."""
    for name in NAMES:
        part: Ragged = getattr(whole, name)
        offsets, flat = part.offsets, part.flat
        if (
            flat.ndim != 1 or offsets.ndim != 1 or len(part) != len(whole.extra) or not len(offsets)
            or offsets[0] != 0 or offsets[-1] != len(flat) or (np.diff(offsets) < 0).any()
        ):  # fmt: skip
            raise BadFile(f'{path} does not hold encoded examples: "{name}" does not fit its offsets', cure)
    if (whole.source.lengths != whole.source_extended.lengths).any() or (len(whole) and not whole.source.lengths.all()):
        raise BadFile(f"{path} does not hold encoded examples: a request is empty or has two lengths", cure)
