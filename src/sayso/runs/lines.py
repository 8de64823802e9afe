"""Lines of a JSONL file, plain or `.zst`, read and written as a stream; a cut file is an error, not an end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from sayso.core.errors import BadFile, MissingPart
from sayso.core.files import write_atomically
from sayso.core.given import parse_json

CHUNK = 1 << 16
LONGEST_LINE, MOST_UNPACKED = 4 << 20, 1 << 30
"""Bytes of a line and of a file unpacked; the corpora that are read like this have 278,257 and 308,726,395."""
# A block of zstd is 128 kB at the most and packs into four bytes, so that this much gives 16 MB at a time.
PACKED_CHUNK, WINDOW = 512, 1 << 27
# Level 10 packs predictions about as well as 19 and takes a fraction of its time.
LEVEL = 10


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """(line number, line without its end) for every line that is not blank."""
    try:
        with path.open("rb") as file:
            yield from split_lines(unpacked(path, file), str(path))
    except IsADirectoryError as error:
        raise BadFile(f"{path} is a folder, not a file of lines", "name a .jsonl or .jsonl.zst file") from error
    except FileNotFoundError as error:
        raise BadFile(f"there is no file {path}", "check the path") from error
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}", "check the path and its permissions") from error


def split_lines(chunks: Iterable[bytes], name: str) -> Iterator[tuple[int, bytes]]:
    """(line number, line without its end) of a stream, blank ones left out; a line or a whole beyond the limit ends it.

    A few kilobytes can unpack into gigabytes: what is held at a time is one line.
    """
    pending, number, total = b"", 0, 0
    for chunk in pieces(chunks):
        total += len(chunk)
        if total > MOST_UNPACKED:
            raise BadFile(
                f"{name}:{number + 1}: more than {MOST_UNPACKED:,} bytes unpacked, the most that is read",
                "split it into several files",
            )
        *whole, pending = (pending + chunk).split(b"\n")
        for line in whole:
            number += 1
            if line.strip():
                yield number, line
        if len(pending) > LONGEST_LINE:
            raise BadFile(
                f"{name}:{number + 1}: a line of more than {LONGEST_LINE:,} bytes, the most that is read",
                "end each object with a line feed",
            )
    if pending.strip():
        yield number + 1, pending


def pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes, never many at a time: a megabyte of line feeds is a million lines."""
    for chunk in chunks:
        for start in range(0, len(chunk), CHUNK):
            yield chunk[start : start + CHUNK]


def read_objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, object) for every line; anything but a JSON object is a BadFile that names the line."""
    for number, line in read_lines(path):
        try:
            row = parse_json(line)
        except ValueError as error:
            raise BadFile(f"{path}:{number}: not JSON: {error}", "every line must be one JSON object") from error
        if not isinstance(row, dict):
            raise BadFile(f"{path}:{number}: not a JSON object", "every line must be one JSON object")
        yield number, row


def write_lines(path: Path, lines: Iterable[bytes]) -> None:
    """Write lines (without their ends) atomically, compressed if the name ends in `.zst`."""
    with write_atomically(path) as file:
        write, finish = packed(path, file)
        for line in lines:
            write(line + b"\n")
        finish()


def unpacked(path: Path, file: BinaryIO) -> Iterator[bytes]:
    if path.suffix != ".zst":
        while chunk := file.read(CHUNK):
            yield chunk
        return
    zstandard = find_zstandard(path)
    frame = zstandard.ZstdDecompressor(max_window_size=WINDOW).decompressobj()
    started = False
    try:
        while chunk := file.read(PACKED_CHUNK):
            while chunk:
                if frame.eof:
                    frame = zstandard.ZstdDecompressor(max_window_size=WINDOW).decompressobj()
                started = True
                yield frame.decompress(chunk)
                chunk = frame.unused_data if frame.eof else b""
    except zstandard.ZstdError as error:
        raise BadFile(f"{path} is not a zstd file: {error}", "write it again, or give the plain .jsonl") from error
    if not started or not frame.eof:
        raise BadFile(f"{path} is cut short", "write it again: its last part is missing")


def packed(path: Path, file: BinaryIO) -> tuple[Callable[[bytes], object], Callable[[], object]]:
    if path.suffix != ".zst":
        return file.write, lambda: None
    packer = find_zstandard(path).ZstdCompressor(level=LEVEL).compressobj()
    return lambda data: file.write(packer.compress(data)), lambda: file.write(packer.flush())


def find_zstandard(path: Path) -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise MissingPart(f"{path.name} needs the zstandard package", "pip install 'sayso[train]'") from error
    return zstandard


def compact(row: object) -> bytes:
    """One line of JSON; raises ValueError for a number that JSON cannot hold."""
    return json.dumps(row, ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")
