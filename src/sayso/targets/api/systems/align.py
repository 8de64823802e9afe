"""Where in a request the values of its call stand: what the network is taught to copy."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from sayso.targets.api.request.words import Word, read_number, split_words
from sayso.targets.api.syntax.calls import Call
from sayso.targets.api.systems.layout import FIRST, SAME, TOP, Layout, pool_of, say

ALIKE = 0.8
LONGER = 2
"""A slip may add so many words to a value or take one away."""


@dataclass(frozen=True)
class Row:
    """One request with what is to be learnt of it."""

    words: tuple[str, ...]
    tags: tuple[int, ...]
    """0 outside, 2i + 1 the first and 2i + 2 a further word of copied slot i."""
    choices: tuple[int, ...]
    whole: bool
    """Whether every copied value was found; if not, the tags say too little."""


def align(layout: Layout, request: str, call: Call) -> Row:
    words = split_words(request)
    said = say(layout, call)
    tags = [0] * len(words)
    whole, first, same = said.whole, False, set()
    choosable = {slot for slot, _ in layout.chosen}
    # Long values first, so that a short one cannot take a word out of them.
    for slot, value in sorted(said.copied.items(), key=lambda item: -len(item[1])):
        span = find_number(words, tags, int(value)) if slot == TOP else find_value(words, tags, value)
        if span is None and slot == TOP and value == "1":
            first = True
        elif span is None and SAME + slot in choosable and _said_once(said.copied, slot):
            same.add(SAME + slot)
        elif span is None:
            whole = False
        else:
            tag = 2 * layout.copied.index(slot) + 1
            tags[span[0] : span[1]] = [tag, *([tag + 1] * (span[1] - span[0] - 1))]
    choices = []
    for slot, values in layout.chosen:
        if slot == FIRST:
            choices.append(int(first))
        elif slot.startswith(SAME):
            choices.append(int(slot in same))
        else:
            choices.append(values.index(said.chosen[slot]) + 1 if slot in said.chosen else 0)
    return Row(tuple(word.text for word in words), tuple(tags), tuple(choices), whole)


def _said_once(copied: Mapping[str, str], slot: str) -> bool:
    """Whether another slot of the same pool has the same value."""
    return any(
        other != slot and pool_of(other) == pool_of(slot) and value.casefold() == copied[slot].casefold()
        for other, value in copied.items()
    )


def find_number(words: Sequence[Word], tags: Sequence[int], number: int) -> tuple[int, int] | None:
    for length in (2, 1):
        for at in range(len(words) - length + 1):
            text = " ".join(word.text for word in words[at : at + length])
            if not any(tags[at : at + length]) and read_number(text) == number:
                return at, at + length
    return None


def find_value(words: Sequence[Word], tags: Sequence[int], value: str) -> tuple[int, int] | None:
    """The span that is the value, or the one most like it; never words that another value has."""
    wanted = [word.text.casefold() for word in split_words(value)]
    letters = squash(value)
    size = len(wanted)
    lower = [word.text.casefold() for word in words]
    best, where = ALIKE, None
    for length in sorted(range(max(1, size - 1), size + LONGER + 1), key=lambda n: abs(n - size)):
        for at in range(len(words) - length + 1):
            if any(tags[at : at + length]):
                continue
            here = lower[at : at + length]
            if here == wanted:
                return at, at + length
            text = squash("".join(here))
            if not (here[0][0].isalnum() and here[-1][-1].isalnum()):
                continue  # a stop behind the value is no part of a slip
            likeness = 0.999 if text == letters and text else SequenceMatcher(None, text, letters).ratio()
            if likeness > best + 1e-9:
                best, where = likeness, (at, at + length)
    return where


def squash(text: str) -> str:
    """Letters and digits alone: `any day.com` and AnyDay.com are the same."""
    return re.sub(r"[\W_]+", "", text.casefold())
