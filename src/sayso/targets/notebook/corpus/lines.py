"""Lines of JSON in and out of zstd files, one at a time: a corpus is never in memory whole."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sayso.core.errors import BadFile, MissingPart
from sayso.core.files import write_atomically
from sayso.core.given import open_plain
from sayso.core.packed import not_here

HINT = "put the notebooks corpus into the data folder; `sayso data check notebooks` says what is missing"
LEVEL = 6


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a .jsonl or .jsonl.zst file, without their ends."""
    try:
        with open_plain(path) as file:
            packed = path.suffix == ".zst"
            source = zstandard().ZstdDecompressor().stream_reader(file, read_across_frames=True) if packed else file
            for line in io.TextIOWrapper(source, encoding="utf-8", newline="\n"):
                yield line.rstrip("\n")
    except FileNotFoundError as error:
        raise not_here(path, "notebooks", HINT) from error
    except UnicodeDecodeError as error:
        raise BadFile(f"{path} is not text: {error}", HINT) from error
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror or error}", HINT) from error
    except zstandard().ZstdError as error:
        raise BadFile(f"{path} is damaged: {error}", HINT) from error


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(read_lines(path), 1):
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadFile(f"{path}:{number}: not JSON: {error}", HINT) from error
        if not isinstance(row, dict):
            raise BadFile(f"{path}:{number}: not a JSON object", HINT)
        yield row


@contextmanager
def row_writer(path: Path) -> Iterator[Callable[[object], None]]:
    """What writes one row a line; the file is there whole, or not at all."""
    with write_atomically(path) as file:
        packer = zstandard().ZstdCompressor(level=LEVEL).compressobj() if path.suffix == ".zst" else None

        def write(row: object) -> None:
            line = json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
            file.write(packer.compress(line) if packer else line)

        yield write
        if packer:
            file.write(packer.flush())


def zstandard() -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise MissingPart("packed notebooks need the zstandard package", "pip install 'sayso[notebook]'") from error
    return zstandard
