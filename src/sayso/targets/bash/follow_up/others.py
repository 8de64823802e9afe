"""Follow-ups that do the same to something else, or something else to the same: "now error.log", "no, move it"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sayso.targets.bash.follow_up.narrow import constant
from sayso.targets.bash.follow_up.words import Edit, Found, said
from sayso.targets.bash.knowledge.utilities import find_utility
from sayso.targets.bash.syntax.line_edits import Line, flags, places
from sayso.targets.bash.syntax.quote import quote_path
from sayso.targets.bash.syntax.tree import Word

FILE = re.compile(r"~?(?:[\w.@+-]*/)*[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,7}")
INTO = frozenset(("cp", "mv", "ln", "rsync", "scp", "install"))
"""Their last word is where everything before it goes."""
DEEDS = {"move": "mv", "copy": "cp", "link": "ln -s"}
PATTERN = re.compile(r"(?<=\*\.)[A-Za-z]\w{0,7}(?![\w.*])")


def other_file(line: Line, found: re.Match[str]) -> Found:
    """The one file of the command in its place: "the same for cities.txt"."""
    new = quote_path(constant(found["text"]))
    words = files_of(line)
    if len(words) != 1:
        return "it names no file" if not words else "it names several files: say which, as in `b.txt instead of a.txt`"
    return [Edit(line.replaced(words[0].start, words[0].end, new), f"{new} in place of {words[0].text}")]


def further_file(line: Line, found: re.Match[str]) -> Found:
    """One more beside those that the command works on: "and also summary.csv"."""
    new = quote_path(constant(found["text"]))
    for command in line.stages:
        words = list(places(command))
        if command.utility in INTO and len(words) > 1:
            words = words[:-1]
        if (words and command.utility != "sort") or len(words) == 1:
            entry = find_utility(command.utility)
            if entry and any(kind.endswith("…") for kind in entry.operands):
                return [Edit(line.replaced(words[-1].end, words[-1].end, f" {new}"), f"{new}, too")]
    return "it works on no file that another could stand beside"


def files_of(line: Line) -> Sequence[Word]:
    """The plain names of files among its words; what find looks for is a pattern, and no file."""
    return [word for command in line.stages for word in command.words[1:] if FILE.fullmatch(word.text)]


def other_extension(line: Line, found: re.Match[str]) -> Found:
    """ "no, png instead": the one kind of files that the command speaks of by a pattern."""
    new = said(found, "new").lstrip(".*")
    at = list(PATTERN.finditer(line.text))
    if len({one[0] for one in at}) != 1:
        return (
            "it names no kind of files" if not at else "it names several kinds: say which, as in `png instead of jpg`"
        )
    # "pdfs" is several of them; a kind that ends in s is said so where the one before does.
    new = new[:-1] if len(new) > 3 and new.endswith("s") and new not in ("less", "sass") else new
    text = line.text
    for one in reversed(at):
        text = text[: one.start()] + new + text[one.end() :]
    return [Edit(text, f"*.{new} in place of *.{at[0][0]}")]


def all_of_kind(line: Line, found: re.Match[str]) -> Found:
    """ "in all log files here": a pattern in the place of the one file."""
    words = files_of(line)
    if len(words) != 1:
        return "it names no file" if not words else "it names several files"
    folder = words[0].text.rpartition("/")[0]
    pattern = f"{folder}/*.{said(found, 'new')}" if folder else f"*.{said(found, 'new')}"
    return [Edit(line.replaced(words[0].start, words[0].end, pattern), f"{pattern} in place of {words[0].text}")]


def other_deed(line: Line, found: re.Match[str]) -> Found:
    """The same files copied for moved, moved for copied, or moved away for removed."""
    verb = DEEDS[said(found, "verb")]
    first = line.first
    to = quote_path(constant(found["text"])) if found.groupdict().get("text") else ""
    if len(line.stages) > 1 or first.utility not in ("cp", "mv", "rm") or first.name is None:
        return f"{first.utility} is not done to a file in that way"
    words = [word.text for word in places(first)]
    if first.utility == "rm":
        if not (to and words):
            return "say where to, as in `move it to /tmp`"
        words.append(to)
    elif to:
        words[-1:] = [to]
    if len(words) < 2:
        return "it names no place to put it"
    deep = " -r" if verb == "cp" and flags(first, "-r", "-R", "-a") else ""
    return [Edit(line.replaced(first.name.start, first.end, f"{verb}{deep} {' '.join(words)}"), f"{verb} in its place")]


def with_hidden(line: Line, found: re.Match[str]) -> Found:
    """A `*` names no hidden files; `.[!.]*` does."""
    stars = [
        word for command in line.stages for word in command.words[1:] if re.fullmatch(r"(?:[\w./~-]*/)?\*", word.text)
    ]
    if len(stars) != 1:
        return "no pattern of it leaves hidden ones out"
    folder = stars[0].text[:-1]
    return [
        Edit(line.replaced(stars[0].start, stars[0].end, f"{folder}.[!.]* {folder}*"), ".[!.]* names the hidden ones")
    ]
