"""The lines of a packed corpus file, or one clear line on why they cannot be read."""

from __future__ import annotations

import lzma
from pathlib import Path

from sayso.core.errors import BadFile, MissingData
from sayso.core.given import LARGEST, open_plain

CHUNK, MEMORY = 1 << 16, 256 << 20
"""Bytes that are read at a time, and that unpacking may take: a header may ask for four gigabytes."""


def read_packed_lines(path: Path, corpus: str, hint: str) -> list[str]:
    """The lines of an .xz file; only a line feed ends one, since a command may hold any other separator."""
    try:
        text = unpack_xz(path).decode("utf-8")
    except FileNotFoundError as error:
        raise not_here(path, corpus, hint) from error
    except (lzma.LZMAError, UnicodeDecodeError, EOFError) as error:
        raise BadFile(f"{path} is damaged: {error}", hint) from error
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}", hint) from error
    return text.removesuffix("\n").split("\n") if text else []


def unpack_xz(path: Path, most: int = LARGEST) -> bytes:
    """What is inside of an .xz file, `most` bytes at the most, or BadFile; else raises what `lzma.decompress` does."""
    parts: list[bytes] = []
    size, frame = 0, lzma.LZMADecompressor(memlimit=MEMORY)
    with open_plain(path) as file:
        chunk = file.read(CHUNK)
        while chunk or not (frame.needs_input or frame.eof):
            if frame.eof:
                frame = lzma.LZMADecompressor(memlimit=MEMORY)
            parts.append(frame.decompress(chunk, max_length=most + 1 - size))
            size += len(parts[-1])
            if size > most:
                raise BadFile(
                    f"{path} unpacks to more than {most:,} bytes, the most that is read", "give a smaller file"
                )
            chunk = frame.unused_data if frame.eof else b""
            if not chunk and (frame.eof or frame.needs_input):
                chunk = file.read(CHUNK)
    if not frame.eof:
        raise EOFError("it ends before the end of what was packed")
    return b"".join(parts)


def not_here(path: Path, corpus: str, hint: str) -> MissingData:
    return MissingData(f"the {corpus} corpus is not on this machine: no {path}", hint)
