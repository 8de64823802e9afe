"""Whether values change what a command is built of: the same recipe with a plain word in their place has one outline.

A value that adds an option, a command, an expansion or a worse risk has got out of its word, whatever the recipe's
quotes and the utility made of it.
"""

from __future__ import annotations

import re

from sayso.cookbook.entry import Slot
from sayso.core.errors import BadInstruction
from sayso.targets.bash.effects.risk import DECEIVES, risk_of
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Flag, Literal, Operator, commands

STAND_IN = "saysovalue"
# No value of these characters can get out of a word; ~ and * are for whoever writes paths.
PLAIN = re.compile(r"(?![-])[\w./@:+,=%~*?-]+", re.ASCII)
GIVEN_AS_COMMAND = frozenset(("command", "script"))

Outline = tuple[tuple[str, ...], ...]


def is_plain(value: str) -> bool:
    return PLAIN.fullmatch(value) is not None


def stand_in(slot: Slot, value: str) -> str:
    """A plain word for a value; what the user gave as a command stands for itself."""
    if slot.type in GIVEN_AS_COMMAND:
        return value
    word = STAND_IN + slot.name  # one word for two slots would say that they are the same file
    if slot.type == "pattern" and value.startswith("-"):
        return f"-{word}"  # it follows -e, which is no part of the value
    star = "*" if slot.type in ("glob", "starred") else ""
    return f"{word}={word}" if slot.type == "assignment" else word + star


def outline(text: str) -> Outline | None:
    """The commands of a text with their options, the expansions in their words, and the risk of all; None: unread."""
    try:
        script = parse(text)
    except BadInstruction:
        return None
    risk = "" if DECEIVES.search(text) else risk_of(text).level
    found = []
    for command in commands(script):
        parts = [command.utility, f"{len(command.redirects)} redirects"]
        for one in command.arguments:
            if isinstance(one, Flag):
                parts.append(f"{one.name} {len(one.values)}")
            else:
                parts.append(one.text if isinstance(one, Operator) else type(one).__name__)
        for word in command.words:
            parts += [type(part).__name__ for part in word.parts if not isinstance(part, Literal)]
        found.append(tuple(parts))
    return (*found, (risk,))


def same_outline(plain: Outline | None, filled: Outline | None) -> bool:
    """Whether both are built alike; where the plain word is a part of a name, the value may be."""
    if plain is None or filled is None or len(plain) != len(filled):
        return False
    if plain[-1] != filled[-1] and filled[-1] != ("",):
        return False
    pairs = zip(plain[:-1], filled[:-1], strict=True)
    return all(len(one) == len(other) and all(map(alike, one, other)) for one, other in pairs)


def alike(plain: str, filled: str) -> bool:
    return plain == filled or (STAND_IN in plain and not plain.startswith(f"-{STAND_IN}"))
