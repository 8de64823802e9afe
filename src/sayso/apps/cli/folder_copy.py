"""The current folder as files for the sandbox: what is run on them changes nothing here."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sayso.core.errors import UserError
from sayso.core.types import FileSpec

MOST_FILES, MOST_BYTES = 20_000, 256 << 20
CANNOT_HOLD = tuple(map(Path, ("/proc", "/sys", "/dev")))
GO = "go into the folder that the command is about"


@dataclass
class Copied:
    """Files by absolute path, all the user's own; how much they hold, and how many could not be read."""

    files: list[FileSpec]
    bytes: int = 0
    unread: int = 0


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
        return FileSpec(name, kind="dir", mode=mode, mtime=time)
    if not stat.S_ISREG(status.st_mode):
        return FileSpec(name, kind="other", mode=mode, mtime=time)
    return FileSpec(name, path.read_bytes(), mode=mode, mtime=time)
