"""The nouns of planning: the tree, a step with what is behind it, and what was not chosen and why."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sayso.targets.build.reading.tree import Evidence

PREFIX = "/usr/local"


def at(file: str, line: int = 0, text: str = "") -> Evidence:
    """Line 0 is the file as such."""
    return Evidence(file, line, text)


def place(evidence: Evidence) -> str:
    """ "README.md:12" """
    return f"{evidence.file}:{evidence.line}" if evidence.line else evidence.file


@dataclass(frozen=True)
class Said:
    """One command that a document tells to run, with its place, the heading above it and the line that leads to it;
    `kind` is what the readers take it for: step, condition or alternative."""

    command: str
    cause: Evidence
    section: str = ""
    lead: str = ""
    kind: str = "step"


@dataclass(frozen=True)
class Ground:
    """A source tree: every file with whether it can be executed, and the text of those that may be read."""

    files: Mapping[str, bool]
    texts: Mapping[str, str]
    said: tuple[Said, ...] = ()

    def has(self, path: str) -> bool:
        return path in self.files

    def text(self, path: str) -> str:
        """ "" where it is no text, too large, or not there."""
        return self.texts.get(path, "") if path in self.files else ""

    @cached_property
    def folders(self) -> Mapping[str, tuple[str, ...]]:
        """Every folder, "" for the top, with the names of the files in it."""
        found: dict[str, list[str]] = {"": []}
        for path in self.files:
            folder, _, name = path.rpartition("/")
            found.setdefault(folder, []).append(name)
        return {folder: tuple(names) for folder, names in found.items()}

    def below(self, folder: str) -> Iterator[str]:
        """The files below a folder, as paths from the top."""
        start = f"{folder}/" if folder else ""
        return (path for path in self.files if path.startswith(start))


@dataclass(frozen=True)
class Step:
    """A command of the script; `does` is what it is for: fetch, prepare, configure, build or install."""

    command: str
    does: str
    causes: tuple[Evidence, ...] = ()
    why: str = ""

    @property
    def cause(self) -> Evidence | None:
        return self.causes[0] if self.causes else None


@dataclass(frozen=True)
class Alternative:
    """What could have been done instead, and why it was not."""

    what: str
    why: str
    script: str = ""


@dataclass(frozen=True)
class Plan:
    """Steps in order; `system` names the build system, `folder` where it is called."""

    system: str
    folder: str = ""
    steps: tuple[Step, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    notes: tuple[str, ...] = ()
    """What was left out of the plan on purpose, in words."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What repairs may look up: the build folder, the Makefile."""

    @property
    def script(self) -> str:
        return "\n".join(step.command for step in self.steps)


def entered(folder: str) -> str:
    """The command that goes into a folder, one word of the shell whatever its name is."""
    return f"cd {shlex.quote(folder)}"


def inside(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
