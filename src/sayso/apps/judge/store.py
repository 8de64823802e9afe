"""The event log: an event is a line of JSON, appended under a lock and on the disk before anyone is told it is saved.

Several processes may write to one folder. State is always rebuilt by reading (board.py); nothing is overwritten.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import cast

from sayso.apps.judge.events import check_event
from sayso.apps.judge.items import Json
from sayso.core.errors import BadFile, MachineError, UserError
from sayso.core.files import cannot_write
from sayso.core.given import parse_json

VERSION = 1
LARGEST = 256 << 20
"""Bytes of a log: some hundred thousand answers."""


class Store:
    """`events.jsonl` in a folder. Not for several threads at once: desk.py holds the lock for those."""

    def __init__(self, folder: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.path = folder / "events.jsonl"
        self.damaged = 0
        """Lines that are no JSON: what a kill or a power cut left of an event that was never acknowledged."""
        self._now = now
        self._read_to = 0
        self._lines = 0
        self._last = 0
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK
            self._fd = os.open(self.path, flags, 0o600)
            _sync_folder(folder)
        except OSError as error:
            raise cannot_write(self.path, error) from error
        if not stat.S_ISREG(os.fstat(self._fd).st_mode):
            os.close(self._fd)
            raise BadFile(f"{self.path} is not a plain file", "choose another --store")

    def read(self) -> list[Json]:
        """The events that were appended, by anyone, since the last call."""
        size = os.fstat(self._fd).st_size
        if size < self._read_to:
            raise BadFile(f"{self.path} became shorter while it was in use", "restore it from a copy and start again")
        if size > LARGEST:
            raise BadFile(f"{self.path} has {size:,} bytes; {LARGEST:,} is the most", "choose another --store")
        chunk = os.pread(self._fd, size - self._read_to, self._read_to)
        # A line without its end is still being written by another process.
        whole = chunk[: chunk.rfind(b"\n") + 1]
        self._read_to += len(whole)
        return list(self._events(whole))

    def append(self, make: Callable[[list[Json]], Sequence[Json]]) -> list[Json]:
        """Lock, hand `make` the events that nobody here has read yet, write those it returns; gives the written ones.

        The lock spans reading and writing, so what `make` decides is decided on the newest state.
        """
        with self._locked():
            added: list[Json] = []
            for event in make(self.read()):
                self._last += 1
                stamp = self._now().isoformat(timespec="milliseconds")
                added.append({"v": VERSION, "n": self._last, "at": stamp, **event})
            if added:
                self._write(added)
            return added

    def close(self) -> None:
        os.close(self._fd)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, events: Sequence[Json]) -> None:
        end = os.fstat(self._fd).st_size
        data = b"".join(json.dumps(event, ensure_ascii=False).encode() + b"\n" for event in events)
        if end > self._read_to:
            data = b"\n" + data  # closes the half line of a killed writer
            self.damaged += 1
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._fd, rest) :]
            os.fsync(self._fd)
        except OSError as error:
            # A full disk may have taken half of it: without this, that half would stand before the next event.
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, end)
            self._last -= len(events)
            raise cannot_write(self.path, error) from error
        self._read_to = end + len(data)
        self._lines += data.count(b"\n")

    def _events(self, data: bytes) -> Iterator[Json]:
        for line in data.split(b"\n")[:-1]:
            self._lines += 1
            if not line.strip():
                continue
            try:
                event = read_event(line)
            except (json.JSONDecodeError, UnicodeDecodeError):
                event = None
            except ValueError as error:
                raise self._tampered(str(error)) from None
            if event is None:
                self.damaged += 1
                continue
            if event.get("v") != VERSION:
                raise BadFile(
                    f"{self.path} was written by another version of sayso (event {str(event['n'])[:40]})",
                    "choose another --store",
                )
            try:
                check_event(event)
            except UserError as error:
                raise self._tampered(error.message) from None
            number = cast(int, event["n"])
            if number <= self._last:
                raise self._tampered(f"event {number} comes after event {self._last}")
            self._last = number
            yield event

    def _tampered(self, why: str) -> BadFile:
        return BadFile(
            f"{self.path}:{self._lines}: not an event that sayso wrote: {why[:200]}",
            "remove that line, or restore the file from a copy",
        )

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX)
        except OSError as error:
            raise MachineError(
                f"cannot lock {self.path}: {error.strerror}", "choose a --store folder on a local disk"
            ) from error
        try:
            yield
        finally:
            fcntl.flock(self._fd, fcntl.LOCK_UN)


def read_event(line: bytes) -> Json | None:
    """An object with a number, None where it is none; ValueError where no file could keep what it says."""
    value = parse_json(line)
    json.dumps(value, ensure_ascii=False).encode()
    return value if isinstance(value, dict) and "n" in value else None


def _sync_folder(folder: Path) -> None:
    """Without this a power cut may forget the new file itself."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
