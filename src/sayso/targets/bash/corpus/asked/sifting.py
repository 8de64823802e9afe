"""What may stay of what the writers wrote: each check once, in this order, with a count of what it drops."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sayso.core.progress import Progress, silent
from sayso.english.near_words import NEAR
from sayso.english.stems import normalise_request
from sayso.targets.bash.corpus.asked import nearness
from sayso.targets.bash.corpus.asked.nearness import HeldIndex
from sayso.targets.bash.corpus.asked.pairs import KINDS, REGISTERS, AskedPair, asked_pair
from sayso.targets.bash.language import Parsed
from sayso.targets.bash.syntax.tree import Flag, Operand, commands

MOST_ALIKE = 8
WRITTEN = frozenset(("Program", "Format"))
"""Types of arguments that are a small language of their own."""
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
COLUMNS = "not five columns"
UNNAMED = "kind or register unknown"
UNPARSED = "does not parse"
FLAG = "flag that the tool is not known to have"
WRITTEN_WRONG = "another finding"
TWICE = "the same pair twice"
ASKED_TWICE = "the same request with another command"
CAPPED = "more than eight of a template"
GROUNDS = {
    COLUMNS: "kind, who, register, request, command; none empty, no control characters",
    UNNAMED: f"kinds are {', '.join(KINDS)}; registers {', '.join(REGISTERS)}",
    UNPARSED: "as the parser of Bash reads it",
    FLAG: "by what we know of the tool, which lacks some real flags",
    WRITTEN_WRONG: "a missing or surplus argument, a value of a wrong type",
    TWICE: "equal normalised request and canonical command",
    ASKED_TWICE: "equal normalised request; the first by id stays",
    nearness.SAME_REQUEST: "equal normalised request",
    nearness.SAME_WORDS: f"{NEAR:.0%} of the words of both in common",
    nearness.SAME_COMMAND_ASKED_ALIKE: f"equal canonical command, {nearness.ALIKE:.0%} of the words in common",
    nearness.SAME_COMMAND: "equal canonical command, fewer words in common",
    CAPPED: f"of more than {MOST_ALIKE} commands of one template those with the least digests stay",
}


@dataclass
class Sifted:
    """What stays, what is dropped by reason, and how many were near to each held-out part."""

    kept: list[AskedPair] = field(default_factory=list)
    read: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    near: Counter[str] = field(default_factory=Counter)


def sift(
    rows: Iterable[tuple[str, Sequence[str]]],
    held: HeldIndex,
    progress: Progress = silent,
    programs_apart: bool = False,
) -> Sifted:
    """(writer, columns) of every line -> what may be published."""
    found = Sifted()
    pairs: list[AskedPair] = []
    for writer, columns in rows:
        found.read += 1
        if reason := misshapen(columns):
            found.dropped[reason] += 1
        else:
            pairs.append(asked_pair(writer, columns))
    # By id, so that the order of files and lines changes nothing.
    pairs.sort(key=lambda pair: pair.id)
    commands: dict[str, str] = {}
    alike: dict[str, list[AskedPair]] = {}
    for at, pair in enumerate(pairs, 1):
        parsed, key = Parsed(pair.command), normalise_request(pair.request)
        reason = wrong(parsed)
        if not reason and key in commands:
            reason = TWICE if commands[key] == parsed.canonical else ASKED_TWICE
        if not reason:
            reason, part = held.reason(pair.request, key, parsed.canonical)
            found.near.update([part] if part else [])
        if reason:
            found.dropped[reason] += 1
        else:
            commands[key] = parsed.canonical
            shape = template_with_programs(parsed) if programs_apart else parsed.template
            alike.setdefault(shape, []).append(pair)
        if at % 500 == 0 or at == len(pairs):
            progress("pairs checked", at, len(pairs))
    for some in alike.values():
        found.kept += sorted(some, key=lambda pair: pair.digest)[:MOST_ALIKE]
        found.dropped[CAPPED] += max(0, len(some) - MOST_ALIKE)
    found.dropped = Counter({reason: found.dropped[reason] for reason in GROUNDS if found.dropped[reason]})
    return found


def template_with_programs(parsed: Parsed) -> str:
    """`awk '{print $2}' a.txt` -> `awk Program File` and `{w $0}`: templates call any two programs of awk alike."""
    typed = [
        (word.text, kind)
        for command in commands(parsed.tree)
        for argument in command.arguments
        for word, kind in (
            [(argument.word, argument.type)]
            if isinstance(argument, Operand)
            else zip(argument.values, argument.types, strict=False)
            if isinstance(argument, Flag)
            else ()
        )
    ]
    shapes = [re.sub(r"\d+", "0", re.sub(r"[^\W\d]{3,}", "w", text)) for text, kind in typed if kind in WRITTEN]
    return " ".join([parsed.template, *shapes])


def misshapen(columns: Sequence[str]) -> str:
    """Why a line is no pair, "" where it is one."""
    if len(columns) != 5 or not all(column.strip() for column in columns):
        return COLUMNS
    if any(CONTROL.search(column.strip()) for column in columns):
        return COLUMNS
    return "" if columns[0].strip() in KINDS and columns[2].strip() in REGISTERS else UNNAMED


def wrong(parsed: Parsed) -> str:
    """Why a command is not believed; a tool that is not known here is no reason."""
    if parsed.error:
        return UNPARSED
    messages = [finding.message for finding in parsed.findings if finding.known]
    if not messages:
        return ""
    return FLAG if any(" has no flag " in message for message in messages) else WRITTEN_WRONG
