"""A signal: something a file of the tree asks for by a name of some kind, before the package behind it is known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sayso.targets.build.reading.tree import Evidence

LONGEST = 120


@dataclass(frozen=True)
class Signal:
    """`kind` is header, library, pkg-config, cmake, a language, program, macro, prose or tree."""

    kind: str
    name: str
    evidence: Evidence
    optional: bool = False
    use: str = "build"
    """build, run or test, as the file says."""


@dataclass(frozen=True)
class Text:
    """A file with its lines, so that an offset is a line."""

    path: str
    text: str

    def at(self, offset: int) -> Evidence:
        line = self.text.count("\n", 0, offset) + 1
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        shown = self.text[start : end if end >= 0 else len(self.text)].strip()
        return Evidence(self.path, line, shown[:LONGEST])


def words_of(text: str) -> list[str]:
    """ "[foo >= 1.2 bar]" -> ["foo", "bar"]: names without versions, brackets and variables."""
    text = re.sub(r"[<>=!]=?\s*[\w.$@{}()+-]+", " ", text)
    words = re.split(r"[\s,\[\]\"'();]+", text)
    return [word for word in words if re.fullmatch(r"[A-Za-z_][\w.+/:-]*", word)]


def balanced(text: str, start: int, most: int = 4000) -> str:
    """What stands between the bracket at `start` and its partner, or all that is left."""
    depth, end = 0, min(len(text), start + most)
    for at in range(start, end):
        if text[at] == "(":
            depth += 1
        elif text[at] == ")":
            depth -= 1
            if depth == 0:
                return text[start + 1 : at]
    return text[start + 1 : end]


def calls(text: str, name: re.Pattern[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Every `NAME ( … )` with its arguments."""
    for match in name.finditer(text):
        if text[match.end() - 1 : match.end()] == "(":
            yield match, balanced(text, match.end() - 1)


def arguments(text: str) -> list[str]:
    """Split at commas outside brackets and quotes of m4 or Meson."""
    found, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        if sign in "[({":
            depth += 1
        elif sign in "])}":
            depth -= 1
        elif sign == "," and depth <= 0:
            found.append(text[start:at])
            start = at + 1
    return [part.strip().strip("[]").strip() for part in [*found, text[start:]]]
