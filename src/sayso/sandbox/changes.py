"""What a run changed: the writable top of the overlay, compared with what was there before.

Only folders that the run touched are looked at. Nothing is running any more, and no link is ever followed: each side of
the comparison is entered only where that side has a real folder.
"""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass, field, replace

from sayso.core.types import Change
from sayso.sandbox.owners import Owners
from sayso.sandbox.seen import READ_BYTES, WHITEOUT, Seen, digest_of_bytes, join, list_folder, look, measure, opened
from sayso.sandbox.skeleton import WORK

CONTENT_BYTES = 32 * READ_BYTES
"""Past this much content in one list, files are read back as their digests."""
READ_IN_ALL = 1 << 30
"""Past this much to read, and what its disk holds, the list is cut: by hard links and holes a small disk can hold
terabytes."""
PATH_BYTES = 16_000_000
"""Past this much text of paths, the list is cut and the run counts as stopped by its output."""
LONGEST_PATH = 4000


@dataclass(frozen=True)
class Tree:
    """One overlay: its writable top, all of it as the run left it, and all of it without the top.

    Of the host's own files only those are read that may have changed and kept their size: a home may hold terabytes.
    """

    prefix: bytes
    top: int
    now: int
    was: int
    leave_out: frozenset[bytes] = frozenset()
    is_hosts: bool = False


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
                below, after = _both(tree, was, now, name, listing)
                before = remembered.get(path, below)
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


def _both(tree: Tree, was: int, now: int, name: bytes, listing: Listing) -> tuple[Seen | None, Seen | None]:
    """A file before and after; one of the host by its size alone where that tells enough."""
    if tree.is_hosts:
        below, after = measure(was, name), measure(now, name)
        if below is None or after is None or (below.kind, below.size) != (after.kind, after.size):
            return below, after
    return look(was, name, listing.spend), look(now, name, listing.spend)


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
