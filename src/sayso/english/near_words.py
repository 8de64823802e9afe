"""Which requests are near each other: four fifths of the words of both in common."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

NEAR = 0.8


@dataclass(frozen=True)
class Bags:
    """Requests as bags of words, and which of them have a word."""

    bags: list[frozenset[str]] = field(default_factory=list)
    postings: dict[str, list[int]] = field(default_factory=dict)

    def add(self, request: str) -> None:
        bag = words_of(request)
        for word in bag:
            self.postings.setdefault(word, []).append(len(self.bags))
        self.bags.append(bag)

    def near(self, bag: frozenset[str]) -> Iterator[int]:
        """Those that share `NEAR` of the words."""
        # Two bags that share so much have one of the rarest few words of either in common.
        rarest = sorted(bag, key=lambda word: (len(self.postings.get(word, ())), word))
        few = rarest[: len(bag) - math.ceil(NEAR * len(bag)) + 1]
        seen = {at for word in few for at in self.postings.get(word, ())}
        return (at for at in seen if share(bag, self.bags[at]) >= NEAR)


def bags_of(requests: Iterable[str]) -> Bags:
    found = Bags()
    for request in requests:
        found.add(request)
    return found


def near_each_other(requests: Sequence[str]) -> int:
    """How many requests share `NEAR` of their words with another of them."""
    found = bags_of(requests)
    return sum(any(other != at for other in found.near(bag)) for at, bag in enumerate(found.bags))


def words_of(text: str) -> frozenset[str]:
    """ "Files? List all!" -> files, list, all"""
    return frozenset(re.findall(r"\w+", text.lower()))


def share(one: frozenset[str], two: frozenset[str]) -> float:
    """Words of both over words of either."""
    return len(one & two) / max(1, len(one | two))
