"""What is known of utilities: their flags with argument types, operands and glosses, from `data/utilities.jsonl`.

One utility a line: {"name", "gloss", "syntax", "like"?, "operands": [TYPE…], "flags": [{"names", "argument"?,
"optional"?, "gloss"?, "dialects"?, "differs"?, "instead"?, "same"?}]}. docs/concepts/knowledge-base.md says what each
field means and how the file is made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

DATA = Path(__file__).parents[1] / "data" / "utilities.jsonl"

SYNTAXES = {
    "getopt": "flags anywhere, clustered short ones, --long=value",
    "first": "flags only before the first operand",
    "find": "paths, then an expression",
    "dd": "operands written name=value",
    "tar": "getopt, or a first word of letters without a dash",
    "ps": "getopt, or words of letters without a dash",
    "mode": "getopt, and a mode operand that may begin with a dash (chmod)",
    "single": "long flags with one dash (dig, xclip)",
    "open": "long flags with one dash, and more of them than are known here (g++, convert)",
    "test": "an expression of operators and operands",
    "words": "flags only before the first operand, and only known letters are flags (echo)",
    "signal": "getopt, and a signal or number as a flag (kill -9)",
    "count": "getopt, and a bare number as a flag (head -5)",
    "subcommands": "flags, then a sub-command with flags of its own, which stands in the line `git commit`",
}
DIALECTS = ("gnu", "bsd", "busybox")
MOST_WORDS = 3


@dataclass(frozen=True, slots=True)
class FlagEntry:
    names: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    optional: bool = False
    gloss: str = ""
    dialects: tuple[str, ...] = DIALECTS
    instead: bool = False
    same: str = ""
    differs: str = ""


@dataclass(frozen=True, slots=True)
class Utility:
    name: str
    gloss: str
    syntax: str
    operands: tuple[str, ...]
    flags: tuple[FlagEntry, ...]
    index: Mapping[str, FlagEntry] = field(default_factory=dict, repr=False)

    def flag(self, name: str) -> FlagEntry | None:
        """The entry of a flag; an unambiguous beginning of a long name is enough, as in getopt_long."""
        entry = self.index.get(name)
        if entry is None and name.startswith("--") and len(name) > 2:
            near = {id(e): e for n, e in self.index.items() if n.startswith(name)}
            if len(near) == 1:
                return next(iter(near.values()))
        return entry


# How a name becomes what is known of it: `find_utility`, or one that also asks this machine's index.
Find = Callable[[str], Utility | None]
START = '{"name": "'


@cache
def _lines() -> Mapping[str, str]:
    """Each line by its name. One is read only when its utility is asked for: reading all would slow every start."""
    lines = DATA.read_text(encoding="utf-8").splitlines()
    return {line[len(START) : line.index('"', len(START))]: line for line in lines if line}


def utility_names() -> Collection[str]:
    """The names of all known utilities; those of sub-commands hold a blank (`git commit`)."""
    return _lines().keys()


def utilities() -> Mapping[str, Utility]:
    """Every known utility by name."""
    return {name: _known(name) for name in _lines()}


def find_utility(name: str) -> Utility | None:
    return _known(name) if name in _lines() else None


def find_subcommand(utility: str, words: Sequence[str], find: Find = find_utility) -> Utility | None:
    """The entry of `git commit` for git and [commit, …]; the longest name that is known: `docker container ls`."""
    for n in range(min(len(words), MOST_WORDS), 0, -1):
        if all(words[:n]) and (found := find(" ".join([utility, *words[:n]]))):
            return found
    return None


@cache
def _known(name: str) -> Utility:
    row = json.loads(_lines()[name])
    like = row.get("like", "")
    return utility_from(row, json.loads(_lines()[like]) if like in _lines() else None)


def utility_from(row: Mapping[str, object], parent: Mapping[str, object] | None = None) -> Utility:
    """The utility that a line describes, with the flags of the one that it is like."""
    own = _flags(row)
    if parent:
        taken = {name for flag in own for name in flag.names}
        own += tuple(flag for flag in _flags(parent) if not taken & set(flag.names))
    operands = row.get("operands", parent.get("operands", []) if parent else [])
    syntax = row.get("syntax") or (parent or {}).get("syntax") or "getopt"
    index = {name: flag for flag in own for name in flag.names}
    return Utility(str(row["name"]), str(row.get("gloss", "")), str(syntax), _strings(operands), own, index)


def _flags(row: Mapping[str, object]) -> tuple[FlagEntry, ...]:
    flags = row.get("flags", [])
    assert isinstance(flags, list)
    return tuple(
        FlagEntry(
            _strings(flag["names"]),
            tuple(str(flag.get("argument", "")).split()),
            bool(flag.get("optional", False)),
            str(flag.get("gloss", "")),
            _strings(flag.get("dialects", DIALECTS)),
            bool(flag.get("instead", False)),
            str(flag.get("same", "")),
            str(flag.get("differs", "")),
        )
        for flag in flags
    )


def _strings(values: object) -> tuple[str, ...]:
    assert isinstance(values, (list, tuple))
    return tuple(map(str, values))
