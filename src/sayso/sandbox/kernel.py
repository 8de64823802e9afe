"""The few system calls that Python 3.11 lacks: namespaces, mounts, process attributes, lookups that stay in a root."""

from __future__ import annotations

import ctypes
import errno
import os
from functools import cache

NEW_USER, NEW_MOUNTS = 0x10000000, 0x00020000
NO_SUID, NO_DEVICES, READ_ONLY = 2, 4, 1
BIND, RECURSIVE, SLAVE = 0x1000, 0x4000, 0x80000
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36

_OPENAT2 = 437  # one number on every architecture
_STAY_IN_ROOT, _NO_MAGIC_LINKS, _NO_LINKS = 0x10, 0x02, 0x04


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def unshare(flags: int) -> None:
    _checked(_libc().unshare(ctypes.c_int(flags)), "unshare")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    arguments = [text.encode() if text else None for text in (source, target, kind, options)]
    _checked(
        _libc().mount(arguments[0], arguments[1], arguments[2], ctypes.c_ulong(flags), arguments[3]), f"mount {target}"
    )


def process_attribute(name: int, value: int) -> None:
    """prctl with one argument."""
    _checked(_libc().prctl(ctypes.c_int(name), ctypes.c_ulong(value), 0, 0, 0), f"prctl {name}")


class _How(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


def open_folder_in(root: int, path: bytes) -> int:
    """A descriptor of folder `path` as a process chrooted into `root` would find it: no link or ".." leads out."""
    return _open_in(root, path, os.O_DIRECTORY, _NO_MAGIC_LINKS)


def is_free_of_links(root: int, path: bytes) -> bool:
    """Whether no part of `path` under `root` is a link; what does not exist is none."""
    try:
        os.close(_open_in(root, path, 0, _NO_LINKS))
    except OSError as error:
        return error.errno == errno.ENOENT
    return True


def _open_in(root: int, path: bytes, flags: int, resolve: int) -> int:
    how = _How(os.O_PATH | os.O_CLOEXEC | flags, 0, _STAY_IN_ROOT | resolve)
    return _checked(
        int(
            _libc().syscall(
                ctypes.c_long(_OPENAT2),
                ctypes.c_int(root),
                ctypes.c_char_p(path),
                ctypes.byref(how),
                ctypes.c_size_t(ctypes.sizeof(how)),
            )
        ),
        os.fsdecode(path),
    )


def enter_user_namespace() -> None:
    """Become root of a new user namespace that holds nobody but the caller: enough to mount, for this process alone."""
    user, group = os.geteuid(), os.getegid()
    unshare(NEW_USER)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"0 {user} 1")
    _write("/proc/self/gid_map", f"0 {group} 1")


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def write_id_maps(process: int, lines: str) -> None:
    """Say which users and groups exist in the user namespace of another process."""
    _write(f"/proc/{process}/uid_map", lines)
    _write(f"/proc/{process}/gid_map", lines)
