"""Commands in a line of a document: after a prompt, in a block of code, between backticks or quotes, or bare."""

from __future__ import annotations

import re

from sayso.targets.build.reading.markup import PROMPT, Line
from sayso.targets.build.reading.words import listed

PROGRAMS = frozenset(listed("programs"))
RELATIVE = re.compile(r"\.{1,2}/[\w./+-]*[\w+]")
SETTING = re.compile(r"[A-Za-z_]\w*=\S*$")
CODED = re.compile(
    r"``([^`\n]+)``|`([^`'\n]+)[`']|<(?:code|tt|kbd)>([^<>\n]+)</|[“\"]([^\"“”\n]{2,100})[\"”]|'([^'\n]{3,100})'|\+([^+\n]{3,80})\+"
)
COMMENT = re.compile(r"\s+#\s.*$")
LONGEST = 4_000
"""Characters of a line that somebody may have typed."""


def command_in(text: str) -> str | None:
    """A text that is a command as a whole, without its prompt; None where it is none."""
    words = COMMENT.sub("", PROMPT.sub("", text)).strip()
    return words if is_command(words) else None


def is_command(words: str) -> bool:
    """Whether its first word, after settings of variables, is a program of building, or a script in the tree."""
    parts = words.split()
    while parts and SETTING.match(parts[0]):
        parts = parts[1:]
    if not parts:
        return False
    first = parts[0].rstrip(";,.")
    return bool(RELATIVE.fullmatch(first)) or (first in PROGRAMS and not (len(parts) > 1 and parts[1] in NOT_AFTER))


NOT_AFTER = frozenset(listed("no_argument"))


def commands_of(line: Line) -> list[str]:
    """Every command in a line: the line itself in a block of code, else what stands in quotes."""
    text = line.bare
    if len(line.text) > LONGEST:
        return []
    if line.form == "code":
        words = COMMENT.sub("", PROMPT.sub("", text)).strip()
        return [words] if words and not words.startswith("#") else []
    quoted = (next(filter(None, match.groups()), "") for match in CODED.finditer(line.text))
    found = [words for words in map(command_in, quoted) if words]
    if not found and (whole := command_in(text)) and len(whole.split()) <= 12 and not whole.endswith("."):
        found = [whole]
    return found
