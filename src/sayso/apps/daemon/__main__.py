"""`python -m sayso.apps.daemon [DESCRIPTOR]`: what the client starts. It says on the descriptor that it listens."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Sequence

from sayso.apps import settings
from sayso.apps.answering import Answerer
from sayso.apps.daemon import wire
from sayso.apps.daemon.server import Answering, Server, lock
from sayso.apps.man_pages import Keeper
from sayso.core.silence import keep_numpy_to_one_thread


class Kept:
    """What is loaded, and, while nobody asks, a look at the index of manual pages."""

    def __init__(self, answerer: Answerer, keeper: Keeper) -> None:
        self.answerer, self.keeper = answerer, keeper

    def loaded(self) -> list[str]:
        return self.answerer.loaded()

    def drop_idle(self) -> None:
        self.answerer.drop_idle()
        if self.answerer.loaded():
            self.keeper.rest()


def main(arguments: Sequence[str], answering: Answering | None = None) -> int:
    keep_numpy_to_one_thread()
    held = lock()
    if held is None:
        return 0
    chosen = settings.load()
    idle = chosen.idle_minutes * 60
    answerer = Answerer(settings.workspace(), idle)
    server = Server(answering or answerer.reply, wire.build(), idle, held, Kept(answerer, Keeper()))
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, lambda *_: server.tell())
    for descriptor in map(int, arguments):
        with contextlib.suppress(OSError):  # whoever waited may have gone
            os.write(descriptor, b"r")
            os.close(descriptor)
    server.serve()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
