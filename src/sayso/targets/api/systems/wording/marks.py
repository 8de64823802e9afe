"""What is known of a word without learning: that it ends the names of files, tells a time, or stands in one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sayso.core.errors import BadInstruction
from sayso.targets.api.request.times_said import ANY_DAY
from sayso.targets.api.requests.clock_words import as_written
from sayso.targets.api.requests.graph import graph
from sayso.targets.api.requests.stretches import stretch_of
from sayso.targets.api.syntax.times import is_time

MARKS = 5
LONGEST = 7
"""Words of a time."""
ALSO = frozenset({"txt", "csv", "zip", "json", "xml", "html", "rtf", "epub", "psd", "svg", "pdf", "pdfs", "docs"})


@lru_cache(maxsize=4096)
def is_told(phrase: str) -> bool:
    """Whether a clock can tell what time this is."""
    try:
        stretch_of(phrase, ANY_DAY)
    except BadInstruction:
        return False
    return True


@lru_cache(maxsize=4096)
def is_ending(word: str) -> bool:
    folded = word.casefold()
    known = {each for ends in graph().endings.values() for each in ends}
    return any(one in known or one in graph().endings or one in ALSO for one in (folded, folded.removesuffix("s")))


@lru_cache(maxsize=4096)
def is_of_time(word: str) -> bool:
    """Whether a time may be said with it: tmrw and wk are tomorrow and week."""
    return is_time(as_written(word.casefold()))


def marks(words: Sequence[str]) -> list[list[float]]:
    """For each word: an ending, a word of time, the first or a further one of the longest time here, and its last."""
    found = [[float(is_ending(one)), float(is_of_time(one)), 0.0, 0.0, 0.0] for one in words]
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + LONGEST), at, -1):
            part = words[at:end]
            ends = part[-1].isdigit() or is_of_time(part[-1])
            if ends and any(is_of_time(one) for one in part) and is_told(" ".join(part)):
                found[at][2] = 1.0
                for inside in range(at + 1, end):
                    found[inside][3] = 1.0
                found[end - 1][4] = 1.0
                at = end - 1
                break
        at += 1
    return found
