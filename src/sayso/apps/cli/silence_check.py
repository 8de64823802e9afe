"""What `sayso doctor` can see of our silence: network sockets and files of the runtime's that a process has open.

The kernel tells it (/proc). It is a look at one moment; tests/apps/test_silence.py records whole sessions.
"""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from sayso.apps import leftovers

TABLES = ("tcp", "tcp6", "udp", "udp6", "raw", "raw6")


def loud(process: int) -> list[str]:
    """["a tcp socket", "/home/me/.cache/…/onnxruntime.db"]; a process that is gone or another's has nothing."""
    proc = Path("/proc", str(process))
    sockets = {inode: table for table in TABLES for inode in inodes(proc / "net" / table)}
    queue = "/" + "/".join(leftovers.FOLDERS) + "/"
    seen = []
    for target in open_files(proc / "fd"):
        if (inode := re.fullmatch(r"socket:\[(\d+)\]", target)) and inode[1] in sockets:
            seen.append(f"a {sockets[inode[1]]} socket")
        elif queue in target:
            seen.append(target)
    return sorted(set(seen))


def inodes(table: Path) -> list[str]:
    """The tenth column of a table of sockets."""
    with contextlib.suppress(OSError):
        return [line.split()[9] for line in table.read_text().splitlines()[1:]]
    return []


def open_files(folder: Path) -> list[str]:
    found = []
    with contextlib.suppress(OSError):
        for link in folder.iterdir():
            with contextlib.suppress(OSError):  # closed meanwhile
                found.append(str(link.readlink()))
    return found
