"""Follow-ups on which results: "only directories", "except node_modules", "larger than 10M", "changed this week"."""

from __future__ import annotations

import re

from sayso.english.constants import word_set
from sayso.targets.bash.follow_up.words import Edit, Found, number, said
from sayso.targets.bash.syntax.line_edits import (
    ACTIONS,
    Line,
    end_of_arguments,
    flags,
    has_flag,
    piped,
    places,
    read_line,
    with_flag,
    with_test,
    without_flags,
)
from sayso.targets.bash.syntax.quote import quote
from sayso.targets.bash.syntax.tree import Command

UNITS = {"b": "c", "k": "k", "m": "M", "g": "G", "t": "T"}
MINUTES = {"minute": 1, "min": 1, "hour": 60, "day": 1440, "week": 10080, "month": 43200, "year": 525600}
KINDS = {"director": "d", "folder": "d", "dir": "d", "file": "f", "link": "l", "symlink": "l", "symbolic": "l"}
LANGUAGES = {
    "python": "py", "shell": "sh", "bash": "sh", "javascript": "js", "typescript": "ts", "markdown": "md",
    "text": "txt", "java": "java", "c": "c", "rust": "rs", "go": "go", "ruby": "rb", "log": "log", "json": "json",
    "yaml": "yaml", "csv": "csv", "pdf": "pdf", "html": "html", "css": "css", "image": "png", "jpeg": "jpg",
    "xml": "xml", "sql": "sql",
}  # fmt: skip
EXCLUDES = {
    "du": "--exclude={}", "tar": "--exclude={}", "rsync": "--exclude={}", "ls": "--ignore={}", "tree": "-I {}",
    "zip": "-x {}",
}  # fmt: skip


USUAL_FOLDERS = word_set("node_modules vendor build dist target venv env tests test docs bin obj out cache tmp src lib")
BARE_NOT = re.compile(r"(?:but |and )?not \S+|(?:but |and )?not \"[^\"]+\"|(?:but |and )?not '[^']+'", re.I)


def as_find(line: Line) -> Line | None:
    """A find that lists the same: `ls /tmp` -> `find /tmp -maxdepth 1 -mindepth 1`; finds stay."""
    first = line.first
    if first.utility == "find":
        return line
    if first.utility != "ls" or len(line.stages) > 1 or has_flag(first, "-R"):
        return None
    where = [word.text for word in places(first)]
    if any(re.search(r"[*?\[]", one) for one in where):
        return None
    hidden = "" if has_flag(first, "-a", "-A") else " -not -name '.*'"
    tail = " -ls" if has_flag(first, "-l") else ""
    assert first.name
    text = f"find {' '.join(where) or '.'} -mindepth 1 -maxdepth 1{hidden}{tail}"
    return read_line(line.replaced(first.name.start, end_of_arguments(first), text))


def tested(line: Line, test: str, why: str, instead_of: tuple[str, ...] = ()) -> Found:
    base = as_find(line)
    if base is None:
        return f"{line.first.utility} cannot choose by that"
    if f" {test} " in f"{base.text} ":
        return "it chooses by that already"
    if instead_of:
        base = read_line(without_flags(base, base.first, *instead_of)) or base
    text = with_test(base, base.first, test)
    return [Edit(text, why)] if text else "that find is too involved to change"


def kind(line: Line, found: re.Match[str]) -> Found:
    word = said(found, "kind", "files")  # "no folders" says what is to go, and leaves files
    letter = next(value for name, value in KINDS.items() if word.startswith(name))
    if line.first.utility == "ls" and letter == "d" and len(line.stages) == 1:
        base = line
        if not has_flag(base.first, "-d"):
            base = read_line(with_flag(base, base.first, "-d")) or base
        where = [word.text.rstrip("/") + "/*/" for word in places(base.first)] or ["*/"]
        return [Edit(with_places(base, where), "a glob that ends in / matches only folders")]
    if line.first.utility == "tree" and letter == "d":
        return [Edit(with_flag(line, line.first, "-d"), "tree -d shows only folders")]
    return tested(line, f"-type {letter}", f"-type {letter} keeps only those", ("-type",))


def named(line: Line, found: re.Match[str]) -> Found:
    """ "only .log files", "only python files", "only *.txt"."""
    if language := said(found, "language"):
        glob = f"*.{LANGUAGES[language]}"
    else:
        glob = ("*" if found["glob"].startswith(".") else "") + found["glob"]
    first = line.first
    if first.utility in ("grep", "rg") and has_flag(first, "-r", "-R"):
        bare = read_line(without_flags(line, first, "--include")) or line
        return [Edit(with_flag(bare, bare.first, f"--include={quote(glob)}"), "--include searches only such files")]
    if first.utility in ("ls", "du", "wc", "cat") and len(line.stages) <= 2 and not has_flag(first, "-R"):
        where = [word.text for word in places(first)]
        folders = [re.sub(r"/?\*?$", "/", one) for one in where if not re.search(r"\*\.", one)] if where else []
        return [Edit(with_places(line, [f"{one}{glob}" for one in folders if one != "/"] or [glob]), f"only {glob}")]
    if first.utility == "tree":
        return [Edit(with_flag(line, first, f"-P {quote(glob)}"), "tree -P shows only such files")]
    return tested(line, f"-name {quote(glob)}", f"-name keeps only {glob}", ("-name", "-iname"))


def name_holds(line: Line, found: re.Match[str]) -> Found:
    text = constant(found["text"])
    got = tested(line, f"-name {quote(f'*{text}*')}", f"-name keeps those with {text} in their name")
    return got if not isinstance(got, str) else containing(line, found)


def excluded(line: Line, found: re.Match[str]) -> Found:
    what = constant(found["text"])
    first = line.first
    if line.last.utility == "grep" and BARE_NOT.fullmatch(found[0]) and is_content(what):
        return lacking(line, what)
    if first.utility == "grep" and re.match(r"\s*(?:lines?|rows?)\b", found.string[found.end() :]):
        return "lines are not files"
    is_glob = re.search(r"[*?]|\.\w+$", what) is not None and not what.startswith(".git")
    pattern = "*" + what if what.startswith(".") and is_glob and "*" not in what and what.count(".") == 1 else what
    if first.utility == "find":
        name = pattern.strip("/")
        test = f"-not -name {quote(name)}" if is_glob else f"-not -path {quote(f'*/{name}/*')}"
        text = with_test(line, first, test)
        return [Edit(text, f"{test.split()[1]} leaves {what} out")] if text else "that find is too involved to change"
    if first.utility == "grep" and has_flag(first, "-r", "-R"):
        flag = f"--exclude={quote(pattern)}" if is_glob else f"--exclude-dir={quote(what.strip('/'))}"
        return [Edit(with_flag(line, first, flag), f"leaves {what} out")]
    if first.utility in EXCLUDES:
        flag = EXCLUDES[first.utility].format(quote(pattern.strip("/")))
        if first.utility == "zip":
            return [Edit(line.replaced(end_of_arguments(first), end_of_arguments(first), f" {flag}"), "zip -x")]
        return [Edit(with_flag(line, first, flag), f"leaves {what} out")]
    return [Edit(piped(line, f"grep -v {_pattern(what)}"), f"grep -v drops lines with {what}", 0.7)]


def is_content(what: str) -> bool:
    """Whether "but not X" speaks of what stands in files, and of no file or folder."""
    return re.fullmatch(r"[A-Za-z][\w-]*|.*\s.*", what) is not None and what.lower() not in USUAL_FOLDERS


def lacking(line: Line, what: str) -> Found:
    """ "mention a but not b": the files that lack b, or the lines."""
    last = line.last
    if not has_flag(last, "-l"):
        return [Edit(piped(line, f"grep -v {_pattern(what)}"), f"grep -v drops lines with {what}")]
    zero = read_line(with_flag(line, last, "-Z")) or line
    return [Edit(piped(zero, f"xargs -0 -r grep -L {_pattern(what)}"), f"grep -L names those without {what}")]


def affix(line: Line, found: re.Match[str]) -> Found:
    """Names, or lines, that begin or end so."""
    what = constant(found["text"])
    ends = said(found, "where").startswith("end")
    glob = f"*{what}" if ends else f"{what}*"
    first = line.first
    if first.utility == "find" and len(line.stages) == 1 and not _acts(first):
        return tested(line, f"-name {quote(glob)}", f"-name keeps only {glob}")
    if first.utility == "ls" and len(line.stages) == 1 and not any(places(first)) and re.fullmatch(r"[\w.-]+", what):
        return [Edit(with_places(line, [glob]), f"only {glob}")]
    fixed = re.sub(r"([.*\[\]^$\\])", r"\\\1", what)
    return [Edit(piped(line, f"grep {quote(f'{fixed}$' if ends else f'^{fixed}')}"), "grep keeps such lines")]


def non_blank(line: Line, found: re.Match[str]) -> Found:
    return [Edit(piped(line, "grep -v '^$'"), "grep -v '^$' drops empty lines")]


def containing(line: Line, found: re.Match[str]) -> Found:
    """Lines of what is printed, or, for files of find, their contents as a second reading."""
    what = constant(found["text"])
    out = said(found, "not")
    flag = "-v " if out else ""
    lines = Edit(
        piped(line, f"grep {flag}{_pattern(what)}"), f"grep {flag}keeps lines {'without' if out else 'with'} {what}"
    )
    first = line.first
    lists_files = first.utility == "find" and len(line.stages) == 1 and not _acts(first)
    if not lists_files or out:
        return [lines]
    text = with_test(line, first, f"-exec grep -l {_pattern(what)} {{}} +")
    inside = [Edit(text, f"grep -l names the files that hold {what}")] if text else []
    return [*inside, Edit(lines.text, lines.why, 0.5)]


def _acts(command: Command) -> bool:
    return any(one.name not in ("-print", "-prune") for one in flags(command, *ACTIONS))


def sized(line: Line, found: re.Match[str]) -> Found:
    over = re.match(r"large|big|more|over|above|great|at least|heav", found["how"], re.I) is not None
    unit = UNITS[said(found, "unit", "b")[0]]
    amount = found["n"]
    if unit == "T":
        amount, unit = str(int(amount) * 1024), "G"
    size = f"{'+' if over else '-'}{amount}{unit}"
    if line.first.utility == "du":
        least = f"-t {'' if over else '-'}{amount}{unit if unit != 'c' else ''}"
        return [Edit(with_flag(line, line.first, least), "du -t leaves out the others")]
    files = "-type f " if line.first.utility == "ls" else ""  # a folder's own size says nothing
    return tested(line, f"{files}-size {size}", f"-size {size} keeps only those", ("-size",))


def aged(line: Line, found: re.Match[str]) -> Found:
    amount, unit = number(said(found, "n", "1")), said(found, "unit", "day")
    length = next(value for name, value in MINUTES.items() if unit.startswith(name))
    whole = " ".join(found[0].lower().split())
    older = (
        not said(found, "newer")
        and re.search(r"older|before|more than|not (?:changed|modified|touched)", whole) is not None
    )
    sign = "+" if older else "-"
    minutes = amount * length
    day = next((one for one in ("today", "yesterday") if one in whole), "")
    if line.first.utility in ("git", "journalctl") and day:
        since = with_flag(
            line, line.first, f"--since={'midnight' if day == 'today' and line.first.utility == 'git' else day}"
        )
        return [Edit(since, "--since limits the time")]
    if "today" in whole:
        return tested(line, "-daystart -mtime 0", "-daystart -mtime 0 means changed today", ("-mtime", "-mmin"))
    if "yesterday" in whole:
        return tested(line, "-daystart -mtime 1", "-daystart -mtime 1 means changed yesterday", ("-mtime", "-mmin"))
    if line.first.utility == "journalctl":
        return [Edit(with_flag(line, line.first, f"--since '{amount} {unit} ago'"), "--since limits the time")]
    if line.first.utility == "git":
        option = "--until" if older else "--since"
        return [Edit(with_flag(line, line.first, f"{option}='{amount} {unit} ago'"), f"{option} limits the time")]
    test = f"-mtime {sign}{minutes // 1440}" if length >= 1440 else f"-mmin {sign}{minutes}"
    return tested(line, test, f"{test} means {'longer ago' if older else 'since then'}", ("-mtime", "-mmin"))


def owned(line: Line, found: re.Match[str]) -> Found:
    who = found["user"]
    if line.first.utility == "ps":
        # Beside -u, the letters a and x of `ps aux` would still show everybody's.
        words = line.first.words
        chosen = line.replaced(words[0].end, words[-1].end, f" -f -u {who}")
        return [Edit(chosen, f"ps -u shows those of {who}")]
    if line.first.utility == "git":
        return [Edit(with_flag(line, line.first, f"--author={who}"), f"only commits of {who}")]
    return tested(line, f"-user {who}", f"-user keeps those of {who}", ("-user",))


def empty(line: Line, found: re.Match[str]) -> Found:
    out = "-not " if re.search(r"non|not|without|skip|except", found[0], re.I) else ""
    return tested(line, f"{out}-empty", f"{out}-empty keeps only those")


def executable(line: Line, found: re.Match[str]) -> Found:
    return tested(line, "-executable", "-executable keeps those that may be run")


def with_places(line: Line, where: list[str]) -> str:
    """The files of the first command replaced by others."""
    first = line.first
    words = list(places(first))
    if not words:
        at = end_of_arguments(first)
        return line.replaced(at, at, " " + " ".join(where))
    return line.replaced(words[0].start, words[-1].end, " ".join(where))


def constant(text: str) -> str:
    """What was said, without quotes: '"foo bar"' -> foo bar."""
    stripped = text.strip()
    if len(stripped) > 1 and stripped[0] in "'\"`" and stripped[-1] == stripped[0]:
        return stripped[1:-1]
    return stripped


def _pattern(text: str) -> str:
    """A pattern for grep that matches the text itself; one that begins with a dash follows -e."""
    flag = "-e " if text.startswith("-") else ""
    fixed = "-F " if re.search(r"[.*\[\]^$\\]", text) else ""
    return f"{fixed}{flag}{quote(text)}"


def since(line: Line, found: re.Match[str]) -> Found:
    """ "since monday": a day that has a name, for commits, logs and files."""
    day = said(found, "day")
    first = line.first
    if first.utility in ("git", "journalctl"):
        option = "--since" if first.utility == "git" or re.match(r"\d|yesterday", day) else ""
        if not option:
            return "journalctl knows no such day: say a date, as 2024-05-31"
        bare = read_line(without_flags(line, first, option)) or line
        return [Edit(with_flag(bare, bare.first, f"--since={quote(day)}"), "--since limits the time")]
    if re.match(r"(?:this )", day):
        return "say which day, as in `since yesterday`"
    named = day if re.match(r"\d|yesterday|last ", day) else f"last {day}"
    return tested(line, f"-newermt {quote(named)}", "-newermt keeps what changed since then")
