"""Up to three known pairs that are most like a request, as one piece of context: tried with a trunk, and not in use.

The pairs are those that answers are recalled from, found in the same way; training and use read the same piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from sayso.core.types import Piece
from sayso.english.prompt import Tokens
from sayso.targets.bash.systems.recalled import Recalled

LINES, MOST_IDS = 3, 110
"""So many pairs, and so many ids of all of them: each id that is read costs time."""


@dataclass(frozen=True)
class Examples:
    """Finds the examples of a request among the pairs of a memory, measured with a reader's tokens."""

    memory: Recalled
    tokens: Tokens
    lengths: dict[int, int] = field(default_factory=dict, repr=False)
    """Ids of a pair's line, for those that were looked at."""

    def beside(self, text: str, is_own: Callable[[int], bool] = lambda place: False) -> Piece | None:
        """`REQUEST: COMMAND` a line, the nearest last; none of those that `is_own` tells by their place."""
        lines = [self.line(at) for at in self._chosen(text, is_own)]
        return Piece("text", "\n".join(reversed(lines))) if lines else None

    def _chosen(self, text: str, is_own: Callable[[int], bool]) -> Iterator[int]:
        room, said = MOST_IDS, set[str]()
        for at, _ in self.memory.nearest(text):
            command = self.memory.pair(at)[1]
            if command in said or is_own(at) or self.length(at) > room:
                continue
            yield at
            said.add(command)
            room -= self.length(at)
            if len(said) == LINES:
                return

    def line(self, at: int) -> str:
        return ": ".join(self.memory.pair(at))

    def length(self, at: int) -> int:
        """Ids of a line with the break behind it."""
        if at not in self.lengths:
            self.lengths[at] = len(self.tokens.encode(self.line(at) + "\n"))
        return self.lengths[at]
