"""The thin client: ask the background process, start it where there is none, and say why when it cannot be had.

It waits as long as the process says that the question stands in its queue: one process for fifty clients is better than
fifty that load the models. Every failure here is DaemonFailed, on which the caller answers by itself.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time

from sayso.apps.daemon import wire
from sayso.core.errors import DaemonFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Say = Callable[[str], None] | None

HEARD_WITHIN = 2.0
"""Seconds of silence after which we look whether the process is dead or stopped, and tell the user that we wait."""
SILENT_WITHIN = 30.0
"""Seconds of silence after which a process that runs, but says nothing, is taken for hung."""
PAUSES = (0.02, 0.1)
"""Seconds between two looks whether another client's process listens: at first, and at most."""


def ask(question: dict[str, Any], say: Say = None) -> dict[str, Any]:
    """The reply of a background process of this very build; one of another build makes room and is replaced.

    `say` is told what we wait for where that takes a moment.
    """
    for _ in range(3):
        with connect() or started() as connection:
            # Named anew each time: an upgrade may be going on while we ask.
            reply = exchange(connection, {"build": wire.build(), **question}, say)
        if reply is not None:
            return reply
    raise DaemonFailed("the background process ends as soon as it is asked", "see `sayso daemon status`")


def connect() -> socket.socket | None:
    """A connection to our own process, or None where nobody listens: no socket, or a stale one."""
    path = wire.socket_path()
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(HEARD_WITHIN)
        knock(connection, path)
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


def knock(connection: socket.socket, path: str) -> None:
    """Connect; where even the kernel's queue is full, again after a moment."""
    deadline = time.monotonic() + SILENT_WITHIN
    while True:
        try:
            connection.connect(path)
            return
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise
            time.sleep(PAUSES[1])


def started() -> socket.socket:
    """A connection to a process that is just being started: by us, or by whichever client was first."""
    import fcntl

    from sayso.apps.daemon.launch import LISTENS_WITHIN, launch

    try:
        descriptor = os.open(wire.starting_path(), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise DaemonFailed(f"{error.filename} cannot be made: {error.strerror}", "use --no-daemon") from error
    # Whoever is first may have been stopped in the middle: then we start one, and only one will listen.
    deadline, pause = time.monotonic() + LISTENS_WITHIN, PAUSES[0]
    try:
        while time.monotonic() < deadline:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(pause)
                pause = min(2 * pause, PAUSES[1])
            if connection := connect():
                return connection
        connection = connect()
        if connection is None:
            launch()
            connection = connect()
    finally:
        os.close(descriptor)
    if connection is None:
        raise DaemonFailed("the background process did not start", "see `sayso doctor`, or use --no-daemon")
    return connection


def exchange(connection: socket.socket, question: dict[str, Any], say: Say = None) -> dict[str, Any] | None:
    """The reply; None when the process made room for another or ended before it heard us."""
    words = Words(connection, say)
    try:
        # A process that refuses an over-long question closes early; what it said before that is still read.
        with contextlib.suppress(BrokenPipeError):
            wire.send(connection, question)
        message = words.last()
    except TimeoutError:
        raise DaemonFailed(
            f"the background process {words.process} does not answer", "end it with `sayso daemon stop`"
        ) from None
    except (OSError, ValueError) as error:
        if not words.heard and isinstance(error, ConnectionError):
            return None
        raise DaemonFailed(f"the background process broke off: {error}", "end it with `sayso daemon stop`") from error
    if message is None and not words.heard:
        return None
    if message is None or "failed" in message:
        why = message["failed"] if message else "it ended while it worked"
        raise DaemonFailed(f"the background process failed: {why}", "use --no-daemon --debug to see where")
    if message.get("stale"):
        return None
    if "error" in message:
        raise wire.to_error(message["error"])
    reply: dict[str, Any] = message["reply"]
    return reply


class Words:
    """What the process says to us, up to the word that ends the talk."""

    def __init__(self, connection: socket.socket, say: Say) -> None:
        self.lines = wire.Lines(connection)
        self.process, _ = wire.peer(connection)
        self.say = say
        self.began = time.monotonic()
        self.heard = False

    def last(self) -> dict[str, Any] | None:
        """The message after all that only say "wait"; None at the end. TimeoutError from a process that hangs."""
        while (message := self.next()) is not None:
            if not message.get("heard") and "queued" not in message:
                break
            self.heard = True
            if time.monotonic() - self.began > HEARD_WITHIN:
                before = message.get("queued")
                self.tell(f": {before} before this request" if before else "")
        return message

    def next(self) -> dict[str, Any] | None:
        deadline = time.monotonic() + SILENT_WITHIN
        while True:
            try:
                return self.lines.next(HEARD_WITHIN)
            except TimeoutError:
                if hangs(self.process) or time.monotonic() > deadline:
                    raise
                self.tell("")

    def tell(self, more: str) -> None:
        """Once."""
        if self.say:
            self.say(f"waiting for the background process {self.process}{more}")
            self.say = None


def hangs(process: int) -> bool:
    """Whether the kernel knows it to be stopped or dead; one that we cannot see may be alive."""
    if not process:  # of another namespace
        return False
    try:
        with open(f"/proc/{process}/stat", "rb") as file:  # noqa: PTH123
            return file.read().rpartition(b")")[2].split()[0] in b"TtZX"
    except OSError:
        return True
