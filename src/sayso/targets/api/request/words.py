"""A request as words with their places, and what the network sees of a word: n-grams of letters and its shape."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

from sayso.english.words import numbers

# A name with a capital behind its apostrophe (O'Brien, D'Angelo) is one word.
WORD = re.compile(r"['’][sS](?!\w)|[^\W\d_]+['’](?=[A-Z])[^\W\d_]+|[^\W\d_]+|\d+|[^\w\s]|_")
DIGIT = re.compile(r"\d")
GRAMS, BUCKETS = 12, 4096
"""So many n-grams of a word are looked up at most, in a table of so many rows: 0 is nothing, 1 a hidden word."""
SHAPES = 6
WITHIN, BEFORE = frozenset("-/_@&.+#"), frozenset("*@#")
"""What may stand inside of a word between letters, and in front of it."""
NUMBERS = {word: value for word, value in numbers(20).items() if word != "dozen"}
TENS = {word: value for word, value in numbers(90).items() if value > 20}


@dataclass(frozen=True)
class Word:
    text: str
    start: int
    end: int


def split_words(text: str) -> list[Word]:
    """ "Bo's 3 files" -> Bo, 's, 3, files; letters and digits part, so that star3 can be copied in pieces or whole."""
    return [Word(match[0], match.start(), match.end()) for match in WORD.finditer(text)]


def whole_words(words: Sequence[Word], start: int, end: int) -> tuple[int, int]:
    """A span that does not begin or end within what was typed in one: the 3 of star3, the /maybe of sometime/maybe."""

    def touch(one: int, other: int) -> bool:
        return one >= 0 and other < len(words) and words[one].end == words[other].start

    while words[start].text.isalnum() and touch(start - 1, start):
        if words[start - 1].text.isalnum():
            start -= 1
        elif words[start - 1].text in WITHIN and touch(start - 2, start - 1) and words[start - 2].text.isalnum():
            start -= 2
        else:
            break
    if touch(start - 1, start) and words[start - 1].text in BEFORE:
        start -= 1
    while touch(end - 1, end):
        if words[end].text.isalnum():
            end += 1
        elif words[end].text in WITHIN and touch(end, end + 1) and words[end + 1].text.isalnum():
            end += 2
        else:
            break
    return start, end


@lru_cache(maxsize=65_536)
def looks(word: str) -> str:
    """Case and the digits of a number aside: 60 and 17 are the same to the network."""
    return DIGIT.sub("0", word.lower())


@lru_cache(maxsize=65_536)
def grams(word: str) -> tuple[int, ...]:
    """Rows of the n-gram table, padded with zeros; CRC-32 so that a table means the same on every machine."""
    marked = f"<{looks(word)}>"
    found = [
        crc32(marked[at : at + n].encode()) % (BUCKETS - 2) + 2 for n in (3, 4) for at in range(len(marked) - n + 1)
    ]
    found = found[:GRAMS] or [1]
    return (*found, *([0] * (GRAMS - len(found))))


@lru_cache(maxsize=65_536)
def shape(word: str) -> tuple[float, ...]:
    lower = word.lower()
    return (
        float(word.isdigit()),
        float(word[:1].isupper()),
        float(word.isupper() and len(word) > 1),
        float(lower in NUMBERS or lower in TENS),
        float(not word[0].isalnum()),
        float(len(word) > 9),
    )


def read_number(text: str) -> int | None:
    """ "twenty five", "5" or "fifth five" -> 25, 5, None"""
    words = text.lower().replace("-", " ").split()
    if len(words) == 1 and re.fullmatch(r"[0-9]{1,9}", words[0]):
        return int(words[0])
    if not words or len(words) > 2:
        return None
    if len(words) == 1:
        return NUMBERS.get(words[0], TENS.get(words[0]))
    tens, ones = (20 if words[0] == "twenty" else TENS.get(words[0])), NUMBERS.get(words[1], 0)
    return tens + ones if tens and 0 < ones < 10 else None
