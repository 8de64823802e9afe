"""A tag for every line of a document: step, condition, alternative or none."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sayso.targets.build.reading.commands import commands_of, is_command
from sayso.targets.build.reading.markup import Line

TAGS = ("step", "condition", "alternative", "none")
SECTION = re.compile(
    r"install|build|compil|requir|depend|prerequisite|getting started|quick ?start|set.?up|hacking|develop", re.I
)
CONDITION = re.compile(
    r"\b(?:requires?|required|needs?|depends? on|if you|must have|prerequisites?|or (?:later|newer))\b", re.I
)
OTHERWISE = re.compile(
    r"\b(?:alternatively|or you can|another way|instead|optional(?:ly)?|--(?:enable|disable|with|without)-)", re.I
)


def tags_of(path: str, lines: Sequence[Line]) -> list[str]:
    return [tag_of(line) for line in lines]


def tag_of(line: Line) -> str:
    inside = bool(SECTION.search(line.section))
    if line.form in ("blank", "heading", "fence", "markup"):
        return "none"
    commands = commands_of(line)
    if any(map(is_command, commands)) and (inside or line.form == "code"):
        return "alternative" if OTHERWISE.search(line.text) else "step"
    if inside and OTHERWISE.search(line.text):
        return "alternative"
    if inside and CONDITION.search(line.text):
        return "condition"
    return "none"
