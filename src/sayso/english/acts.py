"""A request of several acts as its acts: "unzip a.zip, go into it and list the files" is three.

A part begins behind a joint (a comma, "and", "then") with a word that orders something. What is quoted is never torn.
"""

from __future__ import annotations

import re

from sayso.english.words import listed

JOINT = re.compile(
    r",?\s+(?:and(?:\s+(?:then|also|finally|afterwards))?|then|after that|afterwards)\s+"
    r"|\s*[,;]\s+(?:(?:and\s+)?(?:then|finally|also|afterwards)\s+)?"
    r"|(?<=\w)\.\s+(?:then\s+|after that\s+)?",
    re.I,
)
QUOTED = re.compile(r"\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|`[^`]*`|\([^()]*\)|“[^”]*”|‘[^’]*’")
VERBS = listed("two_deeds.verbs") | listed("acts.verbs")
ALONE = listed("acts.alone")
"""Verbs that are an act without another word."""
POLITE = re.compile(r"^(?:please|now|just|also|then|finally|first|and|i want to|can you|could you)\s+", re.I)
LATER = re.compile(r"[\s,]+(?:afterwards|after that|after|as well|too|please|for me|next|again)$", re.I)
STEM = {"saving": "save", "writing": "write", "storing": "store", "sending": "send", "putting": "put"}
GERUND = re.compile(rf"^({'|'.join(STEM)})\s+", re.I)
MOST = 5
MOST_JOINTS = 12
"""What has more places to part at is a text."""


def acts(text: str) -> tuple[str, ...]:
    """The acts of a request in their order; a single one where it asks for one, or for more than a person types."""
    text = text.strip().rstrip(" .!?")
    quoted = [match.span() for match in QUOTED.finditer(text)]
    joints = [one for one in JOINT.finditer(text) if not any(a < one.end() and one.start() < b for a, b in quoted)]
    if len(joints) > MOST_JOINTS:
        return (text,)
    parts, start = [], 0
    for joint in joints:
        if text[start : joint.start()].strip() and is_order(text[joint.end() :]):
            parts.append(text[start : joint.start()])
            start = joint.end()
    parts.append(text[start:])
    found = tuple(tidy(part) for part in parts)
    return found if len(found) <= MOST and all(found) else (text,)


def is_order(rest: str) -> bool:
    """Whether what follows a joint begins an act of its own."""
    words = POLITE.sub("", rest).split(maxsplit=1)
    if not words:
        return False
    first = words[0].lower().strip(",;.:")
    is_ended = len(words) == 1 or words[0][-1] in ",;" or JOINT.match(f" {words[1]}") is not None
    return first in ALONE if is_ended else first in VERBS


def tidy(part: str) -> str:
    """Without what only joins it: "then please sort them afterwards" -> "sort them"."""
    part = part.strip(" ,;.")
    part = GERUND.sub(lambda match: f"{STEM[match[1].lower()]} ", part)
    while (shorter := LATER.sub("", POLITE.sub("", part)).strip(" ,;")) != part:
        part = shorter
    return part
