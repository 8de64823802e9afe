"""Which pairs are near a request that somebody is measured by; those requests are compared, never shown.

Near is: the same normalised request; the same canonical command; or four fifths of the words of both in common.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sayso.english.stems import normalise_request
from sayso.targets.bash.corpus.unseen import canonical_or_text

SAME_REQUEST = "request of a held-out part"
SAME_WORDS = "nearly a request of a held-out part"
SAME_COMMAND_ASKED_ALIKE = "command of a held-out part, asked in like words"
SAME_COMMAND = "command of a held-out part, asked in other words"
NEAR, ALIKE = 0.8, 0.5


@dataclass(frozen=True)
class Held:
    """A request of a part that is held out, with commands that are right for it; `part` is its name."""

    part: str
    request: str
    commands: tuple[str, ...] = ()


@dataclass(frozen=True)
class HeldIndex:
    """Everything held out, by normalised request, by canonical command and by word."""

    requests: dict[str, str] = field(default_factory=dict)
    commands: dict[str, list[int]] = field(default_factory=dict)
    postings: dict[str, list[int]] = field(default_factory=dict)
    bags: list[frozenset[str]] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    def reason(self, request: str, key: str, canonical: str) -> tuple[str, str]:
        """Why a pair is too near, and to which part; two empty texts where it is not. `key` is the normalised NL."""
        if key in self.requests:
            return SAME_REQUEST, self.requests[key]
        bag = words_of(request)
        if (at := self.nearest(bag)) is not None:
            return SAME_WORDS, self.parts[at]
        with_command = self.commands.get(canonical, [])
        for at in with_command:
            if share(bag, self.bags[at]) >= ALIKE:
                return SAME_COMMAND_ASKED_ALIKE, self.parts[at]
        return (SAME_COMMAND, self.parts[with_command[0]]) if with_command else ("", "")

    def nearest(self, bag: frozenset[str]) -> int | None:
        """The first that shares `NEAR` of the words, if there is any."""
        return min(near_ones(bag, self.bags, self.postings), default=None)


def held_index(held: Iterable[Held]) -> HeldIndex:
    index = HeldIndex()
    for at, one in enumerate(held):
        bag = words_of(one.request)
        index.requests.setdefault(normalise_request(one.request), one.part)
        index.bags.append(bag)
        index.parts.append(one.part)
        for word in bag:
            index.postings.setdefault(word, []).append(at)
        for command in dict.fromkeys(map(canonical_or_text, one.commands)):
            index.commands.setdefault(command, []).append(at)
    return index


def near_ones(
    bag: frozenset[str], bags: Sequence[frozenset[str]], postings: Mapping[str, Sequence[int]]
) -> Iterator[int]:
    """The bags that share `NEAR` of the words; `postings` says which bags have a word."""
    # Two bags that share so much have one of the rarest few words of either in common.
    rarest = sorted(bag, key=lambda word: (len(postings.get(word, ())), word))
    few = rarest[: len(bag) - math.ceil(NEAR * len(bag)) + 1]
    seen = {at for word in few for at in postings.get(word, ())}
    return (at for at in seen if share(bag, bags[at]) >= NEAR)


def near_each_other(requests: Sequence[str]) -> int:
    """How many requests share `NEAR` of their words with another of them."""
    bags = [words_of(request) for request in requests]
    postings: dict[str, list[int]] = {}
    for at, bag in enumerate(bags):
        for word in bag:
            postings.setdefault(word, []).append(at)
    return sum(any(other != at for other in near_ones(bag, bags, postings)) for at, bag in enumerate(bags))


def words_of(text: str) -> frozenset[str]:
    """ "Files? List all!" -> files, list, all"""
    return frozenset(re.findall(r"\w+", text.lower()))


def share(one: frozenset[str], two: frozenset[str]) -> float:
    """Words of both over words of either."""
    return len(one & two) / max(1, len(one | two))
