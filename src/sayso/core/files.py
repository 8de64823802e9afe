"""Files that are either the old one or the new one, never half of either."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from sayso.core.errors import MachineError


@contextmanager
def write_atomically(path: Path, mode: int = 0o644) -> Iterator[BinaryIO]:
    """Write to a temporary file beside `path` and rename it into place; on any error, Ctrl-C included, nothing is left.

    A full, read-only or forbidden disk raises MachineError with what to do next.
    """
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            yield cast(BinaryIO, file)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except OSError as error:
        remove_quietly(temporary)
        raise cannot_write(path, error) from error
    except BaseException:
        remove_quietly(temporary)
        raise


def cannot_write(path: Path, error: OSError) -> MachineError:
    """One clear line for a disk that refuses; anything else keeps the system's own words."""
    hints = {
        errno.ENOSPC: "free some disk space, then run the same command again",
        errno.EDQUOT: "free some of your disk quota, then run the same command again",
        errno.EROFS: "the disk is read-only: choose another folder",
        errno.EACCES: "choose a folder that you may write to",
        errno.EPERM: "choose a folder that you may write to",
        errno.ENOTDIR: "a part of that path is a file: choose another folder",
        errno.EEXIST: "a part of that path is a file: choose another folder",
        errno.EISDIR: "that path is a folder: name a file",
    }
    reason = error.strerror or str(error)
    return MachineError(f"cannot write {path}: {reason}", hints.get(error.errno or 0, "check the path and the disk"))


def remove_quietly(path: str) -> None:
    if path:
        Path(path).unlink(missing_ok=True)
