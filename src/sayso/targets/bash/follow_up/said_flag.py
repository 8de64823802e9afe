"""What no other move accounts for, as the flag whose line in the knowledge base says it: "with a password", `zip -e`.

Every word that means something must be in what one flag does, and in no other's as well. "words, not lines" changes
places with the flag that does the same to something else (`wc -l`), unless both are wanted.
"""

from __future__ import annotations

import re

from sayso.english.constants import word_set
from sayso.english.stems import stem
from sayso.targets.bash.effects.risk import risk_of
from sayso.targets.bash.follow_up.words import FILLERS, Edit, Found
from sayso.targets.bash.knowledge.utilities import FlagEntry, Utility, find_subcommand, find_utility
from sayso.targets.bash.syntax.line_edits import (
    Line,
    has_flag,
    read_line,
    unwrapped,
    with_flag,
    without_flags,
    words_of,
)
from sayso.targets.bash.syntax.tree import Command

SURE, HALF = 0.7, 0.5
NOT_THAT = re.compile(r",?\s+(?:not|instead of|rather than|in place of)\s+.*$", re.I)
AS_WELL = re.compile(r"\b(?:also|too|as well|both|and)\b", re.I)
PLAIN = word_set(
    """
    the a an of with as by in it its them that this to for use using show print give me only just what which is are one
    ones
    """
)
NEGATES = word_set("no not without never skip ignore hide omit leave")
ENDINGS = {"gzip": ".gz", "xz": ".xz", "bzip2": ".bz2", "zstd": ".zst"}
"""How the name of an archive ends, by the word for its packing."""


def said_flag(line: Line, clause: str, least: float = 0.0) -> Found:
    """The edit, or "" where no flag, or more than one, says all that was said; `least` of what it says must be said."""
    wanted = meant(NOT_THAT.sub("", clause))
    if not wanted:
        return ""
    for stage in reversed(line.stages):
        command = unwrapped(stage)
        entry = known(command)
        close = [one for one in entry.flags if not one.arguments and says_all(one, clause, wanted)] if entry else []
        ranked = sorted(((len(wanted) / len(does(one)), at) for at, one in enumerate(close)), reverse=True)
        # Of several the one that says little else; one alone may say more.
        if ranked and (len(ranked) == 1 or (ranked[0][0] > ranked[1][0] and ranked[0][0] >= HALF)):
            share, at = ranked[0]
            return edits(line, command, close[at], AS_WELL.search(clause) is not None) if share >= least else ""
    return ""


def edits(line: Line, command: Command, flag: FlagEntry, adds: bool) -> Found:
    entry = known(command)
    assert entry is not None
    if has_flag(command, *flag.names):
        return ""
    others = [] if adds else [one for one in entry.flags if is_sibling(one, flag) and has_flag(command, *one.names)]
    text = line.text
    for other in others:
        base = read_line(text)
        if base is not None:
            at = line.stages.index(next(one for one in line.stages if unwrapped(one) is command))
            text = without_flags(base, unwrapped(base.stages[at]), *other.names)
    base = read_line(text)
    if base is None:
        return ""
    at = next(place for place, one in enumerate(line.stages) if unwrapped(one) is command)
    text = with_flag(base, unwrapped(base.stages[at]), flag.names[0])
    for other in others:
        text = renamed(text, other, flag)
    risk = risk_of(text)
    if risk.level == "destroys" and (
        risk_of(line.text).level != "destroys" or not set(flag.names).isdisjoint(risk.words)
    ):
        return ""  # what loses something is said as a deed
    return [Edit(text, f"{flag.names[0]}: {flag.gloss}", SURE)]


def known(command: Command) -> Utility | None:
    words = [one.value or "" for one in words_of(command)]
    return find_subcommand(command.utility, words) or find_utility(command.utility)


def meant(text: str) -> frozenset[str]:
    words = (word.lower() for word in re.findall(r"[A-Za-z][A-Za-z0-9-]*", text))
    return frozenset(stem(word) for word in words if word not in PLAIN and word not in FILLERS)


def says_all(flag: FlagEntry, clause: str, wanted: frozenset[str]) -> bool:
    return wanted <= does(flag) and is_negated(NOT_THAT.sub("", clause)) is is_negated(flag.gloss)


def is_negated(text: str) -> bool:
    return not NEGATES.isdisjoint(re.findall(r"[a-z]+", text.lower()))


def does(flag: FlagEntry) -> frozenset[str]:
    return meant(f"{flag.gloss} {' '.join(name.strip('-').replace('-', ' ') for name in flag.names if len(name) > 2)}")


def is_sibling(one: FlagEntry, other: FlagEntry) -> bool:
    """ "count lines" and "count words": the same but for one word."""
    left, right = one.gloss.split(), other.gloss.split()
    return len(left) == len(right) > 1 and sum(a != b for a, b in zip(left, right, strict=True)) == 1


def renamed(text: str, old: FlagEntry, new: FlagEntry) -> str:
    """`a.tar.gz` is `a.tar.xz` where xz packs it."""
    ends = [next((end for word, end in ENDINGS.items() if f"--{word}" in one.names), "") for one in (old, new)]
    return re.sub(rf"(?<=\.tar){re.escape(ends[0])}(?=[\s'\"]|$)", ends[1], text) if all(ends) else text
