"""How a follow-up is read: the table's entry, numbers in words, and words that carry nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sayso.english.words import listed, numbers

NUMBERS = {**numbers(100), "a hundred": 100, "a dozen": 12, "a couple of": 2}
UNKNOWN = "I do not know how to change it by"
# Words that may stand around what a follow-up says without changing it.
FILLERS = listed("follow_up.fillers")


@dataclass(frozen=True)
class Edit:
    """A new text of the command, why it does what was asked, and how sure that is."""

    text: str
    why: str
    sure: float = 0.9


# What a move gives back: edits, or the reason why it cannot be done to this command.
Found = list[Edit] | str


def said(found: re.Match[str], group: str, otherwise: str = "") -> str:
    """What a group of the pattern caught, in small letters; patterns of one edit need not have the same groups."""
    return " ".join((found.groupdict().get(group) or otherwise).lower().split())


def number(text: str) -> int:
    return int(text) if text.isdigit() else NUMBERS[" ".join(text.lower().split())]


def left_over(clause: str, found: re.Match[str]) -> list[str]:
    """The words around a match that mean something."""
    around = f"{clause[: found.start()]} {clause[found.end() :]}"
    return [word for word in re.findall(r"[\w'/.~*-]+|[^\w\s]", around) if word.lower().strip(".") not in FILLERS]
