"""What a log says went wrong, by class: a table of what compilers and build tools print (`data/failures.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

TAIL = 60_000
"""Characters of a log that are read, from its end."""
MOST_SAID = 300
FRAME = re.compile(r"\s+at [\w.$/]+[(<]|\s*\.\.\. \d+ more$")
"""Lines below an exception of Java or Node that say where it was, not what."""


@dataclass(frozen=True)
class Failure:
    """`kind` is a class of the table; `what` the name that the message holds; `line` the message itself."""

    kind: str
    what: str = ""
    line: str = ""


@dataclass(frozen=True)
class Class:
    kind: str
    says: tuple[re.Pattern[str], ...]
    last: bool = False
    """Of several such messages the last counts, since tools go on after the others."""


@lru_cache(maxsize=1)
def classes() -> tuple[Class, ...]:
    text = resources.files("sayso.targets.build").joinpath("data/failures.toml").read_text("utf-8")
    return tuple(
        Class(row["kind"], tuple(re.compile(one, re.M) for one in row["says"]), row.get("last", False))
        for row in tomllib.loads(text)["class"]
    )


def read_failure(log: str, stopped: str = "") -> Failure:
    """The first class of the table that the end of a log speaks of; "unknown" where none is."""
    if stopped:
        return Failure("never ended" if stopped in ("cpu", "wall") else "too much", stopped)
    text = log[-TAIL:]
    for one in classes():
        found = sorted(matches(one, text), key=lambda match: match.start())
        if found:
            match = found[-1 if one.last else 0]
            what = (match.groupdict().get("what") or "").strip()
            return Failure(one.kind, what, line_of(text, match))
    lines = [line.strip() for line in text.splitlines() if line.strip() and not FRAME.match(line)]
    # What a compiler calls an error comes before what make says of its recipe.
    told = next((line for line in lines if ": error: " in line), lines[-1] if lines else "")
    return Failure("unknown", "", told[:MOST_SAID])


def matches(one: Class, text: str) -> Iterator[re.Match[str]]:
    for pattern in one.says:
        yield from pattern.finditer(text)


def line_of(text: str, match: re.Match[str]) -> str:
    start = text.rfind("\n", 0, match.start()) + 1
    end = text.find("\n", match.end())
    return text[start : end if end >= 0 else len(text)].strip()[:MOST_SAID]
