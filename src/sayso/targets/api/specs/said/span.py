"""One value that a request names: where it stands, what it could be, and which side of a bound it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sayso.targets.api.specs.words import Token, data


def listed(name: str) -> list[str]:
    return str(data()["spans"][name]).split()


def phrases_of(name: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(phrase.split()) for phrase in " ".join(data()["bounding"][name].split()).split(", "))


CLOSERS = frozenset(listed("closers"))


@dataclass(frozen=True)
class Span:
    """Tokens first:last of a request, and the value that they come to."""

    first: int
    last: int
    kind: str
    """number, ordinal, quoted, date, year, decade, email, url, id, name, words, tail or list"""
    value: Any
    text: str
    unit: str = ""
    """The word behind a number."""
    bound: str = ""
    """low or high where a word before it says so: since, at most."""
    counts: bool = False
    """A number of things: 3 films, the first 5."""

    def clashes(self, other: Span) -> bool:
        return self.first < other.last and other.first < self.last


LOW = phrases_of("low")
HIGH = phrases_of("high")
LOW_AFTER = phrases_of("low_after")
HIGH_AFTER = phrases_of("high_after")


def bound_of(words: Sequence[Token], first: int, last: int) -> str:
    low = [token.low for token in words]
    for phrases, side in ((HIGH, "high"), (LOW, "low")):
        for phrase in phrases:
            if first >= len(phrase) and tuple(low[first - len(phrase) : first]) == phrase:
                if side == "low" and any(tuple(low[max(0, first - len(one)) : first]) == one for one in HIGH):
                    continue
                return side
    behind = low[last : last + 3]
    for skip in (0, 1):
        for phrases, side in ((LOW_AFTER, "low"), (HIGH_AFTER, "high")):
            if any(tuple(behind[skip : skip + len(phrase)]) == phrase for phrase in phrases):
                return side
    return ""


def covered(words: Sequence[Token], start: int, end: int) -> list[int]:
    """Places of the tokens that lie between two characters."""
    return [at for at, token in enumerate(words) if token.start >= start and token.end <= end]


NO_NAMES = frozenset(("I", "I'm", "I'd", "I'll", "I've", "I’m", "A"))


def capital(token: Token) -> bool:
    return token.kind == "word" and token.text[:1].isupper() and token.text not in NO_NAMES


RANGED = ("to", "and", "until", "till", "through", "-", "–")
