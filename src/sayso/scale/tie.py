"""Ties a worker process to the one that started it: when that is gone, however it ended, worker and children go too.

multiprocessing's fork server is the parent of our workers and lives as long as they do, so that a signal at a parent's
death would never come. What tells is the pipe that only the process that asked holds open.
"""

from __future__ import annotations

import contextlib
import fcntl
import multiprocessing
import os
import select
import signal
import threading


def tie_to_asker() -> None:
    """In a worker, first of all: a process group of its own, which the kernel kills as soon as that pipe is closed.

    No thread has to run for it, so that a worker deep in a library or a regular expression is not left either. A key
    press at the terminal goes to the asker alone, who ends us in order.
    """
    asker = multiprocessing.parent_process()
    if asker is None:
        return
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    pipe = int(asker.sentinel)
    if hasattr(fcntl, "F_SETSIG"):
        fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(pipe, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    else:
        threading.Thread(target=_end_with, args=(pipe, None), daemon=True).start()
    _end_with(pipe, 0)  # it may have been closed before the kernel was told


def _end_with(pipe: int, milliseconds: int | None) -> None:
    watched = select.poll()
    watched.register(pipe, 0)  # no more than that it was hung up
    if watched.poll(milliseconds):
        end_group(os.getpgrp())


def end_group(leader: int) -> bool:
    """Kill a worker with what it has started; False where there is no such group: it is gone, or not yet tied."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return False
    return True
