"""What utilities do to the machine, by name, flag and sub-command, from `data/effects.toml` and `subcommands.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"
LEVELS = ("reads", "writes", "destroys", "unknown")


@dataclass(frozen=True, slots=True)
class ReadingMode:
    """Flags that choose a mode that reads, and those that leave it one."""

    flags: frozenset[str]
    beside: frozenset[str]


@dataclass(frozen=True, slots=True)
class Effects:
    """`level` maps a utility to reads, writes or destroys; flags map to levels of their own, or to `anyway`.

    `looks` are flags with which it only looks whatever else is said, `reading` those that need to stand alone among
    modes. `anything` holds utilities that are known by name only, `modes` those whose flags say what they do, `tools`
    those whose sub-commands do.
    """

    level: Mapping[str, str]
    anything: frozenset[str]
    shells: frozenset[str]
    interpreters: frozenset[str]
    flags: Mapping[str, Mapping[str, str]]
    looks: Mapping[str, frozenset[str]]
    reading: Mapping[str, tuple[ReadingMode, ...]]
    modes: frozenset[str]
    tools: frozenset[str]


@dataclass(frozen=True, slots=True)
class Look:
    """Forms of a sub-command that only read: flags that change nothing, flags that ask, most operands without one."""

    quiet: frozenset[str]
    shows: frozenset[str]
    operands: int


@dataclass(frozen=True, slots=True)
class Tool:
    """The sub-commands of one tool by level; `path` are the words that its own name stands for (docker-compose)."""

    path: tuple[str, ...]
    levels: Mapping[str, str]
    bare: str
    rehearses: frozenset[str]
    rehearsed: frozenset[str]
    looks: Mapping[str, Look]


@cache
def effects() -> Effects:
    table = tomllib.loads((DATA / "effects.toml").read_text(encoding="utf-8"))
    utilities = table["utilities"]
    return Effects(
        level=_by_word({level: utilities[level] for level in ("reads", "writes", "destroys")}),
        anything=frozenset(utilities["anything"].split()),
        shells=frozenset(utilities["shells"].split()),
        interpreters=frozenset(utilities["interpreters"].split()),
        flags={name: _by_word(levels) for name, levels in table["flags"].items()},
        looks={name: frozenset(flags.split()) for name, flags in table["looks"].items()},
        reading=_reading(table["reading"]),
        modes=frozenset(utilities["modes"].split()),
        tools=frozenset(utilities["tools"].split()),
    )


def _reading(rows: Sequence[Mapping[str, str]]) -> dict[str, tuple[ReadingMode, ...]]:
    found: dict[str, tuple[ReadingMode, ...]] = {}
    for row in rows:
        mode = ReadingMode(frozenset(row["flags"].split()), frozenset(row.get("beside", "").split()))
        found |= {name: (*found.get(name, ()), mode) for name in row["of"].split()}
    return found


@cache
def tools() -> Mapping[str, Tool]:
    """Every tool with sub-commands. A file of its own, so that only commands with such a tool wait for it."""
    table = tomllib.loads((DATA / "subcommands.toml").read_text(encoding="utf-8"))
    return {name: _tool(table, name) for name in table}


def _tool(table: Mapping[str, Mapping[str, object]], name: str) -> Tool:
    like, *path = str(table[name].get("like", name)).split()
    row = table[like]
    levels = _by_word({level: str(row.get(level, "")) for level in LEVELS})
    looks = row.get("looks", {})
    assert isinstance(looks, Mapping)
    return Tool(
        path=tuple(path),
        levels={key.replace("/", " "): level for key, level in levels.items()},
        bare=str(row.get("bare", "unknown")),
        rehearses=frozenset(str(row.get("rehearses", "")).split()),
        rehearsed=frozenset(str(row.get("rehearsed", "")).split()),
        looks={key: _look(form) for key, form in looks.items()},
    )


def _look(form: Mapping[str, object]) -> Look:
    quiet, shows = (frozenset(str(form.get(key, "")).split()) for key in ("quiet", "shows"))
    return Look(quiet, shows, int(str(form.get("operands", -1))))


def _by_word(levels: Mapping[str, str]) -> dict[str, str]:
    """{"reads": "a b"} -> {"a": "reads", "b": "reads"}"""
    return {word: level for level, words in levels.items() for word in words.split()}
