"""The background process: one per user, a thread per guest, one answer at a time, nothing ever executed.

A guest who waits for his turn is told every second that he is not forgotten; one who has gone loses it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import select
import socket
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from sayso import __version__
from sayso.apps.daemon import wire
from sayso.apps.daemon.turns import Turn, Turns
from sayso.core.errors import BadRequest, SaysoError

Answering = Callable[[Mapping[str, Any]], dict[str, Any]]
"""From a question to what `reply` holds; raises SaysoError for what the user should read."""


class Models(Protocol):
    """What an answering keeps loaded."""

    def loaded(self) -> list[str]:
        """The targets that would be answered without loading; any thread may ask."""
        ...

    def drop_idle(self) -> None:
        """Let go of what nobody has asked for in a while; called between two answers."""
        ...


MOST_CONNECTIONS = 256
"""Guests let in at once, which bounds the queue; further ones stand in the kernel's."""
MOST_OUTSIDE = 1024
LARGEST = 1 << 30
"""Bytes of memory beyond which it makes room for a fresh process, once its guests are served."""
ASKED_WITHIN = 5.0
"""Seconds a client has for its question; an open connection that says nothing is closed."""
LOCKED_WITHIN = 2.0
"""Seconds to wait for a predecessor that is on its way out."""
FINISHES_WITHIN = 30.0
"""Seconds that talks under way get after the end has been decided."""
LOOKS_EVERY = 5.0
"""Seconds between two looks at the socket file, which a cleaner of old files may have removed."""
LOOKS_UP_EVERY = 0.25
"""Seconds between two looks whether a guest who waits is still there."""
STUCK_AFTER = 180.0
"""Seconds after which an answer under way will never come, and its process makes room for another."""
BREATHES = 0.05
"""Seconds until the next try where a guest cannot be let in: no descriptor is free."""


def lock() -> int | None:
    """The lock that only one background process of a user holds; None when another listens already."""
    descriptor = os.open(wire.lock_path(), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    deadline = time.monotonic() + LOCKED_WITHIN
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
        except BlockingIOError:
            if listens() or time.monotonic() > deadline:
                os.close(descriptor)
                return None
            time.sleep(0.02)


def listens() -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(wire.socket_path())
        except OSError:
            return False
        return True


def open_socket() -> socket.socket:
    """Listen in place of whatever a dead process left there; only the holder of the lock may call it."""
    path = wire.socket_path()
    Path(path).unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listener.bind(path)
    finally:
        os.umask(before)
    listener.listen(MOST_OUTSIDE)
    return listener


class Server:
    """Accepts until it is idle for too long, told to stop, or asked by a client of another build."""

    def __init__(
        self, answering: Answering, build: str, idle_seconds: float, held: int, models: Models | None = None
    ) -> None:
        self.answering = answering
        self.models = models
        self.build = build
        self.idle_seconds = idle_seconds
        self.held = held
        self.listener = open_socket()
        self.inode = Path(wire.socket_path()).stat().st_ino
        self.wake_reader, self.wake_writer = os.pipe()
        os.set_blocking(self.wake_writer, False)
        self.started = self.last_used = time.monotonic()
        self.answers = 0
        self.talks = 0
        self.changing = threading.Lock()
        self.turns = Turns(self.answer, models.drop_idle) if models else Turns(self.answer)
        self.largest = LARGEST
        self.leaving = False
        self.told = False

    def serve(self) -> None:
        self.turns.start()
        try:
            while not (self.leaving or self.told):
                talks = self.talks
                left = self.last_used + self.idle_seconds - time.monotonic()
                if left <= 0 and not talks:
                    break
                # A full house leaves newcomers in the kernel's queue; each guest that goes wakes us.
                watched: list[int] = [self.wake_reader]
                if talks < MOST_CONNECTIONS:
                    watched.append(self.listener.fileno())
                ready, _, _ = select.select(watched, [], [], min(max(left, 0.05), LOOKS_EVERY))
                if self.wake_reader in ready:
                    os.read(self.wake_reader, 4096)
                elif ready:
                    self.accept()
                elif not self.still_there():
                    break
        finally:
            self.leave()
            self.listener.close()
            self.finish()

    def tell(self) -> None:
        """Stop soon; safe in a signal handler, which may have interrupted the holder of a lock."""
        self.told = True
        self.wake()

    def still_there(self) -> bool:
        try:
            return Path(wire.socket_path()).stat().st_ino == self.inode
        except (OSError, SaysoError):
            return False

    def accept(self) -> None:
        try:
            connection, _ = self.listener.accept()
        except OSError:
            time.sleep(BREATHES)
            return
        if wire.peer(connection)[1] != os.getuid():
            connection.close()
            return
        with self.changing:
            self.talks += 1
        try:
            threading.Thread(target=self.talk, args=(connection,), daemon=True).start()
        except RuntimeError:  # no room for another thread
            self.hang_up(connection)

    def talk(self, connection: socket.socket) -> None:
        """One connection: questions until the client goes, is silent for too long or sends what cannot be read."""
        lines = wire.Lines(connection)
        try:
            while not self.leaving and (question := lines.next(ASKED_WITHIN)) is not None:
                self.last_used = time.monotonic()
                connection.settimeout(ASKED_WITHIN)
                self.respond(connection, question)
                self.last_used = time.monotonic()
        except (ValueError, RecursionError) as error:
            with contextlib.suppress(OSError):
                refusal = BadRequest(f"the background process cannot read the question: {error}")
                wire.send(connection, {"error": wire.from_error(refusal)})
        except OSError:
            pass  # the client went away, or never spoke
        finally:
            self.hang_up(connection)

    def hang_up(self, connection: socket.socket) -> None:
        connection.close()
        with self.changing:
            self.talks -= 1
        self.wake()

    def respond(self, connection: socket.socket, question: dict[str, Any]) -> None:
        do = question.get("do")
        if do == "status":
            wire.send(connection, {"reply": self.status()})
        elif do == "stop":
            self.leave()
            wire.send(connection, {"reply": {"pid": os.getpid()}})
        elif question.get("build") != self.build:
            # The lock is free before the client hears of it, so that its own process can take it at once.
            self.leave()
            wire.send(connection, {"stale": True})
        else:
            wire.send(connection, {"heard": True})
            turn = self.turns.ask(question)
            try:
                wire.send(connection, self.in_turn(connection, turn))
            finally:
                self.turns.give_up(turn)

    def in_turn(self, connection: socket.socket, turn: Turn) -> dict[str, Any]:
        """The message that answers the question, once it comes; OSError where nobody waits for it any more."""
        told = time.monotonic()
        while not turn.done.wait(LOOKS_UP_EVERY):
            if has_gone(connection):
                raise ConnectionResetError
            if self.turns.busy_for() > STUCK_AFTER:
                self.leave()
                is_ours = self.turns.current is turn
                return {"failed": f"no answer within {STUCK_AFTER:g} seconds"} if is_ours else {"stale": True}
            if time.monotonic() - told >= wire.SAYS_EVERY:
                told = time.monotonic()
                wire.send(connection, {"queued": self.turns.before(turn)})
        return turn.message

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Worked off in turn, by one thread."""
        self.answers += 1
        message: dict[str, Any]
        try:
            message = {"reply": self.answering(question)}
        except SaysoError as error:
            message = {"error": wire.from_error(error)}
        except Exception as error:  # the process outlives a bug; the client meets the same one by itself
            message = {"failed": f"{type(error).__name__}: {error}"}
        held = resident_bytes()
        if self.answers == 1:  # what an answer needs at all is no reason to begin again
            self.largest = max(self.largest, 2 * held)
        elif held > self.largest:
            self.leave()
        return message

    def status(self) -> dict[str, Any]:
        used = resource.getrusage(resource.RUSAGE_SELF)
        return {
            "pid": os.getpid(),
            "version": __version__,
            "build": self.build,
            "uptime_seconds": round(time.monotonic() - self.started, 3),
            "answers": self.answers,
            "waiting": len(self.turns.waiting),
            "dropped": self.turns.dropped,
            "cpu_seconds": round(used.ru_utime + used.ru_stime, 4),
            "memory_mb": round(resident_bytes() / 1e6, 1),
            "idle_minutes": round(self.idle_seconds / 60, 3),
            "loaded": self.models.loaded() if self.models else [],
        }

    def leave(self) -> None:
        """Make room for a successor: no socket file, no lock. Talks under way go on."""
        with self.changing:
            if self.leaving:
                return
            self.leaving = True
            if self.still_there():
                with contextlib.suppress(OSError):
                    Path(wire.socket_path()).unlink(missing_ok=True)
            os.close(self.held)
        self.wake()

    def wake(self) -> None:
        with contextlib.suppress(OSError):
            os.write(self.wake_writer, b".")

    def finish(self) -> None:
        """Give the talks under way a moment to end."""
        deadline = time.monotonic() + FINISHES_WITHIN
        while self.talks and time.monotonic() < deadline:
            if select.select([self.wake_reader], [], [], 0.2)[0]:
                os.read(self.wake_reader, 4096)


def has_gone(connection: socket.socket) -> bool:
    """Whether the other end is closed altogether; one that only says no more may still listen."""
    watched = select.poll()
    watched.register(connection, 0)
    return bool(watched.poll(0))


def resident_bytes() -> int:
    """What the process holds in memory now; 0 where /proc does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
