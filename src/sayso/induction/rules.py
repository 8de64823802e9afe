"""Synchronous rules over coded words: a word is one character, a hole is \\x00 or \\x01, so that a phrase is a string.

`X again -> X X` is Rule("\\x00a", "\\x00\\x00"): matching, replacing and "occurs in" are the string methods.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

HOLES = "\x00\x01"
UNKNOWN = "\x02"
FIRST_WORD, SURROGATES = 256, range(0xD800, 0xE000)
Span = tuple[int, int]
Spelt = tuple[str | int, ...]


@dataclass(frozen=True)
class Rule:
    """A phrase and what it means; the holes of the source are numbered from the left, each stands in the target."""

    source: str
    target: str

    @cached_property
    def arity(self) -> int:
        return sum(hole in self.source for hole in HOLES)

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The words before, between and after the holes."""
        return tuple(self.source.replace(HOLES[1], HOLES[0]).split(HOLES[0]))

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(self.source) - frozenset(HOLES)

    def fill(self, values: Sequence[str]) -> str:
        """The target with the holes filled; a value holds no holes itself."""
        text = self.target
        for hole, value in zip(HOLES, values, strict=False):
            text = text.replace(hole, value)
        return text


class Coder:
    """Words to single characters and back, numbered in the order in which they were first met."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.codes: dict[str, str] = {}
        self.words: dict[str, str] = {}
        for word in words:
            self.add(word)

    def add(self, word: str) -> str:
        code = self.codes.get(word)
        if code is None:
            number = FIRST_WORD + len(self.codes)
            code = chr(number if number < SURROGATES.start else number + len(SURROGATES))
            self.codes[word], self.words[code] = code, word
        return code

    def learn(self, text: str) -> str:
        return "".join(self.add(word) for word in text.split())

    def encode(self, text: str) -> str:
        """A text in codes; words that were never met become one code that no rule holds."""
        return "".join(self.codes.get(word, UNKNOWN) for word in text.split())

    def decode(self, text: str) -> str:
        return " ".join(self.words[code] for code in text)

    def spell(self, text: str) -> Spelt:
        """One side of a rule as words and numbers of holes, whatever the codes are."""
        return tuple(HOLES.index(code) if code in HOLES else self.words[code] for code in text)

    def unspell(self, side: Spelt) -> str:
        return "".join(HOLES[item] if isinstance(item, int) else self.add(item) for item in side)


class Book:
    """Rules with what finds those that fit a span: by the whole phrase, or by the rarest word of a frame."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self.phrases: defaultdict[str, list[int]] = defaultdict(list)
        self.frames: defaultdict[str, list[int]] = defaultdict(list)
        heard: defaultdict[str, int] = defaultdict(int)
        for rule in self.rules:
            for word in rule.words:
                heard[word] += 1
        for number, rule in enumerate(self.rules):
            if rule.arity:
                self.frames[min(rule.words, key=lambda word: (heard[word], word), default="")].append(number)
            else:
                self.phrases[rule.source].append(number)
        self.longest = max(map(len, self.phrases), default=0)

    def frames_for(self, text: str) -> list[int]:
        """The rules with holes whose words all stand in the text."""
        present = frozenset(text)
        keys = ("", *sorted(present))
        return [number for key in keys for number in self.frames.get(key, ()) if self.rules[number].words <= present]

    def matches(self, text: str) -> Iterator[tuple[Span, int, tuple[Span, ...]]]:
        """(span, rule, spans of its holes) for every rule that fits, shorter spans first."""
        frames = [(number, self.rules[number].parts) for number in self.frames_for(text)]
        for width in range(1, len(text) + 1):
            for start in range(len(text) - width + 1):
                end = start + width
                if width <= self.longest:
                    for number in self.phrases.get(text[start:end], ()):
                        yield (start, end), number, ()
                for number, parts in frames:
                    for holes in holes_of(parts, text, start, end):
                        yield (start, end), number, holes


def holes_of(parts: tuple[str, ...], text: str, start: int, end: int) -> Iterator[tuple[Span, ...]]:
    """Where the holes of a frame lie if it covers text[start:end]."""
    left, right = start + len(parts[0]), end - len(parts[-1])
    if right - left < 1 or not text.startswith(parts[0], start) or not text.endswith(parts[-1], left, end):
        return
    if len(parts) == 2:
        yield ((left, right),)
        return
    between = parts[1]
    at = text.find(between, left + 1, right - 1) if between else left + 1
    while at >= 0 and at + len(between) < right:
        yield (left, at), (at + len(between), right)
        at = text.find(between, at + 1, right - 1) if between else at + 1
