"""The watch over one run, where the script takes part in the race."""

from __future__ import annotations

import os
import select
import threading
import time
from typing import cast

from sayso.core.types import Limits
from sayso.sandbox.cgroups import Group
from sayso.sandbox.launch import Started
from sayso.sandbox.watch import Watch


class AlwaysReadable:
    """What poll() says when a script takes its output back before it is read."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def register(self, *_: int) -> None: ...

    def poll(self, _: float) -> list[tuple[int, int]]:
        time.sleep(0.01)
        return [(self.descriptor, select.POLLIN)]


def test_output_that_was_taken_back_does_not_stop_the_clock() -> None:
    """Where the read waited for more, no limit would hold any longer."""
    (stdout, kept), (stderr, also), (started, told) = os.pipe(), os.pipe(), os.pipe()
    watch = Watch(Started(0, -1, 0, stdout, stderr, started), Limits(wall_seconds=0.2), Group(), -1)
    for descriptor in (stdout, stderr, started):
        os.set_blocking(descriptor, False)
    watch.printed = {stdout: bytearray(), stderr: bytearray()}
    watch.has_started, watch.deadline = True, time.monotonic() + 0.2
    poll = cast(select.poll, AlwaysReadable(stdout))
    writer = threading.Timer(5, os.write, (kept, b"late"))  # so that a failure is one, and does not hang
    writer.start()
    while not watch._turn(poll, ended=-1):
        pass
    writer.cancel()
    assert (watch.stopped, bytes(watch.printed[stdout])) == ("wall", b"")
    for descriptor in (stdout, kept, stderr, also, started, told):
        os.close(descriptor)
