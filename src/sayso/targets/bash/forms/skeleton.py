"""A command taken apart into a template with typed slots and the texts of its arguments, and put together again.

`find /tmp -mtime +7` -> `find @Path -mtime +@Timespan` and [/tmp, 7]. Unlike `template`, which is made to compare,
this one keeps everything else as it is written, so that filling the slots gives the command back (NL2Bash §6.3).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from sayso.core.errors import BadInstruction
from sayso.targets.bash.forms.template import SIGNED
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Command, Flag, Operand, Word, commands, scripts_in
from sayso.targets.bash.syntax.types import CLOSED, TYPES

SLOT = re.compile("@(" + "|".join(sorted(TYPES, key=len, reverse=True)) + r")(?![A-Za-z])")
# What these types hold is more command, or a program: no constant that a request would name.
KEPT = {"Command", "Script", "Utility"}


@dataclass(frozen=True)
class Argument:
    """One argument with its type, and what stands before it: `owner` is the utility, `flag` the flag or ""."""

    start: int
    end: int
    type: str
    text: str
    owner: str
    flag: str


Habit = tuple[str, str, str]
"""(utility, flag, text): an argument that commands have though nobody asks for it, such as find's `.`."""


@dataclass(frozen=True)
class Skeleton:
    """`template` has one slot for each of `arguments`, in order."""

    template: str
    arguments: tuple[Argument, ...]


def skeleton(command: str, habits: Collection[Habit] = ()) -> Skeleton:
    """Text that does not parse is a template without slots; habits stay in the template as they are written."""
    try:
        found = sorted(typed_words(command), key=lambda one: (one.start, -one.end))
    except BadInstruction:
        return Skeleton(command, ())
    out: list[str] = []
    kept: list[Argument] = []
    done = 0
    for one in found:
        if one.start >= done and (one.owner, one.flag, one.text) not in habits:
            out += [command[done : one.start], "@", one.type]
            kept.append(one)
            done = one.end
    template = "".join([*out, command[done:]])
    # A command that spells a slot itself could not be put together again.
    return Skeleton(template, tuple(kept)) if len(slots_of(template)) == len(kept) else Skeleton(command, ())


def slots_of(template: str) -> list[str]:
    """The types of its slots, in order."""
    return SLOT.findall(template)


def filled(template: str, texts: Sequence[str]) -> str:
    """The template with its slots filled in order; a slot that nothing is left for stays."""
    left = iter(texts)
    return SLOT.sub(lambda slot: next(left, slot[0]), template)


def typed_words(command: str) -> Iterator[Argument]:
    """Every word that is an argument of an open type and is written out in the command."""
    for one in commands(parse(command)):
        for word, kind, flag in words_of(one):
            if kind in CLOSED or kind in KEPT or word.value == "{}" or not word.text or any(scripts_in(word)):
                continue
            if command[word.start : word.end] != word.text:
                continue
            signed = kind in SIGNED and len(word.text) > 1 and word.text[0] in "+-/"
            start = word.start + signed
            yield Argument(start, word.end, kind or "String", command[start : word.end], one.utility, flag)


def words_of(command: Command) -> Iterator[tuple[Word, str, str]]:
    """Each word of a command with its type and its flag."""
    for argument in command.arguments:
        if isinstance(argument, Operand):
            yield argument.word, argument.type, ""
        elif isinstance(argument, Flag) and not argument.inner and not argument.script:
            for word, kind in zip(argument.values, (*argument.types, *[""] * len(argument.values)), strict=False):
                yield word, kind, argument.name
    for redirect in command.redirects:
        if redirect.target and not redirect.operator.endswith("&") and not redirect.operator.startswith("<<"):
            yield redirect.target, "File", redirect.operator
