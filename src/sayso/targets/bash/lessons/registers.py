"""One request in the words of different people: ordered, asked, as a fragment, politely, and now and then mistyped.

Values stand in the text as single private characters until the end, so that none of this touches them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from sayso.targets.bash.lessons.values import FOLDER

FIRST_MARK = 0xE000
MARK = re.compile("[\ue000-\uf8ff]")
WORD = re.compile(r"[A-Za-z]+")
WRAPPED, SYNONYM, CAPITAL, FULL_STOP, TYPO = 0.45, 0.2, 0.2, 0.08, 0.05
SHORTEST_TYPO = 4


@dataclass(frozen=True)
class Registers:
    """The lists of `registers.toml`; `wrappers` by what the request is: imperative, question or fragment."""

    verbs: frozenset[str]
    questions: frozenset[str]
    wrappers: Mapping[str, tuple[str, ...]]
    also: Mapping[str, tuple[str, ...]]


@cache
def registers() -> Registers:
    table = tomllib.loads((FOLDER / "registers.toml").read_text(encoding="utf-8"))
    return Registers(
        frozenset(table["verbs"].split()),
        frozenset(table["questions"].split()),
        {kind: tuple(table[kind]) for kind in ("imperative", "question", "fragment")},
        {word: tuple(text.split()) for word, text in table["also"].items()},
    )


def mark(number: int) -> str:
    """The character that stands for the value with this number."""
    return chr(FIRST_MARK + number)


def kind_of(text: str) -> str:
    """'delete the file' -> imperative; 'how many files' -> question; 'files over 1 MB' -> fragment"""
    known = registers()
    first = text.partition(" ")[0].lower().strip(",")
    return "question" if first in known.questions else "imperative" if first in known.verbs else "fragment"


def said_by_somebody(text: str, values: Sequence[str], random: Random) -> str:
    """The request in some register, with the values in it."""
    known = registers()
    words = []
    for word in text.split(" "):
        others = known.also.get(word)
        words.append(random.choice(others) if others and random.random() < SYNONYM else word)
    text = " ".join(words)
    if random.random() < TYPO:
        text = with_typo(text, random)
    if random.random() < WRAPPED:
        text = random.choice(known.wrappers[kind_of(text)]).format(text)
    if random.random() < CAPITAL:
        text = text[:1].upper() + text[1:]
    if random.random() < FULL_STOP and text[-1] not in "?." and not MARK.match(text[-1]):
        text += "."
    return MARK.sub(lambda found: values[ord(found[0]) - FIRST_MARK], text)


def with_typo(text: str, random: Random) -> str:
    """One longer word with a letter lost, doubled or exchanged with its neighbour."""
    words = [found for found in WORD.finditer(text) if len(found[0]) >= SHORTEST_TYPO]
    if not words:
        return text
    found = random.choice(words)
    at = found.start() + random.randrange(1, len(found[0]) - 1)
    how = random.randrange(3)
    middle = "" if how == 0 else text[at] * 2 if how == 1 else text[at + 1] + text[at]
    return text[:at] + middle + text[at + 1 + (how == 2) :]
