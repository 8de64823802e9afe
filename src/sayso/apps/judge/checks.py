"""What is wrong, or looks wrong, with an answer before it is saved: no sentence, or phrasings that are too alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sayso.apps.judge.constants import Mismatch, constant_mismatches, words_of
from sayso.apps.judge.items import Answer, Item

# Okapi §3.2: a question shares on average 19 % of its words with its canonical utterance.
TOO_CLOSE = 0.6


@dataclass(frozen=True)
class Problem:
    """A fatal problem cannot be saved, another is shown and may be saved anyway. `field` counts the texts from 0."""

    message: str
    fatal: bool = False
    field: int = 0


def problems(item: Item, answer: Answer) -> list[Problem]:
    """Everything to say about this answer, in the order of its texts."""
    if item.kind == "verdicts":
        missing = [option.text for option in item.options if option.text not in answer.verdicts]
        told = f"no verdict yet on {len(missing)} of {len(item.options)} candidates"
        return [Problem(told, fatal=True)] if missing else []
    if item.kind == "describe":
        found = list(_sentence(answer.texts[0], 0))
        return found or [Problem(str(mismatch)) for mismatch in _told_once(answer.texts[0], item.text)]
    if item.kind == "phrase":
        return [*_sentence(answer.texts[0], 0), *_sentence(answer.texts[1], 1)] or list(_alike(item, answer))
    return []


_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'(?!\w)|`[^`]*`|“[^”]*”")
_BREAK = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bNo)[.!?][\"')\]]*\s+(?=[A-Z\"'(])")


def is_single_sentence(text: str) -> bool:
    """NL2Bash §3.1: one sentence. What stands in quotes does not count."""
    masked = _QUOTED.sub("q", text.strip())
    return "\n" not in masked and not _BREAK.search(masked)


def word_overlap(one: str, other: str) -> float:
    """Jaccard similarity of the lower-cased words (Okapi §3.2)."""
    a, b = words_of(one), words_of(other)
    return len(a & b) / len(a | b) if a | b else 1.0


def _sentence(text: str, field: int) -> Iterator[Problem]:
    if not words_of(text):
        yield Problem("write a sentence first", fatal=True, field=field)
    elif not is_single_sentence(text):
        yield Problem("write one single sentence", fatal=True, field=field)


def _told_once(text: str, command: str) -> Iterator[Mismatch]:
    """Of two constants that name each other, only the one in the text."""
    found = constant_mismatches(text, command)
    pairs = {(one.constant, one.near) for one in found if one.only_in == "text"}
    return (one for one in found if one.only_in == "text" or (one.near, one.constant) not in pairs)


def _alike(item: Item, answer: Answer) -> Iterator[Problem]:
    first, second = answer.texts
    if words_of(first) == words_of(second):
        yield Problem("the two phrasings must differ", fatal=True, field=1)
    elif (overlap := word_overlap(first, second)) >= TOO_CLOSE:
        yield Problem(f"the two phrasings share {overlap:.0%} of their words: try another way to ask", field=1)
    for field, text in enumerate(answer.texts):
        if (overlap := word_overlap(text, item.canonical)) >= TOO_CLOSE:
            yield Problem(f"shares {overlap:.0%} of its words with the given wording: say it as you would", field=field)
