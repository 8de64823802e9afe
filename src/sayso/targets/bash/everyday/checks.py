"""How an everyday request is decided: what was printed and what was left, never which command did it.

Names may come with or without `./`, quotes or the columns of `ls -l`; spaces and blank lines never count.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sayso.core.types import FileSpec, Outcome

NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?")


@dataclass(frozen=True)
class Printed:
    """What standard output must be; every part that is given must hold.

    `names`: exactly these of the fixture's names are mentioned (`allow` may be, `others` are further names that must
    not be); `lines`: exactly these lines; `number`: low and high of the only number in the last line; `match` and
    `lacks`: expressions that are found, or are not.
    """

    names: tuple[str, ...] | None = None
    allow: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    lines: tuple[str, ...] | None = None
    ordered: bool = False
    number: tuple[float, float] | None = None
    match: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Check:
    """`files`: path → what it must be afterwards; `script` runs after the command and must exit with 0."""

    printed: Printed | None = None
    files: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    may_change: tuple[str, ...] = ()
    script: str = ""


def is_printed(printed: Printed, stdout: bytes, fixture: Sequence[FileSpec]) -> bool:
    """Whether the output says what was asked for."""
    text = stdout.decode(errors="replace")
    if printed.names is not None and not _names_fit(printed, text, fixture):
        return False
    if printed.lines is not None:
        found, wanted = _tidy(text.splitlines()), _tidy(printed.lines)
        if (found if printed.ordered else sorted(found)) != (wanted if printed.ordered else sorted(wanted)):
            return False
    if printed.number is not None and not _number_fits(printed.number, text, fixture):
        return False
    return all(re.search(pattern, text, re.MULTILINE) for pattern in printed.match) and not any(
        re.search(pattern, text, re.MULTILINE) for pattern in printed.lacks
    )


def _tidy(lines: Iterable[str]) -> list[str]:
    """Lines without `./` in front, runs of spaces, and blank lines: ["  5   ./a b "] -> ["5 ./a b"]."""
    tidy = (" ".join(line.split()).removeprefix("./") for line in lines)
    return [line for line in tidy if line]


def _names_fit(printed: Printed, text: str, fixture: Sequence[FileSpec]) -> bool:
    """Whether exactly the wanted names are mentioned, in order where that was asked for."""
    wanted = [posixpath.basename(name) for name in printed.names or ()]
    known = {posixpath.basename(file.path) for file in fixture if file.kind != "dir"} | {*wanted, *printed.others}
    folders = _folders(fixture)
    if folders & set(wanted):
        known |= folders
    known -= set(printed.allow) - set(wanted)
    found = mentioned(text, known)
    return found == wanted if printed.ordered else sorted(found) == sorted(set(wanted))


def _folders(fixture: Sequence[FileSpec]) -> set[str]:
    parents = {part for file in fixture for part in posixpath.dirname(file.path).split("/") if part}
    return parents | {posixpath.basename(file.path) for file in fixture if file.kind == "dir"}


def mentioned(text: str, names: Iterable[str]) -> list[str]:
    """Names in the order of their first mention: "-rw-r--r-- 1 u u 3 May 1 12:00 ./d/a b.txt" -> ["a b.txt"]."""
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    if not longest_first:
        return []
    either = "|".join(re.escape(name) for name in longest_first)
    pattern = re.compile(rf"(?<![^\s/'\"(:,]){'(?:' + either + ')'}(?=/?(?:$|[\s'\",:;*@)]))")
    found: dict[str, None] = {}
    for line in text.replace("\\ ", " ").replace("\0", "\n").splitlines():
        shown = line.split(" -> ")[0]
        # `ls -R` and `head` of several files print the name of a folder or file as a heading of its own.
        if shown.endswith(":"):
            continue
        for match in pattern.finditer(shown):
            found.setdefault(match.group())
    return list(found)


def _number_fits(limits: tuple[float, float], text: str, fixture: Sequence[FileSpec]) -> bool:
    """The only number of the last line, names aside: "  12 notes2.txt" -> 12; `wc` without a flag says three."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return False
    rest = lines[-1]
    names = {file.path for file in fixture} | {posixpath.basename(file.path) for file in fixture} | _folders(fixture)
    for name in sorted(names, key=len, reverse=True):
        rest = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w])", " ", rest)
    numbers = NUMBER.findall(rest)
    return len(numbers) == 1 and limits[0] <= float(numbers[0].replace(",", "")) <= limits[1]


def is_left(check: Check, outcome: Outcome, fixture: Sequence[FileSpec]) -> bool:
    """Whether the files are as asked for, and nothing else of the fixture was altered or lost."""
    state = {posixpath.normpath(file.path): file for file in fixture}
    altered = set()
    for change in outcome.changes:
        path, before, after = change.path, state.get(change.path), change.after
        if after is None:
            state.pop(path, None)
            altered.add(path)
        else:
            state[path] = after
            if before is not None and (before.content, before.mode, before.kind) != (
                after.content,
                after.mode,
                after.kind,
            ):
                altered.add(path)
    given = {posixpath.normpath(file.path) for file in fixture}
    if (altered & given) - set(check.files) - set(check.may_change):
        return False
    parents = {parent for path in state for parent in _parents(path)}
    return all(_fits(rule, state.get(path), path in parents) for path, rule in check.files.items())


def _parents(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def _fits(rule: Mapping[str, str], file: FileSpec | None, is_parent: bool) -> bool:
    """Whether one file is as its rule says; a folder may be known only from what lies in it."""
    if "absent" in rule:
        return file is None and not is_parent
    if file is None:
        return is_parent and rule == {"exists": "dir"}
    text = file.content.decode(errors="replace")
    return (
        rule.get("exists", file.kind) == file.kind
        and ("mode" not in rule or int(rule["mode"], 8) == file.mode & 0o7777)
        and ("link" not in rule or (file.kind == "link" and rule["link"].rstrip("/") == text.rstrip("/")))
        and ("content" not in rule or rule["content"].rstrip("\n") == text.rstrip("\n"))
        and ("lines" not in rule or sorted(_tidy(rule["lines"].splitlines())) == sorted(_tidy(text.splitlines())))
        and ("match" not in rule or re.search(rule["match"], text, re.MULTILINE) is not None)
        and ("lacks" not in rule or re.search(rule["lacks"], text, re.MULTILINE) is None)
    )
