"""What a run changed: the writable top of the overlay, compared with what was there before.

Only folders that the run touched are looked at. Nothing is running any more, and no link is ever followed: each side of
the comparison is entered only where that side has a real folder.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace

from sayso.core.types import Change, FileSpec
from sayso.sandbox.owners import Owners
from sayso.sandbox.skeleton import WORK

READ_BYTES = 1_048_576
"""A longer file is read back as its digest."""
CONTENT_BYTES = 32 * READ_BYTES
"""Past this much content in one list, files are read back as their digests."""
READ_IN_ALL = 1 << 30
"""Past this much to read, and what its disk holds, the list is cut: by hard links and holes a small disk can hold
terabytes."""
PATH_BYTES = 16_000_000
"""Past this much text of paths, the list is cut and the run counts as stopped by its output."""
LONGEST_PATH = 4000
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


@dataclass(frozen=True)
class Tree:
    """One overlay: its writable top, all of it as the run left it, and all of it without the top."""

    prefix: bytes
    top: int
    now: int
    was: int
    leave_out: frozenset[bytes] = frozenset()


class TooMuchToRead(Exception):
    """The files that differ hold more than anybody wants to wait for."""


@dataclass
class Listing:
    """The list while it is made, with what may still be put into it."""

    changes: list[tuple[bytes, Seen | None, Seen | None]] = field(default_factory=list)
    content_bytes: int = CONTENT_BYTES
    path_bytes: int = PATH_BYTES
    read_bytes: int = READ_IN_ALL
    is_cut: bool = False

    def spend(self, length: int) -> None:
        """Account for bytes to be read; raises TooMuchToRead."""
        self.read_bytes -= length
        if self.read_bytes < 0:
            raise TooMuchToRead

    def add(self, path: bytes, before: Seen | None, after: Seen | None) -> None:
        self.path_bytes -= len(path) + 64
        if self.path_bytes < 0:
            self.is_cut = True
            return
        self.changes.append((path, self._within(before), self._within(after)))

    def _within(self, seen: Seen | None) -> Seen | None:
        if seen is None or seen.kind != "file" or seen.size >= 0:
            return seen
        self.content_bytes -= len(seen.content)
        if self.content_bytes >= 0:
            return seen
        return replace(seen, content=digest_of_bytes(seen.content), size=len(seen.content))


def remember(top: int) -> dict[bytes, Seen]:
    """Everything in the writable top before the run, itself included: the files that were put in."""
    found: dict[bytes, Seen] = {}
    if (root := look(top, b".")) is not None:
        found[b""] = root
    waiting = [b""]
    while waiting:
        path = waiting.pop()
        with opened(top, path) as folder:
            for name in list_folder(folder):
                seen = look(folder, name)
                if seen is not None and seen.content != WHITEOUT:
                    found[join(path, name)] = seen
                    if seen.kind == "dir":
                        waiting.append(join(path, name))
    return found


@dataclass(frozen=True)
class Folder:
    """A folder to compare, and on which sides it is one."""

    path: bytes = b""
    in_was: bool = True
    in_now: bool = True
    in_top: bool = True


def compare(tree: Tree, remembered: dict[bytes, Seen], listing: Listing) -> None:
    """Add to `listing` every path of the tree that differs from before."""
    try:
        _compare(tree, remembered, listing)
    except TooMuchToRead:
        listing.is_cut = True


def _compare(tree: Tree, remembered: dict[bytes, Seen], listing: Listing) -> None:
    children: dict[bytes, set[bytes]] = defaultdict(set)
    for path in remembered.keys() - {b""}:
        folder, name = os.path.split(path)
        children[folder].add(name)
    if (before := remembered.get(b"")) != (after := look(tree.now, b".")):
        listing.add(tree.prefix or b"/", before, after)
    waiting = [Folder()]
    while waiting and not listing.is_cut:
        at = waiting.pop()
        with (
            opened(tree.was, at.path, at.in_was) as was,
            opened(tree.now, at.path, at.in_now) as now,
            opened(tree.top, at.path, at.in_top) as top,
        ):
            names = Names(set(list_folder(was)), set(list_folder(now)), set(list_folder(top)))
            for name in sorted(names.was | names.now | children[at.path]):
                path = join(at.path, name)
                # A name below that the top does not hold is as it was.
                if path in tree.leave_out or (name in names.now and name not in names.top):
                    continue
                below = look(was, name, listing.spend)
                before, after = remembered.get(path, below), look(now, name, listing.spend)
                if before != after:
                    listing.add(tree.prefix + b"/" + path, before, after)
                if not _is_folder(before) and not _is_folder(after):
                    continue
                if len(path) > LONGEST_PATH:
                    listing.is_cut = True
                    continue
                in_was = _is_folder(before) and _is_folder(below)
                in_top = _is_folder(look(top, name, listing.spend))
                waiting.append(Folder(path, in_was, _is_folder(after), in_top))


@dataclass(frozen=True)
class Names:
    was: set[bytes]
    now: set[bytes]
    top: set[bytes]


def list_changes(listing: Listing, owners: Owners) -> tuple[Change, ...]:
    """The list as callers read it: paths in the work folder are relative to it, all others absolute.

    A folder's time counts only where nothing directly in it is listed: otherwise it says nothing new.
    """
    only_times = {path for path, before, after in listing.changes if _differs_in_time_only(before, after)}
    parents = {os.path.split(path)[0] for path, _, _ in listing.changes if path not in only_times}
    changes = []
    for path, before, after in listing.changes:
        if path in only_times and path in parents:
            continue
        name = _relative(os.fsdecode(path))
        how = "created" if before is None else "removed" if after is None else "changed"
        changes.append(
            Change(
                path=name,
                how=how,  # type: ignore[arg-type]  # one of the three words of the line above
                before=before.spec(name, owners) if before else None,
                after=after.spec(name, owners) if after else None,
            )
        )
    return tuple(sorted(changes, key=lambda change: change.path))


def _differs_in_time_only(before: Seen | None, after: Seen | None) -> bool:
    if before is None or after is None or before.kind != "dir":
        return False
    return replace(before, time=after.time) == after


def _is_folder(seen: Seen | None) -> bool:
    return seen is not None and seen.kind == "dir"


def _relative(path: str) -> str:
    if path == WORK:
        return "."
    return path.removeprefix(f"{WORK}/")


def join(folder: bytes, name: bytes) -> bytes:
    return folder + b"/" + name if folder else name


@contextmanager
def opened(root: int, path: bytes, wanted: bool = True) -> Iterator[int]:
    """A descriptor of a real folder under the descriptor `root`; NOWHERE where it is anything else or not wanted."""
    descriptor = NOWHERE
    if wanted:
        with suppress(FileNotFoundError, NotADirectoryError):
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
    if folder == NOWHERE:
        return None
    try:
        found = os.lstat(name, dir_fd=folder)
    except FileNotFoundError:
        return None
    kind, content, size = "other", b"", -1
    if stat.S_ISREG(found.st_mode):
        kind = "file"
        content, size = _read(folder, name, found.st_size, spend)
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
