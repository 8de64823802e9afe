"""Numbers as people say them: 40, 25k, 1.2 million, two dozen, three and a half, a quarter of an hour, minus 15."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sayso.english.words import numbers
from sayso.targets.api.specs.words import Token, data, stop_words

SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12}
ENDINGS = {"k": 1000, "m": 10**6, "mio": 10**6, "bn": 10**9}
PARTS = {"half": 0.5, "quarter": 0.25, "third": 1 / 3}
SMALL = {"couple": 2, "pair": 2}
OF = ("of", "a", "an")
DIGITS = re.compile(r"[-−]?[\d,]+(?:\.\d+)?(?:[eE][-+]?\d+)?")
SUFFIXED = re.compile(r"(?P<n>[-−]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?P<unit>(?:[a-zA-Zµ°]{1,5}(?:/\w+)?)?)")
"""300K, 100g, 1e-9, 20m/s"""


@dataclass(frozen=True)
class Quantity:
    value: float | int
    last: int
    """The token behind it."""
    is_written: bool
    """In digits."""


def whole(number: float) -> float | int:
    return round(number) if abs(number - round(number)) < 1e-9 else number


def unit_of(words: Sequence[Token], last: int) -> str:
    """The word behind a number: of "a quarter of an hour" the hour."""
    while last < len(words) and words[last].low in OF:
        last += 1
    if last < len(words) and words[last].kind == "word" and words[last].low not in stop_words():
        return words[last].low
    return ""


def word_value(low: str) -> float | int | None:
    """five, twenty-five, hundred"""
    known = numbers()
    if low in known:
        return int(known[low])
    tens, _, ones = low.partition("-")
    if ones in known and tens in known and known[tens] % 10 == 0 and known[ones] < 10:
        return int(known[tens]) + int(known[ones])
    return None


def digits_value(words: Sequence[Token], at: int) -> float | int:
    found = DIGITS.match(words[at].text)
    assert found
    plain = found[0].replace(",", "").replace("−", "-")
    if plain.startswith("-") and at and words[at - 1].end == words[at].start and words[at - 1].kind != "mark":
        plain = plain[1:]
    number: float | int = float(plain) if re.search(r"[.eE]", plain) else int(plain[:18])
    return -number if at and words[at - 1].low == "minus" else number


def quantity(words: Sequence[Token], at: int) -> Quantity | None:
    """The number that begins at a token, with all that belongs to it."""
    low, last = words[at].low, at + 1
    after = [token.low for token in words[at + 1 : at + 5]]
    if low in PARTS and low != "third" and after[:1] and after[0] in OF:
        if after[1:2] == ["dozen"]:
            return Quantity(6, at + 3, False)
        return Quantity(PARTS[low], at + 1, False)
    if low in SMALL:
        return Quantity(SMALL[low], last, False)
    is_written = words[at].kind == "number"
    if is_written and words[at].text[-1:].isalpha():
        return None
    value = digits_value(words, at) if is_written else word_value(low)
    if value is None:
        return None
    if not is_written and value >= 20 and value < 100 and after[:1] and 0 < (word_value(after[0]) or 0) < 10:
        value, last = value + (word_value(after[0]) or 0), last + 1
    while last < len(words) and words[last].low in SCALES:
        value, last = value * SCALES[words[last].low], last + 1
        more = word_value(words[last].low) if last < len(words) else None
        if more is not None and more < 100 and not is_written:
            value, last = value + more, last + 1
    behind = [token.low for token in words[last : last + 3]]
    if behind[:2] == ["and", "a"] and behind[2:] and behind[2] in PARTS:
        value, last = value + PARTS[behind[2]], last + 3
    elif behind[:2] in (["and", "half"],):
        value, last = value + 0.5, last + 2
    return Quantity(whole(value), last, is_written)


FIRSTS = frozenset(str(data()["spans"]["firsts"]).split())


def is_count(words: Sequence[Token], at: int, last: int) -> bool:
    """3 films, five newest reviews, the first 5."""
    if at and words[at - 1].low in FIRSTS:
        return True
    for behind in words[last : last + 3]:
        if behind.kind != "word" or behind.low in stop_words():
            return False
        if behind.low.endswith("s") and not behind.low.endswith("ss") and len(behind.low) > 3:
            return True
    return False
