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
THROWN = re.compile(r"\s*(?:Caused by: )?[\w.]*(?:Error|Exception): \S")
"""What a program of Python, Java or Node died of."""
ELSEWHERE = re.compile(r"\s*(?:note|hint): ")
"""What pip and cargo print behind an error, to say where it stands."""


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
    return Failure("unknown", "", told_of(text)[:MOST_SAID])


def told_of(text: str) -> str:
    """The line that says what went wrong, of a kind that no class is of: what a compiler calls an error comes before
    what make says of its recipe, and what a program died of before what pip says of that."""
    lines = [line for line in text.splitlines() if line.strip() and not FRAME.match(line)]
    compiled = (line for line in lines if ": error: " in line)
    thrown = (line for line in reversed(lines) if THROWN.match(line))
    rest = (line for line in reversed(lines) if not ELSEWHERE.match(line))
    return next((line.strip() for some in (compiled, thrown, rest) for line in some), "")


def matches(one: Class, text: str) -> Iterator[re.Match[str]]:
    for pattern in one.says:
        yield from pattern.finditer(text)


def line_of(text: str, match: re.Match[str]) -> str:
    start = text.rfind("\n", 0, match.start()) + 1
    end = text.find("\n", match.end())
    return text[start : end if end >= 0 else len(text)].strip()[:MOST_SAID]
