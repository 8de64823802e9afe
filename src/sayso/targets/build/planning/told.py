"""What documents say of a tool: simple commands out of the lines that they tell to run, with the place of each."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sayso.targets.build.planning.plan import Ground
from sayso.targets.build.reading.tree import Evidence

BETWEEN = re.compile(r"\s*(?:&&|\|\||;|\n)\s*")
BEFORE = re.compile(r"^(?:\$|%|>|#)\s+|^(?:sudo|doas|time|nice)\s+(?:-\w+\s+)*|^(?:[A-Z_]+=\S*\s+)+(?=\S)")
FILLED_IN = re.compile(r"[<>{}…]|\.\.\.|\[|\]|\bpath/to\b|/path\b|XXX|YOUR|your[-_]", re.I)


@dataclass(frozen=True)
class Words:
    """A simple command as its words."""

    words: tuple[str, ...]
    cause: Evidence

    @property
    def tool(self) -> str:
        return self.words[0].rpartition("/")[2]

    @property
    def rest(self) -> tuple[str, ...]:
        return self.words[1:]


def simple_commands(command: str) -> Iterator[tuple[str, ...]]:
    """ "cd src && sudo make install" -> ("cd", "src"), ("make", "install")"""
    for part in BETWEEN.split(command.strip()):
        text = part
        while (shorter := BEFORE.sub("", text, count=1)) != text:
            text = shorter
        try:
            words = shlex.split(text, comments=True)
        except ValueError:
            continue
        if words:
            yield tuple(words)


def told_words(ground: Ground) -> list[Words]:
    return [Words(words, one.cause) for one in ground.said for words in simple_commands(one.command)]


def of_tool(told: Sequence[Words], *tools: str) -> list[Words]:
    return [one for one in told if one.tool in tools]


def first_cause(told: Sequence[Words], tools: Sequence[str], *needed: str) -> tuple[Evidence, ...]:
    """Where a tool is first told to be run with these words; nothing where it never is."""
    for one in told:
        if one.tool in tools and all(word in one.rest for word in needed):
            return (one.cause,)
    return ()


IDLE = re.compile(
    r"(?i)debug|maintainer|profil|werror|gcov|coverage|sanit|asan|valgrind|verbose|silent-rules|prefix|doc|test|example|CMAKE_|^-?-?(?:CC|CXX|V|CFLAGS|"
    r"CXXFLAGS|LDFLAGS|D?BUILD_TEST\w*)="
)
"""Options that concern whoever works on the program, or whose value belongs to one machine."""


def settled_options(told: Sequence[Words], pattern: re.Pattern[str]) -> tuple[list[str], tuple[Evidence, ...]]:
    """Options that stand in every line in which a tool is called: a plain call says that none is needed."""
    if not told:
        return [], ()
    each = [
        [word for word in one.rest if pattern.fullmatch(word) and not FILLED_IN.search(word) and not IDLE.search(word)]
        for one in told
    ]
    kept = [option for option in each[0] if all(option in others for others in each[1:])]
    return kept, (told[0].cause,) if kept else ()
