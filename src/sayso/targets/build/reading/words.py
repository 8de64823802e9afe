"""Lists and patterns of the readers, kept as data: data/words.toml and data/cues.toml."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

DATA = Path(__file__).parent.parent / "data"


@cache
def _read(name: str) -> dict[str, object]:
    return tomllib.loads((DATA / name).read_text("utf-8"))


def listed(name: str) -> tuple[str, ...]:
    """A list of words.toml, in its order."""
    return tuple(_read("words.toml")[name])  # type: ignore[arg-type]


def patterns(table: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """A table of cues.toml: name and pattern, in its order."""
    rows: dict[str, str] = _read("cues.toml")[table]  # type: ignore[assignment]
    return tuple((name, re.compile(pattern, re.I)) for name, pattern in rows.items())
