"""The current folder, and what a command names outside it, as files for the sandbox where no overlay can be had.

What is run on them changes nothing here.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from sayso.apps.cli.views import is_dir
from sayso.core.errors import UserError
from sayso.core.types import FileSpec

MOST_FILES, MOST_BYTES = 20_000, 256 << 20
MOST_AROUND, MOST_BYTES_AROUND, LONGEST_AROUND = 5000, 32 << 20, 1 << 20
"""Of what lies outside the folder; a longer file there has its name and size, and zeros for content."""
MOST_CUT, MOST_LINKS = 20, 200
CANNOT_HOLD = tuple(map(Path, ("/proc", "/sys", "/dev")))
GO = "go into the folder that the command is about"


@dataclass
class Copied:
    """Files by absolute path, all the user's own; how much they hold, how many could not be read, and which have a
    size and no content."""

    files: list[FileSpec]
    bytes: int = 0
    unread: int = 0
    hollow: int = 0


def refuse(folder: Path) -> None:
    """Places that belong to the system, and the whole of it."""
    if folder == Path("/") or any(folder.is_relative_to(other) for other in CANNOT_HOLD):
        raise UserError(f"there can be no dry run in {folder}", GO)


def copy_of(folder: Path, home: Path) -> Copied:
    """Everything below a folder, and the home folder around it without what else is in there; links stay links."""
    above = [one for one in dict.fromkeys((home, folder)) if one != Path("/") and folder.is_relative_to(one)]
    copied = Copied(list(map(described, above)))
    for path in below(folder):
        try:
            status = path.lstat()
            copied.bytes += status.st_size if stat.S_ISREG(status.st_mode) else 0
            if len(copied.files) >= MOST_FILES or copied.bytes > MOST_BYTES:
                raise UserError(
                    f"{folder} holds more than {MOST_FILES:,} files or {MOST_BYTES >> 20} MB, "
                    "too much to copy for a dry run",
                    GO,
                )
            copied.files.append(described(path))
        except OSError:
            copied.unread += 1
    return copied


def copy_around(copied: Copied, folder: Path, places: Iterable[Path], most: int = MOST_AROUND) -> tuple[Path, ...]:
    """Add what lies at and below these places outside the folder, nearest first; gives where there was no room for
    all, by a few folders."""
    had = {Path(one.path) for one in copied.files}
    waiting, cut, room = deque(dict.fromkeys(places)), set[Path](), MOST_BYTES_AROUND
    for place in waiting:
        for above in reversed(place.parents):
            if above not in had and above != Path("/") and is_dir(above):
                had.add(above)
                copied.files.append(described(above))
    tops = set(waiting)
    while waiting and most > 0 and room > 0:
        path = waiting.popleft()
        try:
            status = path.lstat()
            is_file = stat.S_ISREG(status.st_mode)
            if path.is_relative_to(folder) or (path in had and not stat.S_ISDIR(status.st_mode)):
                continue
            is_hollow = is_file and (status.st_size > LONGEST_AROUND or not os.access(path, os.R_OK))
            spec = hollow(path) if is_hollow else described(path)
            if path not in had:
                copied.files.append(spec)
                had.add(path)
            most, room = most - 1, room - len(spec.content)
            copied.bytes, copied.hollow = copied.bytes + len(spec.content), copied.hollow + is_hollow
            if spec.kind == "dir":
                waiting.extend(Path(entry.path) for entry in sorted(os.scandir(path), key=lambda one: one.name))
        except FileNotFoundError:  # what is to be made there
            continue
        except OSError:
            cut.add(path)
    cut |= {one for one in waiting if one not in had}
    return tuple(cut) if len(cut) <= MOST_CUT else tuple({nearest(one, tops) for one in cut})


def nearest(path: Path, tops: Collection[Path]) -> Path:
    return next((one for one in path.parents if one in tops), path)


def linked_out(copied: Copied, folder: Path) -> list[Path]:
    """Where links in the folder lead out of it: a command that follows them goes there without naming the place."""
    links = (Path(one.path) for one in copied.files if one.kind == "link")
    found = dict.fromkeys(Path(os.path.realpath(one)) for one in islice(links, MOST_LINKS))
    return [one for one in found if os.path.lexists(one) and not one.is_relative_to(folder)]


def hollow(path: Path) -> FileSpec:
    """The name and size of a file, and zeros in place of what it holds."""
    status = path.lstat()
    return FileSpec(str(path), mode=stat.S_IMODE(status.st_mode), mtime=status.st_mtime_ns / 1e9, size=status.st_size)


def below(folder: Path) -> Iterator[Path]:
    """Paths under a folder, a folder before what is in it; what cannot be listed is passed over."""
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                found = sorted(entries, key=lambda one: one.name)
        except OSError:
            continue
        for entry in found:
            yield Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                waiting.append(Path(entry.path))


def described(path: Path) -> FileSpec:
    """A file as the sandbox takes it; a pipe, socket or device is an empty pipe there."""
    status = path.lstat()
    name, mode, time = str(path), stat.S_IMODE(status.st_mode), status.st_mtime_ns / 1e9
    if stat.S_ISLNK(status.st_mode):
        return FileSpec(name, os.fsencode(path.readlink()), "link", mtime=time)
    if stat.S_ISDIR(status.st_mode):
        # Nothing is closed to root, who is nobody's owner in the sandbox.
        return FileSpec(name, kind="dir", mode=mode | (0o700 if os.geteuid() == 0 else 0), mtime=time)
    if not stat.S_ISREG(status.st_mode):
        return FileSpec(name, kind="other", mode=mode, mtime=time)
    return FileSpec(name, path.read_bytes(), mode=mode, mtime=time)
