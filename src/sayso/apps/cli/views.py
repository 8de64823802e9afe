"""Which folders of this machine a dry run sees: everything outside the system's own, in pieces that bear an overlay.

An overlay shows nothing of what is mounted below its folder, and an ordinary user may lay none on such a folder, so
that one is taken apart. What stays out of sight is remembered, so that nobody says it would not change.
"""

from __future__ import annotations

import os
import re
import stat
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sayso.sandbox.skeleton import WORK

# The sandbox has its own of these.
SYSTEM = (
    *("bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "lost+found", "nix", "proc", "run", "sbin"),
    *("snap", "sys", "usr", "var"),
)
# File systems that answer from afar, or from another program, and may not answer at all.
FAR = (
    "9p",
    "afs",
    "autofs",
    "ceph",
    "cifs",
    "coda",
    "davfs",
    "fuse",
    "gfs2",
    "ncpfs",
    "nfs",
    "nfs4",
    "smb3",
    "smbfs",
    "virtiofs",
)
MOST_PIECES, MOST_LOOSE, LARGEST_LOOSE, MOST_LOOKED_AT = 64, 500, 1 << 20, 5000


@dataclass
class View:
    """Folders to lay an overlay on, single files to copy, all that is seen through them, and what is not: what may be
    the user's (hidden), and what is closed to him."""

    pieces: list[Path] = field(default_factory=list)
    loose: list[Path] = field(default_factory=list)
    seen: list[Path] = field(default_factory=list)
    hidden: list[Path] = field(default_factory=list)
    closed: list[Path] = field(default_factory=list)

    def unseen(self, path: Path) -> list[Path]:
        """What of a path, and of all below it, is not seen: itself, or what is hidden in it."""
        unseen = [*self.hidden, *self.closed]
        if depth(path, self.seen) <= depth(path, unseen):
            return [path]
        return [one for one in unseen if one.is_relative_to(path)]


def depth(path: Path, places: Sequence[Path]) -> int:
    """How deep the nearest of these folders around a path lies; 0 where there is none."""
    return next((len(one.parts) for one in (path, *path.parents) if one in places), 0)


def view_of(folder: Path, home: Path, named: Iterable[Path] = ()) -> View:
    """The whole of what an ordinary user may reach of his own; the places `named` matter most."""
    mounts, view = mounted(), View()
    tops = [Path("/", entry.name) for entry in sorted(os.scandir("/"), key=lambda one: one.name) if is_folder(entry)]
    for place in (*(one for one in tops if one.name not in SYSTEM), Path("/var/tmp")):
        take(view, place, mounts)
    wanted = (place for place in map(nearest_folder, named) if not is_of_the_system(place))
    for place in dict.fromkeys((nearest_folder(folder), nearest_folder(home), *wanted)):
        if place == Path("/"):
            continue
        top = own_top(place)
        if place in view.unseen(place) or (top not in view.seen and not is_own_between(place, view.seen)):
            take(view, top, mounts, needed=True)
    view.pieces.sort(key=lambda one: len(one.parts))
    return view


def nearest_folder(path: Path) -> Path:
    while not is_dir(path):
        path = path.parent
    return path.resolve()


def is_dir(path: Path) -> bool:
    """Whether it is a folder and we may know it: pathlib would raise where a folder above is closed."""
    return os.path.isdir(path)  # noqa: PTH112


def own_top(place: Path) -> Path:
    """The uppermost folder from which on all folders down to this one are the user's: an overlay cannot hold a changed
    folder of anybody else, but it can lie upon one."""
    while place.parent != Path("/") and is_own(place) and is_own(place.parent):
        place = place.parent
    return place


def is_own(path: Path) -> bool:
    found = path.lstat()
    return (found.st_uid, found.st_gid) == (os.geteuid(), os.getegid())


def has_foreign(places: Iterable[Path], view: View) -> bool:
    """Whether something there that the user may write to is another's or another group's: an overlay cannot hold it
    once it changes unless it lies upon it, and a command may keep its complaint to itself. Looks at some thousands."""
    waiting, left = deque(places), MOST_LOOKED_AT
    while waiting and left > 0:
        path, left = waiting.popleft(), left - 1
        try:
            if path not in view.pieces and not is_own(path) and os.access(path, os.W_OK, follow_symlinks=False):
                return True
            if stat.S_ISDIR(path.lstat().st_mode):
                waiting.extend(Path(entry.path) for entry in os.scandir(path))
        except OSError:
            continue
    return False


def is_own_between(place: Path, seen: list[Path]) -> bool:
    """Whether all folders from this one up to the overlay that it lies under are the user's."""
    for one in (place, *place.parents):
        if one in seen:
            return True
        if not is_own(one):
            return False
    return False


def is_of_the_system(path: Path) -> bool:
    """Whether the sandbox has its own of it, /var/tmp excepted."""
    return len(path.parts) < 2 or (path.parts[1] in SYSTEM and not path.is_relative_to("/var/tmp"))


def is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def take(view: View, place: Path, mounts: dict[Path, str], needed: bool = False) -> None:
    """Add a folder to the view, in as many pieces as it takes."""
    is_far = mounts.get(place, "").partition(".")[0] in FAR
    if not needed and (is_far or len(view.pieces) >= MOST_PIECES):
        view.hidden.append(place)
        return
    if not os.access(place, os.R_OK | os.X_OK):
        view.closed.append(place)
        return
    view.hidden = [one for one in view.hidden if one != place]
    view.seen.append(place)
    below = (*mounts, Path(WORK))
    if not any(one != place and one.is_relative_to(place) for one in below):
        view.pieces.append(place)
        return
    try:
        with os.scandir(place) as entries:
            found = sorted(entries, key=lambda one: one.name)
    except OSError:
        view.hidden.append(place)
        return
    for entry in found:
        path = Path(entry.path)
        if is_folder(entry):
            take(view, path, mounts)
        elif len(view.loose) < MOST_LOOSE and is_small(path):
            view.loose.append(path)
        else:
            view.hidden.append(path)


def is_small(path: Path) -> bool:
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISLNK(found.st_mode) or (
        stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST_LOOSE and os.access(path, os.R_OK)
    )


def mounted() -> dict[Path, str]:
    """Where something is mounted → the kind of its file system, as the kernel lists them."""
    try:
        lines = Path("/proc/self/mountinfo").read_text(errors="surrogateescape").splitlines()
    except OSError:
        return {}
    return mounts_of(lines)


def mounts_of(lines: Iterable[str]) -> dict[Path, str]:
    found = {}
    for line in lines:
        fields = line.split(" ")
        if "-" in fields[6:]:
            path = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), fields[4])
            found[Path(path)] = fields[fields.index("-", 6) + 1]
    return found
