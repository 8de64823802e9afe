"""A command that is told to end ends in order: what it holds is let go, workers are ended, files are left whole."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

TOLD = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def in_order() -> Iterator[None]:
    """Within it these signals leave through every `finally`, with the exit code that a shell gives a signal's death.

    What whoever started us wanted ignored (`nohup`) stays ignored, and a second signal ends us at once.
    """
    taken: list[signal.Signals] = []

    def end(number: int, frame: FrameType | None) -> NoReturn:
        for one in taken:
            signal.signal(one, signal.SIG_DFL)
        raise SystemExit(128 + number)

    try:
        for one in TOLD:
            if signal.getsignal(one) == signal.SIG_DFL:
                signal.signal(one, end)
                taken.append(one)
    except ValueError:  # only the main thread can; another does without
        pass
    try:
        yield
    finally:
        for one in taken:
            signal.signal(one, signal.SIG_DFL)
