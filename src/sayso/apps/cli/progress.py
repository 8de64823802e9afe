"""How far a long piece of work is: a bar with rate and time left on stderr, and only where someone looks."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field

# A line rewritten more often than this cannot be read.
SECONDS = 0.1
WIDTH = 24


@dataclass
class Progress:
    """Called with what is being done, how many of how many (0: nobody knows); silent unless stderr is a terminal."""

    what: str = ""
    started: float = field(default_factory=time.monotonic)
    begun_at: int = 0
    shown: float = 0.0
    open: bool = False

    def __call__(self, what: str, done: int, total: int) -> None:
        if not sys.stderr.isatty():
            return
        now = time.monotonic()
        if what != self.what:
            self.close()
            self.what, self.started, self.begun_at = what, now, done  # what an earlier run did has no rate of ours
        finished = 0 < total <= done
        if not finished and now - self.shown < SECONDS:
            return
        self.shown, self.open = now, not finished
        line = bar(what, done, total, done - self.begun_at, now - self.started)
        print(f"\r\x1b[K{line}", end="\n" if finished else "", file=sys.stderr, flush=True)

    def close(self) -> None:
        """End the line, so that what comes next stands on its own."""
        if self.open:
            print(file=sys.stderr)
            self.open = False


def bar(what: str, done: int, total: int, ours: int, seconds: float) -> str:
    """ "scored", 30, 60, 30, 2.0 -> "scored ████████████············ 30/60  15.0/s  0:02 left" """
    rate = ours / seconds if ours and seconds > 0 else 0.0
    speed = f"  {rate:.1f}/s" if rate else ""
    if not total:
        return f"{what} {done}{speed}"
    filled = WIDTH * min(done, total) // total
    left = f"  {clock((total - done) / rate)} left" if rate and done < total else ""
    return f"{what} {'█' * filled}{'·' * (WIDTH - filled)} {done}/{total}{speed}{left}"


def clock(seconds: float) -> str:
    """75 -> "1:15"; 3700 -> "1:01:40" """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
