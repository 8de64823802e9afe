"""The thin client: ask the background process, start it where there is none, and say why when it cannot be had.

Every failure here is DaemonFailed, on which the caller answers by itself; nothing is ever lost to a broken process.
"""

from __future__ import annotations

import contextlib
import os
import socket

from sayso.apps.daemon import wire
from sayso.core.errors import DaemonFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HEARD_WITHIN = 2.0
"""Seconds until the background process must have said that it heard the question."""
ANSWERED_WITHIN = 60.0
"""Seconds until it must have answered: the first answer loads the models, perhaps on a busy machine."""


def ask(question: dict[str, Any]) -> dict[str, Any]:
    """The reply of a background process of this very build; one of another build makes room and is replaced."""
    for _ in range(3):
        with connect() or started() as connection:
            # Named anew each time: an upgrade may be going on while we ask.
            reply = exchange(connection, {"build": wire.build(), **question})
        if reply is not None:
            return reply
    raise DaemonFailed("the background process ends as soon as it is asked", "see `sayso daemon status`")


def connect() -> socket.socket | None:
    """A connection to our own process, or None where nobody listens: no socket, or a stale one."""
    path = wire.socket_path()
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(HEARD_WITHIN)
        connection.connect(path)
        _, user = wire.peer(connection)
    except (FileNotFoundError, ConnectionRefusedError):
        connection.close()
        return None
    except OSError as error:
        connection.close()
        raise DaemonFailed(f"{path} cannot be reached: {error.strerror or error}", "run `sayso daemon stop`") from error
    if user != os.getuid():
        connection.close()
        raise DaemonFailed(
            f"{path} belongs to user {user}", "remove it, or set XDG_RUNTIME_DIR to a folder of your own"
        )
    return connection


def started() -> socket.socket:
    from sayso.apps.daemon.launch import launch

    launch()
    connection = connect()
    if connection is None:
        raise DaemonFailed("the background process did not start", "see `sayso doctor`, or use --no-daemon")
    return connection


def exchange(connection: socket.socket, question: dict[str, Any]) -> dict[str, Any] | None:
    """The reply; None when the process made room for another or ended before it heard us."""
    lines = wire.Lines(connection)
    heard: dict[str, Any] | None = None
    try:
        # A process that refuses an over-long question closes early; what it said before that is still read.
        with contextlib.suppress(BrokenPipeError):
            wire.send(connection, question)
        heard = lines.next(HEARD_WITHIN)
        if heard is None or heard.get("stale"):
            return None
        message = lines.next(ANSWERED_WITHIN) if heard.get("heard") else heard
    except TimeoutError:
        process, _ = wire.peer(connection)
        raise DaemonFailed(
            f"the background process {process} does not answer", "end it with `sayso daemon stop`"
        ) from None
    except (OSError, ValueError) as error:
        if heard is None and isinstance(error, ConnectionError):
            return None
        raise DaemonFailed(f"the background process broke off: {error}", "end it with `sayso daemon stop`") from error
    if message is None or "failed" in message:
        why = message["failed"] if message else "it ended while it worked"
        raise DaemonFailed(f"the background process failed: {why}", "use --no-daemon --debug to see where")
    if "error" in message:
        raise wire.to_error(message["error"])
    reply: dict[str, Any] = message["reply"]
    return reply
