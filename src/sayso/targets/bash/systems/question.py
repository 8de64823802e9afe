"""One question back where two readings are close: what the two commands differ in, as choices (NL2Bash §6.3).

Pure: from two commands to a question, or None where they differ in more than one thing. A thing is a utility, a flag,
a value, a file, or a whole stage of the pipeline; what it does is taken from the knowledge base.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from sayso.core.errors import BadInstruction
from sayso.core.types import Question
from sayso.english.stems import stem
from sayso.english.words import listed
from sayso.targets.bash.forms.canonical import canonical
from sayso.targets.bash.review.explain import LINKS, notes
from sayso.targets.bash.syntax.line_edits import Line, read_line
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Argument, Command, Flag, Inner, InnerScript, Operand, Operator

CLOSE = 0.08
"""The second reading is close when its confidence is less than this below the first one's."""
SURE = 0.95
"""A first reading as sure as this is not asked about."""
LONGEST, SHORT = 70, 40
# Words that say nothing of the difference.
WEAK = listed("question.weak")
KINDS = {"-type f": "files", "-type d": "folders", "-type l": "links"}
# What a condition of find keeps, as one would say it, and what there is without it.
KEPT = (
    (re.compile(r"-i?name (\S+|'[^']*'|\"[^\"]*\")"), "only those named {}", "all of them"),
    (re.compile(r"-mtime -(\d+)"), "changed in the last {} days", "whenever they changed"),
    (re.compile(r"-mtime \+(\d+)"), "unchanged for {} days", "whenever they changed"),
    (re.compile(r"-mmin -(\d+)"), "changed in the last {} minutes", "whenever they changed"),
    (re.compile(r"-size \+(\w+)"), "larger than {}", "of any size"),
    (re.compile(r"-size -(\w+)"), "smaller than {}", "of any size"),
    (re.compile(r"-maxdepth (1)"), "in the folder itself", "in all folders below it too"),
    (re.compile(r"-(empty)"), "only {} ones", "all of them"),
)
# Utilities whose flag says what they do.
BY_FLAG = ("wc", "cut", "uniq")


@dataclass(frozen=True)
class Part:
    """One thing of a command: its text, and where its explanation begins."""

    kind: str
    text: str
    start: int
    owner: str = ""


def question_for(readings: Sequence[tuple[str, float]], request: str = "") -> Question | None:
    """From (command, confidence), best first: what tells the two best apart, where they are close and differ in one.

    None where the request itself names what only one of them does: "all directories" asks for no files.
    """
    if len(readings) < 2:
        return None
    (first, sure), (second, less) = readings[:2]
    if not 0 < sure < SURE or sure - less > CLOSE:
        return None
    question = question_between(first, second)
    return question if question and not _is_told(question, request) else None


def _is_told(question: Question, request: str) -> bool:
    asked = _words(request)
    (one, _), (other, _) = question.choices
    return bool(asked & (_words(one) - _words(other))) != bool(asked & (_words(other) - _words(one)))


def _words(text: str) -> set[str]:
    """Stems of the words that tell something, a directory being a folder."""
    words = re.findall(r"[a-z0-9]{3,}", text.lower().replace("directories", "folders").replace("directory", "folder"))
    return {stem(word) for word in words} - WEAK


def question_between(first: str, second: str) -> Question | None:
    """("ls -t", "ls -S") -> sort by modification time (-t), or sort by size (-S)?"""
    lines = [_canonical_line(one) for one in (first, second)]
    if lines[0] is None or lines[1] is None or lines[0].text == lines[1].text:
        return None
    difference = _difference(lines[0], lines[1])
    if difference is None:
        return None
    labels = [_label(lines[0], difference[0], difference[1]), _label(lines[1], difference[1], difference[0])]
    if labels[0] == labels[1]:
        return None
    return Question(f"{_capital(labels[0])}, or {labels[1]}?", ((labels[0], first), (labels[1], second)))


def _canonical_line(command: str) -> Line | None:
    try:
        return read_line(canonical(parse(command), command))
    except BadInstruction:
        return None


def _difference(one: Line, other: Line) -> tuple[Part | None, Part | None] | None:
    """The one part that each has and the other has not; None where there are more, or none."""
    mine: list[Part] = []
    theirs: list[Part] = []
    stages, others = _stages(one), _stages(other)
    matcher = SequenceMatcher(None, [part.owner for part in stages], [part.owner for part in others], autojunk=False)
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag != "equal":
            mine += stages[first:last]
            theirs += others[start:end]
            continue
        for left, right in zip(one.stages[first:last], other.stages[start:end], strict=True):
            more, less = _apart(_parts(left, one), _parts(right, other))
            mine += more
            theirs += less
    if len(mine) > 1 or len(theirs) > 1 or not (mine or theirs):
        return None
    return (mine[0] if mine else None, theirs[0] if theirs else None)


def _apart(own: list[Part], their: list[Part]) -> tuple[list[Part], list[Part]]:
    known, others = {(p.kind, p.text) for p in own}, {(p.kind, p.text) for p in their}
    more = [part for part in own if (part.kind, part.text) not in others]
    return more, [part for part in their if (part.kind, part.text) not in known]


def _stages(line: Line) -> list[Part]:
    return [Part("stage", line.text[one.start : one.end], one.start, one.utility) for one in line.stages]


def _parts(command: Command, line: Line) -> list[Part]:
    found = [_part(one, line, command.utility) for one in command.arguments]
    return [*found, *(Part("redirect", line.text[r.start : r.end], r.start) for r in command.redirects)]


def _part(argument: Argument, line: Line, owner: str) -> Part:
    if isinstance(argument, Flag):
        text = line.text[argument.start : argument.end]
        # A letter of a cluster stands for the whole flag.
        return Part(
            "flag",
            text if text.startswith("-") or argument.style != "cluster" else argument.name,
            argument.start,
            owner,
        )
    if isinstance(argument, Operand):
        return Part("value", argument.word.text, argument.word.start, owner)
    if isinstance(argument, Operator):
        return Part("operator", argument.text, argument.start, owner)
    if isinstance(argument, Inner):
        inner = argument.command
        return Part("stage", line.text[inner.start : inner.end], inner.start, inner.utility)
    assert isinstance(argument, InnerScript)
    return Part("stage", " ".join(word.text for word in argument.words), argument.words[0].start, owner)


def _label(line: Line, part: Part | None, other: Part | None) -> str:
    """What this reading does that the other does not: "count lines (wc -l)", "without -i"."""
    if part is None:
        return (_kept(other)[1] or f"without {_short(other.text)}") if other else ""
    if said := _kept(part)[0]:
        return f"{said} ({_short(part.text)})"
    if part.text in KINDS:
        return f"{KINDS[part.text]} ({part.text})"
    written = _short(part.text)
    if part.kind == "value" or (other and part.kind == other.kind == "flag" and _name(part) == _name(other)):
        return written
    gloss = _gloss(line, part)
    return f"{gloss} ({written})" if gloss and len(gloss) <= LONGEST else written


def _kept(part: Part) -> tuple[str, str]:
    """What find keeps by a condition, and what it finds without: -size +1M -> "larger than 1M", "of any size"."""
    for pattern, phrase, without in KEPT if part.owner == "find" else ():
        if match := pattern.fullmatch(part.text):
            said = phrase.format(match[1].strip("'\""))
            return said.replace(" 1 days", " day").replace(" 1 minutes", " minute"), without
    return "", ""


def _gloss(line: Line, part: Part) -> str:
    """What is known of it; a stage with one flag does what the flag says: `wc -l` counts lines."""
    inside = [note for note in notes(line.text) if part.start <= note.start < part.start + len(part.text)]
    if part.text.startswith(("-exec ", "-execdir ")) and len(inside) > 1:
        utility, *rest = inside[1:]
        counts = [note.gloss for note in rest if note.text.startswith("-")]
        return f"{counts[0] if counts and utility.text in BY_FLAG else utility.gloss} of each"
    flags = [note for note in inside if note.text.startswith("-")]
    chosen = flags[0] if part.kind == "stage" and len(flags) == 1 and part.owner in BY_FLAG else None
    gloss = chosen.gloss if chosen else next((note.gloss for note in inside if note.start == part.start), "")
    gloss = "" if gloss in LINKS.values() else re.split("[:;]", gloss)[0].strip()
    return gloss.split(",")[0] if len(gloss) > SHORT and part.kind == "stage" else gloss


def _name(part: Part) -> str:
    return part.text.split()[0].split("=")[0]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
