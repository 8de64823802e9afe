"""The word lists of English, as data: `data/words.toml`. A list is asked for by its table and name."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "data" / "words.toml"


@cache
def tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def text_of(name: str) -> str:
    """ "deeds.losses" -> its words, as they stand there."""
    table, _, key = name.partition(".")
    return str(tables()[table][key])


def listed(name: str) -> frozenset[str]:
    """ "fitting.links" -> the set of its words."""
    return frozenset(text_of(name).split())


def numbers(most: int = 1_000_000) -> dict[str, int]:
    """What number words come to, up to `most`."""
    return {word: value for word, value in tables()["numbers"].items() if value <= most}


def superlatives() -> dict[str, tuple[str, bool]]:
    """ "newest" -> what to sort by, and whether the most of it comes first."""
    return {
        word: (key, which == "most")
        for key, listed in tables()["superlatives"].items()
        for which, found in listed.items()
        for word in found
    }


QUOTED = r"'[^']*'|\"[^\"]*\"|`[^`]*`"
"""Text in quotes, of whatever kind a terminal knows."""
