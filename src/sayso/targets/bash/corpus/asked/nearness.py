"""Which pairs are near a request that somebody is measured by; those requests are compared, never shown.

Near is: the same normalised request; the same canonical command; or four fifths of the words of both in common.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sayso.english.near_words import Bags, share, words_of
from sayso.english.stems import normalise_request
from sayso.targets.bash.corpus.unseen import canonical_or_text

SAME_REQUEST = "request of a held-out part"
SAME_WORDS = "nearly a request of a held-out part"
SAME_COMMAND_ASKED_ALIKE = "command of a held-out part, asked in like words"
SAME_COMMAND = "command of a held-out part, asked in other words"
ALIKE = 0.5


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
    words: Bags = field(default_factory=Bags)
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
            if share(bag, self.words.bags[at]) >= ALIKE:
                return SAME_COMMAND_ASKED_ALIKE, self.parts[at]
        return (SAME_COMMAND, self.parts[with_command[0]]) if with_command else ("", "")

    def nearest(self, bag: frozenset[str]) -> int | None:
        """The first that shares `NEAR` of the words, if there is any."""
        return min(self.words.near(bag), default=None)


def held_index(held: Iterable[Held]) -> HeldIndex:
    index = HeldIndex()
    for at, one in enumerate(held):
        index.requests.setdefault(normalise_request(one.request), one.part)
        index.words.add(one.request)
        index.parts.append(one.part)
        for command in dict.fromkeys(map(canonical_or_text, one.commands)):
            index.commands.setdefault(command, []).append(at)
    return index
