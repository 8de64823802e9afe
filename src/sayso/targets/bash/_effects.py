"""What utilities do to the machine, by name, flag and sub-command, from `data/effects.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

DATA = Path(__file__).parent / "data" / "effects.toml"


@dataclass(frozen=True, slots=True)
class Effects:
    """`level` maps a utility to reads, writes or destroys; flags and sub-commands map to levels of their own.

    `anything` holds utilities that are known by name only.
    """

    level: Mapping[str, str]
    anything: frozenset[str]
    shells: frozenset[str]
    interpreters: frozenset[str]
    flags: Mapping[str, Mapping[str, str]]
    looks: Mapping[str, frozenset[str]]
    subcommands: Mapping[str, Mapping[str, str]]


@cache
def effects() -> Effects:
    table = tomllib.loads(DATA.read_text(encoding="utf-8"))
    utilities = table["utilities"]
    return Effects(
        level=_by_word({level: utilities[level] for level in ("reads", "writes", "destroys")}),
        anything=frozenset(utilities["anything"].split()),
        shells=frozenset(utilities["shells"].split()),
        interpreters=frozenset(utilities["interpreters"].split()),
        flags={name: _by_word(levels) for name, levels in table["flags"].items()},
        looks={name: frozenset(flags.split()) for name, flags in table["looks"].items()},
        subcommands={
            name: {key.replace("/", " "): level for key, level in _by_word(levels).items()}
            for name, levels in table["subcommands"].items()
        },
    )


def _by_word(levels: Mapping[str, str]) -> dict[str, str]:
    """{"reads": "a b"} -> {"a": "reads", "b": "reads"}"""
    return {word: level for level, words in levels.items() for word in words.split()}
