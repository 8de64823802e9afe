"""Constants that differ between a description and its command (NL2Bash appendix B): slips of the annotators' copying.

Appendix B found four in 100 pairs by reading. Listed here is what can be told without understanding: a constant of the
NL that the command lacks, and near it one of the command that the NL lacks. Other numbers with one or two digits, and
whole constants left out, are not listed: units, defaults and words in place of numbers account for nearly all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from sayso.english.spelling import slips
from sayso.english.tokens import CONSTANT_KINDS, tokenise
from sayso.targets.bash.corpus.nl2bash import Pair
from sayso.targets.bash.forms.structure import structure

How = Literal["case", "number", "slip"]

# Shorter words are near to too many others ("a.c", "a.o"); two slips are believed in long ones.
SHORTEST_WORD, LONG_WORD, SHORTEST_NUMBER = 4, 8, 3
NUMBER = re.compile(r"(?<![\w.])\d+")
PARTS = re.compile(r"[A-Za-z]+")
QUANTITIES = {"number", "size", "timespan", "date", "time"}


@dataclass(frozen=True)
class Mismatch:
    """What the description says and what the command has in its place."""

    id: str
    how: How
    nl: str
    command: str


def mismatches(pairs: Iterable[Pair]) -> Iterator[Mismatch]:
    """Every near miss, in order of the pairs."""
    for pair in pairs:
        yield from _names(pair)
        yield from _numbers(pair)


def _names(pair: Pair) -> Iterator[Mismatch]:
    arguments = list(dict.fromkeys(part.text for part in structure(pair.command) if part.kind == "argument"))
    for constant in _constants(pair.nl):
        if constant in pair.command:
            continue
        for argument in arguments:
            if argument not in pair.nl and (how := nearly(constant, argument, pair)):
                yield Mismatch(pair.id, how, constant, argument)
                break


def _constants(nl: str) -> list[str]:
    kinds = CONSTANT_KINDS - QUANTITIES
    found = (token.value if token.kind == "string" else token.text for token in tokenise(nl) if token.kind in kinds)
    return list(dict.fromkeys(filter(None, found)))


def nearly(constant: str, argument: str, pair: Pair) -> How | None:
    """Whether two constants differ in case alone, or by a slip in a word that only one of the two texts has."""
    if constant.lower() == argument.lower():
        return "case"
    nl, command = pair.nl.lower(), pair.command.lower()
    said = [word for word in PARTS.findall(constant.lower()) if word not in command]
    used = [word for word in PARTS.findall(argument.lower()) if word not in nl]
    return "slip" if any(is_slip(one, other) for one in said for other in used) else None


def is_slip(one: str, other: str) -> bool:
    """("access", "acess") -> True; ("file", "files") -> False"""
    if min(len(one), len(other)) < SHORTEST_WORD or one.rstrip("s") == other.rstrip("s"):
        return False
    return slips(one, other) <= (2 if len(one) >= LONG_WORD else 1)


def _numbers(pair: Pair) -> Iterator[Mismatch]:
    """One long number on either side that the other side lacks, of as many digits: "777" beside `chmod 755`."""
    said, used = set(NUMBER.findall(pair.nl)), set(re.findall(r"\d+", pair.command))
    only_said, only_used = said - used, used - said
    if len(only_said) == len(only_used) == 1:
        one, other = *only_said, *only_used
        if len(one) == len(other) >= SHORTEST_NUMBER:
            yield Mismatch(pair.id, "number", one, other)
