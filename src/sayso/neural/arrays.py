"""Arrays of a bundle: an npz read member by member, where no header may promise more than the file holds.

`np.load` makes the array that a header names before it reads it, and takes text, objects and noise for arrays too.
"""

from __future__ import annotations

import io
import math
import zipfile
import zlib
from typing import TYPE_CHECKING, Any

from sayso.core.errors import BadBundle
from sayso.neural.fields import CURE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

MOST_UNPACKED, MOST_MEMBERS = 64 << 20, 10_000
"""Bytes and arrays of one file; the largest that ships has 5 MB in 70."""


def read_npz(content: bytes, place: str) -> dict[str, Array]:
    """The arrays of numbers in an npz file; raises BadBundle on anything else in it."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            if len(members) > MOST_MEMBERS or sum(one.file_size for one in members) > MOST_UNPACKED:
                raise BadBundle(
                    f"{place} unpacks to more than {MOST_UNPACKED:,} bytes or {MOST_MEMBERS:,} arrays", CURE
                )
            found = {one.filename: read_npy(archive.read(one), f"{place}: {one.filename}") for one in members}
    except (zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        raise BadBundle(f"{place} is no whole npz file: {error}", CURE) from error
    return {name.removesuffix(".npy"): array for name, array in found.items()}


def read_npy(content: bytes, place: str) -> Array:
    """One array of numbers, as long as its header says and not longer."""
    import numpy as np
    from numpy.lib import format as npy

    file = io.BytesIO(content)
    try:
        version = npy.read_magic(file)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, fortran, kind = read(file)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
        raise BadBundle(f"{place} is no array: {error}", CURE) from None
    if kind.kind not in "fiu" or any(size < 0 for size in shape):
        raise BadBundle(f"{place} holds {kind} of shape {shape}, not numbers", CURE)
    held = len(content) - file.tell()
    if math.prod(shape) * kind.itemsize != held:
        raise BadBundle(f"{place} has {held:,} bytes, which is not {kind} of shape {shape}", CURE)
    array = np.frombuffer(content, kind, offset=file.tell()).reshape(shape, order="F" if fortran else "C")
    return finite(array, place)


def finite(array: Array, place: str) -> Array:
    import numpy as np

    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise BadBundle(f"{place} holds a number that is none or infinite", CURE)
    return array


def shaped(array: Array | None, place: str, *shape: int) -> Array:
    """An array that is there and has these sizes; -1 is any size but 0."""
    if array is None:
        raise BadBundle(f"{place} is missing", CURE)
    fits = array.ndim == len(shape) and all(
        size == wanted or (wanted < 0 and size) for size, wanted in zip(array.shape, shape, strict=True)
    )
    if not fits:
        wanted = tuple("any" if one < 0 else one for one in shape)
        raise BadBundle(f"{place} has the shape {array.shape} instead of {wanted}", CURE)
    return array
