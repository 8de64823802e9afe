"""Follow-ups that put one thing in the place of another: "in /var/log instead", "foo instead of bar", "make it 20"."""

from __future__ import annotations

import re

from sayso.targets.bash.follow_up.narrow import constant, with_places
from sayso.targets.bash.follow_up.order import limited
from sayso.targets.bash.follow_up.words import Edit, Found, number, said
from sayso.targets.bash.knowledge.utilities import find_utility
from sayso.targets.bash.syntax.line_edits import (
    Line,
    end_of_arguments,
    kind_of,
    places,
    read_line,
    without_flags,
    words_of,
)
from sayso.targets.bash.syntax.quote import quote, quote_path

PLAIN = re.compile(r"[\w./:@+-]+")
TAKES_FOLDER = {"mkdir", "cd", "tree", "du", "ls", "find", "grep", "rg", "fd", "wc", "cat", "head", "tail", "sort"}


def place(line: Line, found: re.Match[str]) -> Found:
    """Another folder or file to work on."""
    where = constant(found["text"])
    where = {"here": ".", "home": "~", "root": "/"}.get(where.lower(), where)
    written = quote_path(where)
    first = line.first
    if first.utility == "git":
        assert first.name
        bare = read_line(without_flags(line, first, "-C")) or line
        assert bare.first.name
        return [Edit(bare.replaced(bare.first.name.end, bare.first.name.end, f" -C {written}"), "git -C works there")]
    if first.utility in ("tar", "unzip"):
        flag = "-C" if first.utility == "tar" else "-d"
        bare = read_line(without_flags(line, first, flag)) or line
        at = end_of_arguments(bare.first)
        return [Edit(bare.replaced(at, at, f" {flag} {written}"), f"{flag} puts it there")]
    words = list(places(first))
    globs = [word for word in words if re.search(r"[*?]", word.text)]
    if globs and not re.search(r"\.\w+$", where):
        text = line.text
        for word in reversed(globs):
            text = text[: word.start] + f"{written.rstrip('/')}/{word.text.rpartition('/')[2]}" + text[word.end :]
        return [Edit(text, f"looks in {where}")]
    if words and first.utility in ("cp", "mv", "ln", "rsync", "scp"):
        return [Edit(line.replaced(words[-1].start, words[-1].end, written), f"to {where}")]
    if words:
        return [Edit(line.replaced(words[0].start, words[-1].end, written), f"works on {where}")]
    if first.utility == "find":
        assert first.name
        return [Edit(line.replaced(first.name.end, first.name.end, f" {written}"), f"looks in {where}")]
    if first.utility in TAKES_FOLDER:
        return [Edit(with_places(line, [written]), f"looks in {where}")]
    entry = find_utility(first.utility)
    if entry and any(kind.rstrip("?…") in ("Path", "File", "Directory") for kind in entry.operands):
        return [Edit(with_places(line, [written]), f"works on {where}")]
    if re.match(r"[/~.]|.*/", where):
        return [Edit(f"cd {written} && {line.text}", f"goes to {where} first", 0.6)]
    given = words_of(first)[len(kind_of(first).split()) - 1 :]
    if given:
        return [Edit(line.replaced(given[-1].start, given[-1].end, written), f"{where} in place of {given[-1].text}")]
    return f"{first.utility} names nothing that {where} could take the place of"


def swap(line: Line, found: re.Match[str]) -> Found:
    """ "use foo instead of bar", "replace bar with foo": the same word wherever it stands."""
    old, new = constant(found["old"]), constant(found["new"])
    if new.startswith("-") and not old.startswith("-"):
        return f"{new} would be read as a flag"
    if not PLAIN.fullmatch(new):
        return _swap_words(line, old, new)
    at = [one.span() for one in re.finditer(rf"(?<![\w]){re.escape(old)}(?![\w])", line.text)]
    if not at:
        return f"{old} does not stand in it"
    text = line.text
    for start, end in reversed(at):
        text = text[:start] + new + text[end:]
    return [Edit(text, f"{new} in place of {old}")]


def _swap_words(line: Line, old: str, new: str) -> Found:
    """Text that the shell would read is only put into whole words, which are then quoted anew."""
    words = {word.start: word for stage in line.stages for word in stage.words if old in (word.value or "")}
    if not words:
        return f"{old} does not stand in it"
    text = line.text
    for start in sorted(words, reverse=True):
        word = words[start]
        if re.search(r"[*?\[]", word.text) and word.text == word.value:
            return f"{word.text} is a pattern of the shell: say it in plain letters"
        text = text[:start] + quote((word.value or "").replace(old, new)) + text[word.end :]
    return [Edit(text, f"{new} in place of {old}")]


def value(line: Line, found: re.Match[str]) -> Found:
    """ "make it 20", "20 instead": the one number of the command."""
    if text := found.groupdict().get("new"):
        return _amount(line, text)
    new = str(number(said(found, "n")))
    if line.last.utility in ("head", "tail"):
        return [Edit(text, f"{new} lines") for text in limited(line, int(new), line.last.utility)]
    at = [one.span() for one in re.finditer(r"(?<![\w.])(?<!-)\d+(?![\w.])|(?<= -)\d+(?![\w.])", line.text)]
    if len(at) != 1:
        return "it holds no number" if not at else "it holds several numbers: say which, as in `20 instead of 5`"
    return [Edit(line.replaced(*at[0], new), f"{new} in place of {line.text[slice(*at[0])]}")]


def _amount(line: Line, new: str) -> Found:
    """The one amount of the command, its sign and unit kept unless another unit is said: +100M and 500 -> +500M."""
    at = list(re.finditer(r"(?<![\w.])([-+]?)(\d+)([kKMGTbcw]?)(?![\w.])", line.text))
    if len(at) != 1:
        return "it holds no amount" if not at else "it holds several amounts: say which, as in `20 instead of 5`"
    unit = "" if new[-1].isalpha() else at[0][3]
    return [
        Edit(line.replaced(*at[0].span(), f"{at[0][1]}{new}{unit}"), f"{new}{unit} in place of {at[0][2]}{at[0][3]}")
    ]
