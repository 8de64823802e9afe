"""What this machine's index of manual pages knows of a utility, and what it adds to the shipped knowledge base.

`manual/index.py` makes the index; this module only asks it, one line at a time.
"""

from __future__ import annotations

import json
import mmap
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from sayso.targets.bash.knowledge.utilities import Find, Utility, find_utility, utility_from

NAME = "man-index.jsonl"
PURPOSE = re.compile(r'^{"name": ("(?:[^"\\]|\\.)*"), "gloss": ("(?:[^"\\]|\\.)+"), ', re.MULTILINE)


class Purpose(NamedTuple):
    """A tool of this machine and the line that its manual gives as its purpose."""

    name: str
    gloss: str


@dataclass(frozen=True, slots=True)
class MachineIndex:
    """The index in a cache folder. It holds only the path, so that it pickles; a missing index knows nothing."""

    cache: Path

    def exists(self) -> bool:
        return (self.cache / NAME).is_file()

    def find(self, name: str) -> Utility | None:
        """A utility, or a sub-command (`git commit`), without reading the rest of the index."""
        path = self.cache / NAME
        return _find(path, stamp_of(path), name)

    def purposes(self) -> tuple[Purpose, ...]:
        """Every tool that has a purpose, without what is known of its flags; sub-commands are left out."""
        path = self.cache / NAME
        return _purposes(path, stamp_of(path))

    def lookup(self, name: str) -> Utility | None:
        """What is known of a utility here: `lookup` over the shipped base and this index."""
        return lookup(name, self)


@lru_cache(maxsize=256)
def _find(path: Path, stamp: str, name: str) -> Utility | None:
    """`stamp` changes with the file, so that a new index is asked anew."""
    try:
        line = _find_line(path, f'\n{{"name": {json.dumps(name, ensure_ascii=False)}, '.encode())
        return utility_from(json.loads(line)) if line else None
    except (ValueError, KeyError, TypeError, AssertionError):
        return None


@lru_cache(maxsize=1)
def _purposes(path: Path, stamp: str) -> tuple[Purpose, ...]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ()
    found = (Purpose(*map(json.loads, match.groups())) for match in PURPOSE.finditer(text))
    return tuple(one for one in found if " " not in one.name)


def _find_line(path: Path, start: bytes) -> bytes:
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
            at = text.find(start)
            end = text.find(b"\n", at + 1) if at >= 0 else -1
            return text[at + 1 : end] if end > at >= 0 else b""
    except (OSError, ValueError):  # an empty file cannot be mapped
        return b""


def lookup(name: str, machine: MachineIndex | None, shipped: Find = find_utility) -> Utility | None:
    """The shipped base first; utilities and flags that it lacks from this machine's index."""
    known = shipped(name)
    local = machine.find(name) if machine else None
    if known is None or local is None:
        return known or local
    further = tuple(flag for flag in local.flags if not any(one in known.index for one in flag.names))
    index = {**known.index, **{one: flag for flag in further for one in flag.names}}
    return replace(known, flags=known.flags + further, index=index)


def stamp_of(path: Path) -> str:
    """What changes when a file does."""
    try:
        status = path.stat()
    except OSError:
        return "0 0"
    return f"{status.st_mtime_ns} {status.st_size}"
