"""Start the background process with nothing that ties it to the caller: no session, descriptor, folder or secret."""

from __future__ import annotations

import os
import select
import sys

from sayso.apps import settings
from sayso.core.errors import DaemonFailed
from sayso.core.silence import SWITCHES

LISTENS_WITHIN = 30.0
"""Seconds, on a machine where fifty others start something too; one that died is noticed at once."""
READY = 3
"""The descriptor on which the new process says that it listens; closed without a word, it will not."""
ALLOCATOR = {"MALLOC_MMAP_THRESHOLD_": str(2 << 20)}
"""What is as large as this goes back to the machine when it is let go of; left to itself, glibc keeps it from then on
that it has seen some, and the weights are read in pieces of many megabytes."""


def launch() -> None:
    """Return as soon as a background process listens, or could not be started; the caller finds out by connecting."""
    settings.runtime_folder()
    if not sys.executable:
        raise DaemonFailed("this Python does not know its own program", "use --no-daemon")
    reader, writer = os.pipe()
    try:
        child = os.fork()
        if child == 0:
            detach(writer)
        os.close(writer)
        writer = -1
        os.waitpid(child, 0)
        select.select([reader], [], [], LISTENS_WITHIN)
    finally:
        os.close(reader)
        if writer >= 0:
            os.close(writer)


def detach(writer: int) -> None:
    """In the child: leave the session, fork again so that no terminal can be had back, and become the new process."""
    try:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.dup2(writer, READY)
        os.set_inheritable(READY, True)
        null = os.open("/dev/null", os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        os.closerange(READY + 1, os.sysconf("SC_OPEN_MAX"))
        os.chdir("/")
        os.umask(0o077)
        # -P: a file called json.py in some folder must not become part of the process.
        arguments = [sys.executable, "-P", "-m", "sayso.apps.daemon", str(READY)]
        # The runtime must be silent from its first line on, whatever comes to import it there.
        environment = settings.passed_on() | SWITCHES["onnxruntime"] | ALLOCATOR
        os.execve(sys.executable, arguments, environment)
    finally:
        os._exit(127)
