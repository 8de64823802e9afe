"""What ONNX Runtime wrote before it was silenced: an id of this machine and events waiting to be sent. Removed once.

Exactly those files go, each only if it is a file of the user's own and looks as the runtime makes it; links are never
followed below the user's cache. The folders around them go where that leaves them empty.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from sayso.apps import settings

FOLDERS = ("Microsoft", "DeveloperTools", ".onnxruntime")
"""From the user's cache down; other tools of that maker may have a neighbour there."""
UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
KEPT = re.compile(rf"deviceid|deviceid\.lock|deviceid\.tmp\.{UUID}|onnxruntime\.db(?:-wal|-shm|-journal)?")
SESSION = ".ses"
"""In the folder for temporary files, under a name that others may use: known by what it holds."""
IN_SESSION = re.compile(rf"\d{{13}}\n{UUID}\n".encode())
DONE = "runtime-telemetry-removed"
"""In our cache: other programs may use the same runtime, and what they keep from then on is theirs."""
TO_A_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove_once() -> None:
    """Quietly: a disk that refuses is no reason not to answer, and there is another time."""
    with contextlib.suppress(OSError):
        mark = Path(settings.user_folder("cache"), DONE)
        if mark.exists():
            return
        remove_kept()
        remove_session()
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()


def found() -> list[str]:
    """The files that are there now, for `sayso doctor`."""
    with opened() as folders:
        if len(folders) <= len(FOLDERS):
            return []
        names = [name for name in os.listdir(folders[-1]) if is_kept(folders[-1], name)]  # noqa: PTH208
    return sorted(str(Path(settings.shared_cache(), *FOLDERS, name)) for name in names)


@contextlib.contextmanager
def opened() -> Iterator[list[int]]:
    """Descriptors of the user's cache and of those of our folders in it, as far as they are the user's own."""
    with contextlib.ExitStack() as stack:
        folders: list[int] = []
        with contextlib.suppress(OSError):  # there is none, or it is a link or another's
            # The cache itself may lie elsewhere by the user's own link.
            folders.append(os.open(settings.shared_cache(), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
            stack.callback(os.close, folders[-1])
            for name in FOLDERS:
                deeper = os.open(name, TO_A_FOLDER, dir_fd=folders[-1])
                stack.callback(os.close, deeper)
                if os.fstat(deeper).st_uid != os.getuid():
                    break
                folders.append(deeper)
        yield folders


def remove_kept() -> None:
    with opened() as folders:
        if len(folders) <= len(FOLDERS):
            return
        for name in os.listdir(folders[-1]):  # noqa: PTH208
            if is_kept(folders[-1], name):
                os.unlink(name, dir_fd=folders[-1])
        for name, parent in reversed([*zip(FOLDERS, folders, strict=False)]):
            with contextlib.suppress(OSError):  # others keep something there
                os.rmdir(name, dir_fd=parent)


def is_kept(folder: int, name: str) -> bool:
    with contextlib.suppress(FileNotFoundError):  # a journal goes by itself
        return bool(KEPT.fullmatch(name)) and is_own_file(os.stat(name, dir_fd=folder, follow_symlinks=False))
    return False


def is_own_file(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) and status.st_uid == os.getuid()


def remove_session() -> None:
    import tempfile

    path = Path(tempfile.gettempdir(), SESSION)
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            ours = is_own_file(os.fstat(handle)) and IN_SESSION.fullmatch(os.read(handle, 100))
        finally:
            os.close(handle)
        if ours:
            path.unlink()
