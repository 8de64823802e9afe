"""Follow-ups on how it went, and on files: "print yes or no", "say bad if it fails", "3 times", "in place"."""

from __future__ import annotations

import re

from sayso.targets.bash.follow_up.narrow import constant
from sayso.targets.bash.follow_up.words import Edit, Found, number, said
from sayso.targets.bash.syntax.line_edits import (
    Line,
    end_of_arguments,
    flags,
    has_flag,
    piped,
    places,
    read_line,
    with_flag,
    without_flags,
)
from sayso.targets.bash.syntax.quote import quote, quote_path
from sayso.targets.bash.syntax.tree import Chain, Command, Word

# Words that turn a condition around: "no differences" holds two of them.
NEGATIONS = re.compile(
    r"n't\b|\b(?:not|no|none|nothing|without|never|fail\w*|errors?|bad|broken|wrong|invalid|missing|absent|differ\w*"
    r"|unequal|down|unreachable|problems?|dead|stopped|else|otherwise|dont|isnt|doesnt|cant|cannot|arent|wasnt)\b",
    re.I,
)
# Programs whose exit status is what is asked about, at the end of a pipeline as well.
TESTS = ("grep", "diff", "cmp", "test", "[", "pgrep", "which", "rg")
OUTCOME = re.compile(r"\b(?:yes|no|if|when|otherwise|or else|times|twice)\b", re.I)
HEADED = ("ps", "df", "free", "ss", "netstat", "lsof", "lsblk", "who", "docker")


def is_told(tail: str) -> bool:
    """Whether a follow-up goes around the whole command, and so comes behind all others."""
    return OUTCOME.search(tail) is not None


def told(line: Line, found: re.Match[str]) -> Found:
    """One word where it succeeds, another where it fails; else nothing is printed."""
    if problem := _unclear(line):
        return problem
    yes, no = (quote(constant(said_as_is(found, name) or name)) for name in ("yes", "no"))
    return [Edit(f"{quieted(line)} && echo {yes} || echo {no}", "&& runs where it succeeds, || where it fails")]


def told_if(line: Line, found: re.Match[str]) -> Found:
    """ "say bad if it has an error", "print same if there are no differences"."""
    if problem := _unclear(line):
        return problem
    word, other = quote(constant(found["word"])), said_as_is(found, "other")
    succeeds = len(NEGATIONS.findall(found["case"])) % 2 == 0
    if other:
        first, second = (word, quote(constant(other)))[:: 1 if succeeds else -1]
        return [Edit(f"{quieted(line)} && echo {first} || echo {second}", "&& where it succeeds, || where not")]
    sign, why = ("&&", "&& runs where it succeeds") if succeeds else ("||", "|| runs where it fails")
    return [Edit(f"{line.text} {sign} echo {word}", why)]


def said_as_is(found: re.Match[str], group: str) -> str:
    return (found.groupdict().get(group) or "").strip()


def _unclear(line: Line) -> str:
    if isinstance(line.script.items[-1], Chain) or len(line.script.items) > 1:
        return "it is more than one command, whose outcome is not clear"
    if len(line.stages) > 1 and line.last.utility not in TESTS:
        return f"{line.last.utility} succeeds whatever came before it"
    return ""


def quieted(line: Line) -> str:
    """Without what it prints: grep -q, cmp -s, or its output thrown away."""
    last = line.last
    if last.utility in ("grep", "rg"):
        bare = read_line(without_flags(line, last, "-n", "-c", "-o", "-H", "-l", "-A", "-B", "-C")) or line
        return with_flag(bare, bare.last, "-q")
    if last.utility == "cmp":
        return with_flag(line, last, "-s")
    if last.utility in ("test", "["):
        return line.text
    at = end_of_arguments(line.stages[-1])
    return line.replaced(at, at, " > /dev/null" if last.utility in TESTS else " > /dev/null 2>&1")


def repeated(line: Line, found: re.Match[str]) -> Found:
    count = 2 if found[0].lower().endswith("twice") else number(said(found, "n", "2"))
    return [Edit(f"for i in $(seq {count}); do {line.text}; done", f"seq counts to {count}")]


def all_saved(line: Line, found: re.Match[str]) -> Found:
    """Output and error messages in one file."""
    at, name = line.stages[-1].end, quote_path(constant(found["text"]))
    return [Edit(line.replaced(at, at, f" > {name} 2>&1"), f"2>&1 sends errors to {name} as well")]


def errors_saved(line: Line, found: re.Match[str]) -> Found:
    at, name = end_of_arguments(line.stages[0]), quote_path(constant(found["text"]))
    return [Edit(line.replaced(at, at, f" 2> {name}"), f"2> writes errors to {name}")]


def in_place(line: Line, found: re.Match[str]) -> Found:
    """The file that was read gets what is printed."""
    word = only_input(line)
    return written_back(line, word) if word else "it reads no single file that could be changed"


def written_back(line: Line, word: Word) -> Found:
    first = line.first
    if len(line.stages) == 1 and first.utility == "sed":
        if has_flag(first, "-i"):
            return "it changes the file already"
        return [Edit(with_flag(line, first, "-i"), "sed -i changes the file itself")]
    if len(line.stages) == 1 and first.utility == "sort":
        if has_flag(first, "-o"):
            return "it changes the file already"
        return [Edit(with_flag(line, first, f"-o {word.text}"), "sort -o may write to what it reads")]
    if any(one.operator in (">", ">>") for one in line.stages[-1].redirects) or len(line.script.items) > 1:
        return "what it prints goes elsewhere"
    fresh = f"{word.text}.new"
    return [Edit(f"{line.text} > {fresh} && mv {fresh} {word.text}", "written beside it, then put in its place", 0.85)]


def only_input(line: Line) -> Word | None:
    """The one file that a pipeline reads, as an operand of its first command or behind `<`."""
    words = [word for word in places(line.first) if not re.search(r"[*?\[]", word.text)]
    words += [one.target for one in line.stages[0].redirects if one.operator == "<" and one.target]
    return words[0] if len(words) == 1 and (words[0].value or "").strip("./") else None


def reads(line: Line, name: str) -> Word | None:
    """The file of this name where the pipeline reads it: what is saved there must not be lost before it is read."""
    for stage in line.stages:
        for word in (*places(stage), *(one.target for one in stage.redirects if one.operator == "<" and one.target)):
            if (word.value or "").removeprefix("./") == name.removeprefix("./"):
                return word
    return None


def without_header(line: Line, found: re.Match[str]) -> Found:
    """From the second line on: of the file that is read, or of what is printed."""
    first = line.first
    if first.utility == "ps" and not has_flag(first, "--no-headers"):
        return [Edit(with_flag(line, first, "--no-headers"), "ps --no-headers prints no titles")]
    if first.utility == "tail" and any(one.values and one.values[0].text == "+2" for one in flags(first, "-n")):
        return "it begins behind the first line already"
    if re.search(r"\bF?NR ?(?:> ?1|>= ?2|!= ?1|== ?1 [^}]*next)", line.text):
        return "it begins behind the first line already"
    word = None if first.utility in HEADED else only_input(line)
    if word is None:
        return [Edit(piped(line, "tail -n +2"), "tail -n +2 begins with the second line", 0.8)]
    why = "tail -n +2 leaves out the first line"
    if first.utility == "cat" and len(first.words) == 2:
        return [Edit(line.replaced(first.start, word.end, f"tail -n +2 {word.text}"), why)]
    return [Edit(f"tail -n +2 {word.text} | {_without_input(line, line.stages[0], word)}", why)]


def _without_input(line: Line, command: Command, word: Word) -> str:
    for one in command.redirects:
        if one.target == word:
            return line.text[: one.start].rstrip() + line.text[one.end :]
    return line.text[: word.start].rstrip() + line.text[word.end :]
