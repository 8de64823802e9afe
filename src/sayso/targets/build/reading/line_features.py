"""What a tagger sees of a line: its form, its words, the command in it, its section, and the lines about it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sayso.targets.build.reading.commands import RELATIVE, SETTING, commands_of, is_command
from sayso.targets.build.reading.markup import Line
from sayso.targets.build.reading.words import patterns

WORD = re.compile(r"[a-z][a-z']+|--[a-z][\w-]*|\./[\w.-]+|[<>]=|\d+\.\d+")
TOPIC = patterns("topics")
CUES = patterns("cues")
NAMES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.I))
    for name, pattern in (
        ("install", r"install"),
        ("build", r"build|compil"),
        ("readme", r"read"),
        ("hacking", r"hack|contrib|develop"),
        ("use", r"usage|guide|manual|tutorial|howto|faq|intro"),
    )
)


def document_name(path: str) -> str:
    name = path.rpartition("/")[2]
    kind = next((kind for kind, pattern in NAMES if pattern.search(name)), "other")
    return f"{kind}{'' if '/' not in path else ' below'}"


def topics(section: str) -> list[str]:
    return [name for name, pattern in TOPIC if pattern.search(section)]


def verb_of(line: Line) -> str:
    """The program of a line's first command: "make install" -> "make install", "./configure --x" -> "./configure"."""
    for command in commands_of(line):
        parts = command.split()
        while parts and (SETTING.match(parts[0]) or parts[0] in ("sudo", "$")):
            parts = parts[1:]
        if not parts:
            continue
        first = "./" + parts[0].rpartition("/")[2] if RELATIVE.fullmatch(parts[0]) else parts[0]
        if not is_command(" ".join(parts)):
            return "unknown"
        second = parts[1] if len(parts) > 1 and parts[1].isalpha() else "-" if len(parts) > 1 else ""
        return f"{first} {second}".strip()
    return ""


def own_features(line: Line) -> list[str]:
    """Of the line alone."""
    text = line.bare.strip()
    found = [f"form {line.form}", f"indent {min(4, line.indent // 2)}", f"long {min(5, len(text) // 20)}"]
    verb = verb_of(line)
    if verb:
        found += [f"verb {verb}", f"verb {verb.split()[0]}", "has verb" if verb != "unknown" else "has code"]
        found.append(f"{line.form} verb" if verb != "unknown" else f"{line.form} code")
    found += [f"cue {name}" for name, pattern in CUES if pattern.search(text)]
    words = WORD.findall(text.lower())
    found += [f"word {word}" for word in dict.fromkeys(words)]
    if words:
        found += [f"first {words[0]}", f"begins {' '.join(words[:2])}"]
    if text.endswith(":"):
        found.append("ends colon")
    if text.endswith("\\"):
        found.append("goes on")
    if text.startswith("#"):
        found.append("comment")
    return found


def line_features(path: str, lines: Sequence[Line]) -> list[list[str]]:
    """For every line that is not blank; blank ones have none."""
    own = [own_features(line) if line.form != "blank" else [] for line in lines]
    filled = [at for at, line in enumerate(lines) if line.form != "blank"]
    name = document_name(path)
    brief = [short(own[at], lines[at]) for at in filled]
    found: list[list[str]] = [[] for _ in lines]
    for order, at in enumerate(filled):
        line = lines[at]
        about = topics(line.section)
        here = [
            *own[at],
            "always",
            f"in {name}",
            *(f"section {topic}" for topic in about),
            f"form {line.form} in {name}",
        ]
        here += [f"section {topic} {line.form}" for topic in about] or ["section none"]
        here += [f"section {topic} {one}" for topic in about for one in own[at] if one.startswith(("cue ", "has "))]
        for distance in (-2, -1, 1, 2):
            if 0 <= order + distance < len(filled):
                here += [f"{distance:+} {one}" for one in brief[order + distance]]
            else:
                here.append(f"{distance:+} edge")
        gap = at - filled[order - 1] if order else 9
        here.append(f"gap {min(3, gap)}")
        here.append(f"place {min(4, 5 * order // max(1, len(filled)))}")
        found[at] = here
    return found


def short(features: Sequence[str], line: Line) -> list[str]:
    """What neighbours may know of a line."""
    kept = [one for one in features if one.startswith(("form ", "has ", "cue ", "ends ", "goes ", "verb "))]
    return [*kept, *(f"heading {topic}" for topic in topics(line.text))] if line.form == "heading" else kept
