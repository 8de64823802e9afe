"""Which lines of a document are instructions for building a source: steps, conditions, alternatives (§5, stage 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sayso.targets.build.reading.commands import commands_of
from sayso.targets.build.reading.markup import Line, read_lines
from sayso.targets.build.reading.tagger import TAGS, Tagger, tags_of
from sayso.targets.build.reading.tree import Evidence

Kind = Literal["step", "condition", "alternative"]


@dataclass(frozen=True)
class Instruction:
    """A command, or None where a sentence says it; `section` is the heading above."""

    command: str | None
    kind: Kind
    evidence: Evidence
    section: str


def read_instructions(path: str, text: str, tagger: Tagger = "hand") -> list[Instruction]:
    """In the order of the document; a line with several commands has one for each."""
    lines = read_lines(text)
    found: list[Instruction] = []
    for line, tag in zip(lines, tags_of(path, lines, tagger), strict=True):
        if tag in TAGS[:-1]:
            found += said_of(path, line, tag)
    return joined(found)


def said_of(path: str, line: Line, kind: str) -> Sequence[Instruction]:
    evidence = Evidence(path, line.number, line.text.strip())
    commands: list[str | None] = list(commands_of(line)) or [None]
    return [Instruction(command, kind, evidence, line.section) for command in commands]  # type: ignore[arg-type]


def joined(found: Sequence[Instruction]) -> list[Instruction]:
    """A command that goes on in the next line, after a backslash, is one command at its first line."""
    whole: list[Instruction] = []
    for one in found:
        last = whole[-1] if whole else None
        if (
            last
            and last.command
            and last.command.endswith("\\")
            and one.command
            and one.evidence.file == last.evidence.file
        ):
            command = f"{last.command[:-1].rstrip()} {one.command}"
            whole[-1] = Instruction(command, last.kind, last.evidence, last.section)
        else:
            whole.append(one)
    return whole
