"""Whose turn it is: one answer at a time, in the order of the questions, and none for a guest who has gone.

One thread works them all off, so that what answers needs no locks, keeps one set of buffers and one arena of memory.
A guest has one question at a time, so that first come, first served is fair to all.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

Question = dict[str, Any]
Message = dict[str, Any]
RESTS_EVERY = 30.0
"""Seconds without a question after which what is idle is looked at, and between two such looks."""


class Turn:
    """A question and, once `done`, the message that answers it."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.done = threading.Event()
        self.message: Message = {}
        self.began = 0.0


def nothing() -> None:
    """The `rest` of who has nothing to tidy."""


class Turns:
    """The queue. It is as long as the server lets in guests, who each wait for their turn in a thread of their own.

    `rest` is called by the thread that works, whenever nobody has come for `pause` seconds.
    """

    def __init__(
        self, work: Callable[[Question], Message], rest: Callable[[], None] = nothing, pause: float = RESTS_EVERY
    ) -> None:
        self.work, self.rest, self.pause = work, rest, pause
        self.waiting: deque[Turn] = deque()
        self.current: Turn | None = None
        self.changed = threading.Condition()
        self.dropped = 0

    def start(self) -> None:
        threading.Thread(target=self.run, daemon=True).start()

    def ask(self, question: Question) -> Turn:
        turn = Turn(question)
        with self.changed:
            self.waiting.append(turn)
            self.changed.notify()
        return turn

    def give_up(self, turn: Turn) -> None:
        """Nobody waits for it any more; what is being worked on is finished and thrown away."""
        with self.changed:
            if turn in self.waiting:
                self.waiting.remove(turn)
                self.dropped += 1

    def before(self, turn: Turn) -> int:
        """How many answers come before this one; 0 for the one that is being worked on."""
        with self.changed:
            at = next((number for number, one in enumerate(self.waiting) if one is turn), None)
            return 0 if at is None else at + (self.current is not None)

    def busy_for(self) -> float:
        """Seconds that the answer under way has taken so far."""
        current = self.current
        return time.monotonic() - current.began if current else 0.0

    def next(self) -> Turn | None:
        """Whose turn it is; None where nobody came for a while."""
        with self.changed:
            if not self.waiting:
                self.changed.wait(self.pause)
            if not self.waiting:  # nobody, or one who gave up at once
                return None
            turn = self.waiting.popleft()
            turn.began = time.monotonic()
            self.current = turn
            return turn

    def run(self) -> None:
        while True:
            turn = self.next()
            if turn is None:
                self.rest()
                continue
            turn.message = self.work(turn.question)
            with self.changed:
                self.current = None
            turn.done.set()
            del turn  # an idle thread keeps no answer
