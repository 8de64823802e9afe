"""Files that somebody gave us: read up to a limit, as plain files where they must be, JSON as the standard has it.

Python's own reader takes NaN, Infinity and 1e999 for numbers, and lets a file nest until the stack ends.
"""

from __future__ import annotations

import errno
import json
import math
import os
import stat
from collections.abc import Iterable
from io import BufferedReader
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

from sayso.core.errors import BadFile

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 256 << 20
"""Bytes of a file that is read in one piece; the largest corpus that is has a tenth of it."""
CHUNK = 1 << 22
MOST_DIGITS = 19
"""Of a whole number: any that fits into 64 bits. A longer one cannot become a float."""
KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def open_plain(path: Path | str) -> BufferedReader:
    """A file for reading, never a pipe or a device, at which opening or reading could wait for ever; raises OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        kind = next((words for fits, words in KINDS if fits(mode)), "no file")
        raise OSError(errno.EINVAL, f"it is {kind}, not a plain file", str(path))
    return os.fdopen(handle, "rb")


def read_plain(path: Path | str, most: int = LARGEST) -> bytes:
    """A plain file of `most` bytes at the most; raises BadFile on a longer one, OSError where there is none."""
    with open_plain(path) as file:
        return read_up_to(file, most, str(path))


def read_up_to(file: BinaryIO, most: int, name: str) -> bytes:
    """Everything that a file or a pipe holds, unless that is more than `most` bytes: then BadFile."""
    parts, left = [], most + 1
    while left and (part := file.read(min(left, CHUNK))):  # which takes the memory that it is asked for at once
        parts.append(part)
        left -= len(part)
    if not left:
        raise BadFile(f"{name} has more than {most:,} bytes, the most that is read", "give a smaller file")
    return b"".join(parts)


def finite(text: str) -> float:
    """The `type` of an option that is a number: "nan" and "inf" are none, though Python reads them as such."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a finite number")
    return value


def parse_json(text: str | bytes, unique: bool = False) -> Any:
    """JSON without NaN, infinite or endless numbers, and within the stack; `unique` refuses a key that stands twice.

    Everything wrong is a ValueError that says what.
    """
    try:
        return json.loads(
            text,
            parse_constant=_no_number,
            parse_float=_finite,
            parse_int=_whole,
            object_pairs_hook=_unique if unique else None,
        )
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number in JSON")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text[:24]} is too large a number")
    return value


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > MOST_DIGITS:
        raise ValueError(f"{text[:24]}… is too large a number")
    return int(text)


def _unique(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f'the key "{key[:60]}" stands twice')
        found[key] = value
    return found
