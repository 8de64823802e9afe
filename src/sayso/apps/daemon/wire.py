"""What client and background process agree on: where the socket lies, JSON lines with a limit, and who may speak.

A question is one line, `{"do", "build", …}`. It is answered at once with `{"heard": true}` and then every second with
`{"queued": N}`, so that a hung process is told from a long queue, and at last with `{"reply": …}`, `{"error": …}`,
`{"failed": …}` or `{"stale": true}`: ask again, and another process will answer.
"""

from __future__ import annotations

import json
import os
import socket
import struct
import sys
import time
import zlib

from sayso import __path__ as package_folders
from sayso import __version__
from sayso.apps import settings
from sayso.core.errors import DaemonFailed, SaysoError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SAYS_EVERY = 1.0
"""Seconds between two words to a guest who waits."""
LONGEST_LINE = 1 << 20
LONGEST_PATH = 107
"""Linux' limit on the path of a socket, less its closing zero."""


def socket_path() -> str:
    if not hasattr(socket, "SO_PEERCRED"):
        raise DaemonFailed(
            "this system does not say who is at a socket's other end", "set idle_minutes = 0 in config.toml"
        )
    path = f"{settings.runtime_folder()}/daemon.sock"
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise DaemonFailed(f"{path} is too long for a socket", "set XDG_RUNTIME_DIR to a shorter path")
    return path


def lock_path() -> str:
    """Held by the process that listens."""
    return f"{settings.runtime_folder()}/daemon.lock"


def starting_path() -> str:
    """Held by the client that starts one."""
    return f"{settings.runtime_folder()}/daemon.starting"


def build() -> str:
    """Names this installation and what the user has set: another name, and the background process is replaced.

    Sizes and times stand in for the contents, which would take longer to read than to answer. Distributions of ours
    beside this one, which bring bundles, are known by their name and version.
    """
    seen = [sys.version, settings.what_an_answer_depends_on()]
    folders = [package_folders[0]]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "__pycache__":
                        folders.append(entry.path)
                else:
                    status = entry.stat()
                    seen.append(f"{entry.path} {status.st_size} {status.st_mtime_ns}")
    for folder in sys.path:
        if folder.endswith(("site-packages", "dist-packages")) and os.path.isdir(folder):  # noqa: PTH112
            with os.scandir(folder) as entries:
                ours = (entry for entry in entries if entry.name.startswith("sayso_") and entry.name.endswith("-info"))
                seen.extend(f"{entry.path} {entry.stat().st_mtime_ns}" for entry in ours)
    seen.sort()
    return f"{__version__}-{zlib.crc32(chr(10).join(seen).encode('utf-8', 'surrogateescape')):08x}"


def send(connection: socket.socket, message: dict[str, Any]) -> None:
    connection.sendall(json.dumps(message).encode("ascii") + b"\n")


class Lines:
    """Reads JSON lines from a connection, each within a limit of bytes and before a deadline."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.rest = b""

    def next(self, seconds: float) -> dict[str, Any] | None:
        """The next object; None at the end. Raises ValueError on anything else, TimeoutError when it takes longer."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self.rest:
            if len(self.rest) > LONGEST_LINE:
                raise ValueError(f"a line of more than {LONGEST_LINE} bytes")
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self.connection.settimeout(left)
            received = self.connection.recv(65536)
            if not received:
                return None
            self.rest += received
        line, _, self.rest = self.rest.partition(b"\n")
        try:
            message = json.loads(line)
        except RecursionError:
            raise ValueError("a line that is nested too deeply") from None
        if not isinstance(message, dict):
            raise ValueError("a line that is no JSON object")
        return message


def peer(connection: socket.socket) -> tuple[int, int]:
    """Process and user at the other end, as the kernel knows them; for a client, of whoever opened the socket."""
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    process, user, _ = struct.unpack("3i", raw)
    return process, user


def from_error(error: SaysoError) -> dict[str, Any]:
    return {"message": error.message, "hint": error.hint, "exit_code": error.exit_code}


def to_error(message: dict[str, Any]) -> SaysoError:
    """The error as it was raised at the other end: its line, its hint, its exit code."""
    error = SaysoError(str(message.get("message", "")), str(message.get("hint", "")))
    error.exit_code = int(message.get("exit_code", 1))
    return error
