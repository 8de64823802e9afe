"""Put files into a root in which nothing runs yet. Paths are looked up as if that root were ours: no link leads out."""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress

from sayso.core.errors import SandboxFailed
from sayso.core.types import FileSpec
from sayso.sandbox.kernel import open_folder_in
from sayso.sandbox.owners import USER_ID, Owners
from sayso.sandbox.skeleton import MADE, WORK

NOT_OURS = ("proc", "sys", "dev")
LARGEST_TABLE = 1_000_000


def put_files(root: int, files: Sequence[FileSpec], owners: Owners) -> Owners:
    """Write `files` under the folder `root`; answers with the owners that the sandbox now knows."""
    owners = _make_users(root, {file.owner for file in files}, owners)
    times: dict[bytes, int] = {}
    for file in files:
        try:
            _put(root, absolute(file.path), file, owners, times)
        except (OSError, ValueError, OverflowError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise SandboxFailed(
                f'the file "{file.path}" cannot be put into the sandbox: {why}',
                "check the paths of the files, and `disk_mb` in the limits",
                reason="files cannot be put in",
            ) from error
    # A folder's time changes when something is put into it, so times of folders come last.
    times |= {absolute(file.path): _nanoseconds(file.mtime) for file in files if file.kind == "dir"}
    for path, time in times.items():
        _set_time(root, path, time)
    return owners


def absolute(path: str) -> bytes:
    """notes/a.txt -> /home/user/notes/a.txt; /etc/hosts stays."""
    full = posixpath.normpath(posixpath.join(WORK, path)).lstrip("/")
    if "\0" in path or full in ("", ".") or full.split("/")[0] in NOT_OURS:
        raise SandboxFailed(
            f'no file can be put at "{path}"',
            f"give a path relative to {WORK}, or an absolute one outside /{', /'.join(NOT_OURS)}",
            reason="files cannot be put in",
        )
    return os.fsencode(f"/{full}")


def _put(root: int, path: bytes, file: FileSpec, owners: Owners, times: dict[bytes, int]) -> None:
    parent, name = os.path.split(path)
    folder = _open_parents(root, parent, owners, times)
    user, group = owners.find(file.owner)
    try:
        _clear(folder, name, file.kind)
        if file.kind == "file":
            _write(folder, name, file.content, file.size)
        elif file.kind == "link":
            os.symlink(file.content, name, dir_fd=folder)
        elif file.kind == "other":
            os.mkfifo(name, 0o600, dir_fd=folder)
        else:
            with suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=folder)
        os.chown(name, user, group, dir_fd=folder, follow_symlinks=False)
        if file.kind != "link":
            os.chmod(name, stat.S_IMODE(file.mode), dir_fd=folder)
        time = _nanoseconds(file.mtime)
        os.utime(name, ns=(time, time), dir_fd=folder, follow_symlinks=False)
    finally:
        os.close(folder)


def _clear(folder: int, name: bytes, kind: str) -> None:
    """Make room for what is put in; only a folder may lie where a folder is put."""
    try:
        found = os.lstat(name, dir_fd=folder)
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(found.st_mode):
        os.unlink(name, dir_fd=folder)
    elif kind != "dir":
        os.rmdir(name, dir_fd=folder)


def _write(folder: int, name: bytes, content: bytes, size: int = -1) -> None:
    """`size` makes a hole of that length behind the content: a file of which nobody knows more takes no room."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(name, flags, 0o600, dir_fd=folder)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(content)
        if size > len(content):
            stream.truncate(size)


def _open_parents(root: int, path: bytes, owners: Owners, times: dict[bytes, int]) -> int:
    """Open a folder, making what is missing: the user's own below the work folder, root's elsewhere.

    Notes in `times` what the time of each folder should be again when all is put in.
    """
    missing: list[bytes] = []
    while True:
        try:
            folder = open_folder_in(root, path)
            break
        except FileNotFoundError:
            path, name = os.path.split(path)
            missing.append(name)
    times.setdefault(path, os.fstat(folder).st_mtime_ns)
    while missing:
        name = missing.pop()
        path = path.rstrip(b"/") + b"/" + name
        owner = owners.outside(USER_ID if path.startswith(os.fsencode(f"{WORK}/")) else 0)
        try:
            os.mkdir(name, 0o755, dir_fd=folder)
            os.chown(name, owner, owner, dir_fd=folder)
        finally:
            os.close(folder)
        times[path] = MADE * 10**9
        folder = open_folder_in(root, path)
    return folder


def _set_time(root: int, path: bytes, time: int) -> None:
    folder = open_folder_in(root, path)
    try:
        os.utime(f"/proc/self/fd/{folder}", ns=(time, time))
    finally:
        os.close(folder)


def _nanoseconds(time: float) -> int:
    """Exact: a float of seconds read back from these nanoseconds is the same float."""
    seconds, rest = divmod(time, 1)
    return int(seconds) * 10**9 + round(rest * 10**9)


def _make_users(root: int, names: Iterable[str], owners: Owners) -> Owners:
    """Let every owner of a file be a user of the sandbox."""
    etc = _open_parents(root, b"/etc", owners, {})
    try:
        tables = [_read_table(etc, name) for name in ("passwd", "group")]
        known = owners.knowing(set(names), *tables)
        for owner in names:
            known.find(owner)
        for name, old, new in zip(("passwd", "group"), tables, (known.passwd(), known.group()), strict=True):
            if old != new and owners.privileged:
                _clear(etc, os.fsencode(name), "file")
                _write(etc, os.fsencode(name), new)
                os.chmod(name, 0o644, dir_fd=etc)
                os.utime(name, (MADE, MADE), dir_fd=etc)
    finally:
        os.close(etc)
    return known


def _read_table(etc: int, name: str) -> bytes:
    """A small regular file of /etc, empty where a layer put something else in its place."""
    try:
        if not stat.S_ISREG(os.lstat(name, dir_fd=etc).st_mode):
            return b""
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=etc)
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read(LARGEST_TABLE)
