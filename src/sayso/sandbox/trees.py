"""Copy and remove whole trees that a hostile script may have made: no link is followed, no depth is too deep."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from sayso.core.errors import RunFailed
from sayso.sandbox.changes import LONGEST_PATH
from sayso.sandbox.seen import is_whiteout, join, list_folder, opened

OPAQUE = ("trusted.overlay.opaque", "user.overlay.opaque")
PIECE = 1 << 20
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def copy_tree(source: int, target: int, leave_out: frozenset[bytes] = frozenset()) -> int:
    """Copy the writable top of an overlay, marks of removed names included; answers with the bytes written.

    Sockets and devices are left out: they mean nothing once their makers are gone. So is every path in `leave_out`.
    """
    written, folders, links = 0, [b""], dict[tuple[int, int], bytes]()
    for folder in folders:
        for name in _names(source, folder):
            path = join(folder, name)
            if path in leave_out:
                continue
            if len(path) > LONGEST_PATH:
                raise RunFailed(
                    "a layer cannot be kept: a path in it is too long", "shorten the names that the script makes"
                )
            found = os.lstat(path, dir_fd=source)
            if stat.S_ISDIR(found.st_mode):
                os.mkdir(path, 0o700, dir_fd=target)
                folders.append(path)
                continue
            first = links.setdefault((found.st_dev, found.st_ino), path)
            if first != path:
                os.link(first, path, src_dir_fd=target, dst_dir_fd=target, follow_symlinks=False)
                continue
            size = _copy_one(source, target, path, found)
            written += max(size, 0)
            if size >= 0:
                _copy_marks(target, path, found)
            else:
                del links[found.st_dev, found.st_ino]
    for folder in reversed(folders):
        _copy_folder_marks(source, target, folder)
    return written


def _copy_one(source: int, target: int, path: bytes, found: os.stat_result) -> int:
    """Bytes written, -1 for what is left out."""
    if stat.S_ISREG(found.st_mode):
        return _copy_data(source, target, path, found.st_size)
    if stat.S_ISLNK(found.st_mode):
        os.symlink(os.readlink(path, dir_fd=source), path, dir_fd=target)
    elif stat.S_ISFIFO(found.st_mode):
        os.mkfifo(path, 0o600, dir_fd=target)
    elif is_whiteout(found):
        os.mknod(path, stat.S_IFCHR, 0, dir_fd=target)
    else:
        return -1
    return 0


def _copy_data(source: int, target: int, path: bytes, size: int) -> int:
    """Copy the parts of a file that hold data; holes stay holes."""
    reader = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=source)
    writer = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=target)
    position = written = 0
    try:
        os.ftruncate(writer, size)
        while position < size:
            try:
                position = os.lseek(reader, position, os.SEEK_DATA)
            except OSError:  # no data behind this place
                break
            until = os.lseek(reader, position, os.SEEK_HOLE)
            while position < until:
                piece = os.pread(reader, min(PIECE, until - position), position)
                if not piece:
                    break
                os.pwrite(writer, piece, position)
                position += len(piece)
                written += len(piece)
    finally:
        os.close(reader)
        os.close(writer)
    return written


def _copy_marks(target: int, path: bytes, found: os.stat_result) -> None:
    os.chown(path, found.st_uid, found.st_gid, dir_fd=target, follow_symlinks=False)
    if not stat.S_ISLNK(found.st_mode) and not is_whiteout(found):
        os.chmod(path, stat.S_IMODE(found.st_mode), dir_fd=target)
    os.utime(path, ns=(found.st_mtime_ns, found.st_mtime_ns), dir_fd=target, follow_symlinks=False)


def _copy_folder_marks(source: int, target: int, path: bytes) -> None:
    reader = os.open(path or b".", _FOLDER, dir_fd=source)
    writer = os.open(path or b".", _FOLDER, dir_fd=target)
    try:
        for name in OPAQUE:
            with suppress(OSError):
                os.setxattr(writer, name, os.getxattr(reader, name))
        found = os.fstat(reader)
        os.fchown(writer, found.st_uid, found.st_gid)
        os.fchmod(writer, stat.S_IMODE(found.st_mode))
        os.utime(writer, ns=(found.st_mtime_ns, found.st_mtime_ns))
    finally:
        os.close(reader)
        os.close(writer)


def _names(root: int, path: bytes) -> list[bytes]:
    with opened(root, path) as folder:
        return list_folder(folder)


def remove_tree(folder: Path) -> None:
    """Remove a folder and everything in it, folders that their owner closed to himself included."""
    try:
        root = os.open(folder, _FOLDER)
    except FileNotFoundError:
        return
    try:
        folders = [b""]
        for path in folders:
            os.chmod(path or b".", 0o700, dir_fd=root)
            for name in _names(root, path):
                below = join(path, name)
                if stat.S_ISDIR(os.lstat(below, dir_fd=root).st_mode):
                    folders.append(below)
                else:
                    os.unlink(below, dir_fd=root)
        for path in reversed(folders[1:]):
            os.rmdir(path, dir_fd=root)
    finally:
        os.close(root)
    folder.rmdir()
