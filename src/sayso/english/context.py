"""A request with its context, where there is room for only so much: far context goes first, the request never.

Counted in whatever the reader reads: ids of a trunk, words of a network. One rule for training and for use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from sayso.core.types import Piece

T = TypeVar("T")
LEAST = 16
"""Parts of a piece; where no more of it has room, nothing of it is read."""


@dataclass(frozen=True)
class Marked(Generic[T]):
    """One piece of context: what stands before it whatever is cut, and its own parts, in order."""

    head: Sequence[T]
    body: Sequence[T]
    is_whole: bool = True
    """Whether `body` is all of it, not just its end."""


@dataclass(frozen=True)
class Fitted(Generic[T]):
    """What is read: the last `pieces` of the context, the separator where there is one of them, and the request."""

    parts: list[T]
    pieces: int
    is_cut: bool
    """Whether the request alone has more parts than there is room for."""


def fit(
    context: Sequence[Piece],
    own: Sequence[T],
    separator: T,
    most: int,
    read: Callable[[Piece, int], Marked[T]],
    breaks: Callable[[T], bool],
) -> Fitted[T]:
    """At most `most` parts. `read` is told how much room is left; `breaks` says whether a line begins with a part.

    Pieces are kept from the nearest on. The first that has too little room keeps its end, from a line's beginning on,
    and what is farther is left out. A request that is too long by itself is read alone, and keeps its beginning.
    """
    if len(own) > most:
        return Fitted([*own[:most]], 0, True)
    room = most - len(own) - 1
    kept: list[list[T]] = []
    for piece in reversed(context):
        one = read(piece, room)
        space = room - len(one.head)
        if len(one.body) <= space and one.is_whole:
            kept.append([*one.head, *one.body])
            room = space - len(one.body)
            continue
        if end := end_of(one.body, space, breaks):
            kept.append([*one.head, *end])
        break
    before = [part for piece in reversed(kept) for part in piece]
    return Fitted([*before, separator, *own] if kept else [*own], len(kept), False)


def end_of(body: Sequence[T], room: int, breaks: Callable[[T], bool]) -> Sequence[T]:
    """The last lines that have room; of lines too long for that, the last parts; of what is left of few, nothing."""
    if room < LEAST:
        return []
    end = body[-room:]
    # A line that begins in the nearer half would cost more than half a line does.
    start = next((place for place, part in enumerate(end[: len(end) // 2]) if breaks(part)), 0)
    return end[start:]
