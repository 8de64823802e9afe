"""What a command asks of its tools that BSD's or busybox's do not do: flags they lack or read in another way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sayso.core.types import Finding
from sayso.targets.bash.knowledge.utilities import FlagEntry
from sayso.targets.bash.syntax.tree import Command, Flag, Script, commands
from sayso.targets.bash.syntax.utility import entry_at

NAMES = {"bsd": "BSD's", "busybox": "busybox's"}


def lacking(script: Script, dialects: Mapping[str, str]) -> list[Finding]:
    """`dialects` says whose a utility is: (find . -printf x, {"find": "busybox"}) -> "find here is busybox's …"."""
    return [
        said(utility, dialect, flag, known(entry, dialect) or "that is not there")
        for utility, dialect, flag, entry in _known_flags(script, dialects)
        if dialect not in entry.dialects
    ]


def differing(script: Script, dialects: Mapping[str, str]) -> list[Finding]:
    """Flags that these tools have, with another meaning or another form."""
    return [
        said(utility, dialect, flag, text)
        for utility, dialect, flag, entry in _known_flags(script, dialects)
        if dialect in entry.dialects and (text := known(entry, dialect))
    ]


def said(utility: str, dialect: str, flag: Flag, text: str) -> Finding:
    return Finding(f"{utility} here is {NAMES[dialect]}; {flag.name}: {text}", flag.start, flag.end)


def known(entry: FlagEntry, dialect: str) -> str:
    """What the knowledge base says of a flag elsewhere, where it speaks of this dialect."""
    return entry.differs if dialect in entry.differs.lower() else ""


def _known_flags(script: Script, dialects: Mapping[str, str]) -> Iterator[tuple[str, str, Flag, FlagEntry]]:
    for one in commands(script):
        if one.utility in dialects:
            for flag, entry in _entries(one):
                yield one.utility, dialects[one.utility], flag, entry


def _entries(command: Command) -> Iterator[tuple[Flag, FlagEntry]]:
    for flag in command.arguments:
        utility = entry_at(command, flag.start) if isinstance(flag, Flag) else None
        if isinstance(flag, Flag) and utility and (entry := utility.flag(flag.name)):
            yield flag, entry
