"""One file as it lies in a tree where nothing runs: described by its own name, never followed, never waited for."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from sayso.core.types import FileSpec
from sayso.sandbox.owners import Owners

READ_BYTES = 1_048_576
"""A longer file is read back as its digest."""
BLOCK = 65536
NOWHERE = -1
WHITEOUT = b"gone"

Kind = str


@dataclass(frozen=True)
class Seen:
    """One file as it lies there; `size` is -1 where `content` is the content itself."""

    kind: Kind
    mode: int
    time: int
    user: int
    group: int
    content: bytes = b""
    size: int = -1

    def spec(self, path: str, owners: Owners) -> FileSpec:
        return FileSpec(
            path=path,
            content=self.content,
            kind=self.kind,  # type: ignore[arg-type]  # one of the four words, made by look()
            mode=self.mode,
            mtime=self.time / 1e9,
            owner=owners.name(self.user, self.group),
            size=self.size,
        )


def join(folder: bytes, name: bytes) -> bytes:
    return folder + b"/" + name if folder else name


@contextmanager
def opened(root: int, path: bytes, wanted: bool = True) -> Iterator[int]:
    """A descriptor of a real folder under the descriptor `root`; NOWHERE where it is anything else or not wanted, and
    where it belongs to somebody of the host who keeps it closed."""
    descriptor = NOWHERE
    if wanted:
        with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            descriptor = os.open(path or b".", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=root)
    try:
        yield descriptor
    finally:
        if descriptor != NOWHERE:
            os.close(descriptor)


def list_folder(folder: int) -> list[bytes]:
    if folder == NOWHERE:
        return []
    with os.scandir(folder) as entries:
        return [os.fsencode(entry.name) for entry in entries]


def is_whiteout(found: os.stat_result) -> bool:
    """How an overlay's top says that a name below is gone."""
    return stat.S_ISCHR(found.st_mode) and found.st_rdev == 0


Spend = Callable[[int], None]
"""Told how many bytes are about to be read; may raise."""


def _free_of_charge(_: int) -> None:
    return


def look(folder: int, name: bytes, spend: Spend = _free_of_charge) -> Seen | None:
    """One file, by its own name: pipes, sockets and devices are described and never opened."""
    return _described(folder, name, spend)


def measure(folder: int, name: bytes) -> Seen | None:
    """The same, of a file only its size: nothing is opened."""
    return _described(folder, name, None)


def _described(folder: int, name: bytes, spend: Spend | None) -> Seen | None:
    if folder == NOWHERE:
        return None
    try:
        found = os.lstat(name, dir_fd=folder)
    except FileNotFoundError:
        return None
    kind, content, size = "other", b"", -1
    if stat.S_ISREG(found.st_mode):
        kind = "file"
        content, size = _read(folder, name, found.st_size, spend) if spend else (b"", found.st_size)
    elif stat.S_ISDIR(found.st_mode):
        kind = "dir"
    elif stat.S_ISLNK(found.st_mode):
        kind, content = "link", os.fsencode(os.readlink(name, dir_fd=folder))
    else:
        content = WHITEOUT if is_whiteout(found) else stat.filemode(found.st_mode)[:1].encode()
    return Seen(kind, stat.S_IMODE(found.st_mode), found.st_mtime_ns, found.st_uid, found.st_gid, content, size)


def _read(folder: int, name: bytes, size: int, spend: Spend) -> tuple[bytes, int]:
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    try:
        if size > READ_BYTES:
            return digest_of_file(descriptor, size, spend), size
        spend(size)
        return os.read(descriptor, READ_BYTES), -1
    finally:
        os.close(descriptor)


def digest_of_file(descriptor: int, size: int, spend: Spend) -> bytes:
    """SHA-256 over the size and every block that is not all zeros, so that holes cost nothing and mean nothing."""
    digest = hashlib.sha256(size.to_bytes(8, "little"))
    position = 0
    while position < size:
        try:
            position = os.lseek(descriptor, position, os.SEEK_DATA) // BLOCK * BLOCK
        except OSError:  # no data behind this place
            break
        spend(BLOCK)
        block = os.pread(descriptor, BLOCK, position)
        if block.strip(b"\0"):
            digest.update(position.to_bytes(8, "little") + block)
        position += BLOCK
    return digest.digest()


def digest_of_bytes(content: bytes) -> bytes:
    """The digest that a file of this content has."""
    digest = hashlib.sha256(len(content).to_bytes(8, "little"))
    for position in range(0, len(content), BLOCK):
        block = content[position : position + BLOCK]
        if block.strip(b"\0"):
            digest.update(position.to_bytes(8, "little") + block)
    return digest.digest()
