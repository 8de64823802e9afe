"""How far a long piece of work is: one line on stderr, rewritten in place, and only where someone looks."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

# A line rewritten more often than this cannot be read.
SECONDS = 0.1


@dataclass
class Progress:
    """Called with what is done, how many of how many; prints nothing unless stderr is a terminal."""

    shown: float = 0.0
    open: bool = False

    def __call__(self, what: str, done: int, total: int) -> None:
        if not sys.stderr.isatty():
            return
        now = time.monotonic()
        if done < total and now - self.shown < SECONDS:
            return
        self.shown, self.open = now, done < total
        print(f"\r\x1b[K{what} {done} of {total}", end="\n" if done >= total else "", file=sys.stderr, flush=True)

    def close(self) -> None:
        """End the line, so that what comes next stands on its own."""
        if self.open:
            print(file=sys.stderr)
            self.open = False
