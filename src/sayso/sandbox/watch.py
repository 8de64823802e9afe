"""Watch one run to its end: collect what it prints, enforce what the kernel does not, and kill everything inside."""

from __future__ import annotations

import os
import select
import signal
import socket
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sayso.core.errors import SandboxFailed
from sayso.core.types import Limits
from sayso.sandbox.cgroups import Group, cpu_seconds, killed_for_memory
from sayso.sandbox.launch import HINT, START_SECONDS, Started
from sayso.sandbox.messages import encode_output

LOOK_SECONDS = 0.1
"""How often the processes are looked at where no control group counts for us."""
PIECE = 65536

Stopped = Literal["", "cpu", "wall", "memory", "output"]


@dataclass(frozen=True)
class Ended:
    exit_code: int
    stdout: bytes
    stderr: bytes
    cpu_seconds: float
    stopped: Stopped


@dataclass
class Watch:
    """The state of one watched run."""

    started: Started
    limits: Limits
    group: Group
    client: int
    """Closed by whoever asked when the answer is no longer wanted."""
    live: bool = False
    """Whether who asked is told what is printed, as it comes."""
    unsent: bytearray = field(default_factory=bytearray)
    """What the client has not taken yet: no more than may be printed. A slow client does not hold up the limits."""
    printed: dict[int, bytearray] = field(default_factory=dict)
    has_started: bool = False
    stopped: Stopped = ""
    deadline: float = 0.0
    killed_before: int = 0
    cpu_before: float = 0.0
    cpu_seen: float = 0.0

    def run(self) -> Ended:
        self.printed = {self.started.stdout: bytearray(), self.started.stderr: bytearray()}
        self.deadline = time.monotonic() + START_SECONDS
        self.killed_before = killed_for_memory(self.group)
        # A script can open its own output for reading, and take away what poll() has just told us of.
        for descriptor in (*self.printed, self.started.started):
            os.set_blocking(descriptor, False)
        ended = os.pidfd_open(self.started.process)
        poll = select.poll()
        for descriptor in (*self.printed, self.started.started, ended, self.client):
            poll.register(descriptor, select.POLLIN)
        try:
            while not self._turn(poll, ended):
                if self.live:
                    poll.modify(self.client, select.POLLIN | (select.POLLOUT if self.unsent else 0))
        finally:
            self._kill()
            status, usage = self._reap()
            os.close(ended)
        for descriptor in self.printed:
            self._drain(descriptor)
        self._look(usage)
        if not self.has_started:
            complaint = bytes(self.printed[self.started.stderr]).decode(errors="replace").strip()
            raise SandboxFailed(f"the sandbox did not start: {complaint or 'it ended without a word'}", HINT)
        if not self.stopped and killed_for_memory(self.group) > self.killed_before:
            self.stopped = "memory"
        code = os.waitstatus_to_exitcode(status)
        exit_code = 128 + signal.SIGKILL if self.stopped or code < 0 else code
        stdout, stderr = (bytes(self.printed[descriptor]) for descriptor in (self.started.stdout, self.started.stderr))
        return Ended(exit_code, stdout, stderr, max(0.0, self.cpu_seen - self.cpu_before), self.stopped)

    def _turn(self, poll: select.poll, ended: int) -> bool:
        """Wait for one round of events; True when the run is over."""
        for descriptor, events in poll.poll(self._patience() * 1000):
            if descriptor == ended:
                return True
            if descriptor == self.client:
                self._tell(events)
                continue
            try:
                piece = os.read(descriptor, PIECE)
            except BlockingIOError:
                continue
            if descriptor == self.started.started:
                poll.unregister(descriptor)
                if piece:
                    self._begin()
            elif not piece:
                poll.unregister(descriptor)
            else:
                self._keep(descriptor, piece)
        self._judge()
        return bool(self.stopped)

    def _tell(self, events: int) -> None:
        """The client takes more of what was printed, or is gone."""
        if events != select.POLLOUT:
            raise SandboxFailed("nobody waits for this run any more")
        with socket.socket(fileno=os.dup(self.client)) as client, suppress(BlockingIOError):
            del self.unsent[: client.send(self.unsent, socket.MSG_DONTWAIT)]

    def _begin(self) -> None:
        self.has_started = True
        for descriptor, printed in self.printed.items():  # what was read before the word that it has started
            self._tell_of(descriptor, bytes(printed))
        self.deadline = time.monotonic() + self.limits.wall_seconds
        self._look()
        self.cpu_before = self.cpu_seen

    def _keep(self, descriptor: int, piece: bytes) -> None:
        room = self.limits.output_bytes - sum(map(len, self.printed.values()))
        self.printed[descriptor] += piece[: max(room, 0)]
        self._tell_of(descriptor, piece[: max(room, 0)])
        if len(piece) > room and not self.stopped:
            self.stopped = "output"

    def _tell_of(self, descriptor: int, piece: bytes) -> None:
        """Before the script starts, bwrap alone prints, and what it says becomes an error."""
        if self.live and self.has_started and piece:
            self.unsent += encode_output("stdout" if descriptor == self.started.stdout else "stderr", piece)

    def _patience(self) -> float:
        """Seconds until a limit can be reached at the earliest."""
        until = max(self.deadline - time.monotonic(), 0)
        left = self.limits.cpu_seconds - (self.cpu_seen - self.cpu_before)
        cpu = max(left / (os.cpu_count() or 1), 0.02)
        if self.group.cpu is None or self.group.memory is None:
            cpu = min(cpu, LOOK_SECONDS)
        return min(until, cpu) + 0.001

    def _judge(self) -> None:
        if self.stopped:
            return
        if time.monotonic() >= self.deadline:
            if not self.has_started:
                raise SandboxFailed(f"the sandbox did not start within {START_SECONDS:.0f} s", HINT)
            self.stopped = "wall"
        if self.has_started and self._look() > self.limits.memory_mb + self.limits.disk_mb:
            self.stopped = "memory"
        if self.has_started and self.cpu_seen - self.cpu_before >= self.limits.cpu_seconds:
            self.stopped = "cpu"

    def _look(self, usage: float = 0.0) -> int:
        """Take note of the CPU time spent so far; answers with the megabytes in use where no group counts them."""
        counted = cpu_seconds(self.group)
        megabytes = 0
        if counted is not None:
            counted -= time.process_time()  # we are in the group ourselves
        if counted is None or self.group.memory is None:
            seconds, megabytes = _sum_up(self.started.init_number)
            counted = max(seconds, usage) if counted is None else counted
        self.cpu_seen = max(self.cpu_seen, counted)
        return megabytes if self.group.memory is None else 0

    def _kill(self) -> None:
        if self.has_started:
            self._look()
        # The death of the first process inside is the death of all of them.
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.started.init, signal.SIGKILL)
        # Not reaped yet, so the number is still its own.
        with suppress(ProcessLookupError):
            os.kill(self.started.process, signal.SIGKILL)

    def _reap(self) -> tuple[int, float]:
        """Wait for bwrap and, as its orphan, the first process inside; the latter ends only after all others."""
        status, seconds = 0, 0.0
        while True:
            try:
                process, ended, usage = os.wait4(-1, 0)
            except ChildProcessError:
                os.close(self.started.init)
                return status, seconds
            if process == self.started.process:
                status = ended
            else:
                seconds += usage.ru_utime + usage.ru_stime

    def _drain(self, descriptor: int) -> None:
        """Everybody inside is dead, so all is in the pipe; its end may have been sent to a socket and live on there."""
        with suppress(BlockingIOError):
            while self.stopped != "output" and (piece := os.read(descriptor, PIECE)):
                self._keep(descriptor, piece)


def _sum_up(init: int) -> tuple[float, int]:
    """CPU seconds and megabytes of a process and all below it, from /proc."""
    tick, seconds, pages = os.sysconf("SC_CLK_TCK"), 0.0, 0
    waiting = [init]
    while waiting:
        process = waiting.pop()
        with suppress(OSError, IndexError, ValueError):
            # The name in brackets may hold anything; what follows the last bracket is numbers.
            fields = _read(f"/proc/{process}/stat").rpartition(b")")[2].split()
            seconds += sum(map(int, fields[11:15])) / tick
            resident, shared = map(int, _read(f"/proc/{process}/statm").split()[1:3])
            pages += resident - shared + _shared_pages(process)
            for task in Path(f"/proc/{process}/task").iterdir():
                waiting += map(int, _read(f"{task}/children").split())
    return seconds, pages * os.sysconf("SC_PAGE_SIZE") >> 20


def _shared_pages(process: int) -> int:
    """Pages of memory shared on purpose, which programs and libraries mapped from files are not."""
    for line in _read(f"/proc/{process}/status").splitlines():
        if line.startswith(b"RssShmem:"):
            return int(line.split()[1]) * 1024 // os.sysconf("SC_PAGE_SIZE")
    return 0


def _read(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, 1 << 16)
    finally:
        os.close(descriptor)
