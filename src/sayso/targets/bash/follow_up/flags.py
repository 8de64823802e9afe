"""Follow-ups that are one flag, which each utility calls differently: "recursively", "case insensitive"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from sayso.targets.bash.follow_up.others import with_hidden
from sayso.targets.bash.follow_up.words import Edit, Found, number, said
from sayso.targets.bash.knowledge.utilities import find_subcommand, find_utility
from sayso.targets.bash.syntax.line_edits import (
    Line,
    flags,
    has_flag,
    kind_of,
    piped,
    places,
    read_line,
    unwrapped,
    with_flag,
    with_test,
    without_flags,
    words_of,
)
from sayso.targets.bash.syntax.tree import Command, Flag, Inner


def flag_edit(row: Mapping[str, Any]) -> Callable[[Line, re.Match[str]], Found]:
    """The edit that one `[[flag]]` of the table asks for."""

    def edit(line: Line, found: re.Match[str]) -> Found:
        for command in _candidates(line):
            got = _on(line, command, row)
            if got is not None:
                return got
        if row.get("add", {}).get("ls") == "-A" and not isinstance(got := with_hidden(line, found), str):
            return got
        if row.get("add", {}).get("grep") == "-r" and (spread := _spread_wc(line)):
            return spread
        if any(one.utility in row.get("done", ()) for one in _candidates(line)):
            return f"{_first(line, row)} does that already"
        if stage := row.get("else"):
            return [Edit(piped(line, stage), f"{stage.split()[0]} does that to any lines", 0.75)]
        return f"{kind_of(line.last)} has no flag for that"

    return edit


def _candidates(line: Line) -> list[Command]:
    """The commands that may take the flag, the last stage first, and what xargs or -exec runs."""
    found: list[Command] = []
    for stage in reversed(line.stages):
        command = unwrapped(stage)
        found += [one.command for one in command.arguments if isinstance(one, Inner)]
        found += [one.inner for one in command.arguments if isinstance(one, Flag) and one.inner]
        found.append(command)
    return found


def _first(line: Line, row: Mapping[str, Any]) -> str:
    return next(one.utility for one in _candidates(line) if one.utility in row["done"])


def _on(line: Line, command: Command, row: Mapping[str, Any]) -> Found | None:
    """What the row does to this command; None where it says nothing of it."""
    name = next((one for one in (kind_of(command), command.utility) if _speaks_of(row, one)), "")
    if not name:
        return None
    if name == "find" and "rename" in row and "find" in row["rename"]:
        return _renamed(line, command, row["rename"]["find"])
    dropped = line
    if drops := row.get("drop", {}).get(name):
        if not has_flag(command, *drops) and name not in row.get("add", {}) and not (name == "find" and "test" in row):
            return f"{name} does that already"
        dropped = read_line(without_flags(line, command, *drops)) or line
        command = next((one for one in _candidates(dropped) if one.utility == command.utility), command)
    if name == "find" and "test" in row:
        return _tested(dropped, command, row["test"])
    flag = row.get("add", {}).get(name)
    if flag is None:
        return [Edit(dropped.text, f"without {drops[0]}")] if dropped is not line else f"{name} does that already"
    if flag == "":
        return f"{name} does that already"
    if name == "grep" and flag == "-r" and (spread := _spread_grep(dropped, command)):
        return spread
    return _added(dropped, command, flag)


def _speaks_of(row: Mapping[str, Any], name: str) -> bool:
    return any(name in row.get(part, {}) for part in ("add", "drop", "rename")) or (name == "find" and "test" in row)


def _added(line: Line, command: Command, flag: str) -> Found:
    """The flag, or each letter of several, but for those that are there."""
    text = line.text
    letters = (
        [f"-{one}" for one in flag[1:]]
        if re.fullmatch(r"-[A-Za-z]{2,}", flag) and command.utility != "find"
        else [flag]
    )
    letters = [flag] if letters != [flag] and _is_known(command, flag) else letters
    for letter in letters:
        here = read_line(text)
        assert here
        now = next((one for one in _candidates(here) if one.start == command.start), here.last)
        if not has_flag(now, letter.split("=")[0].split()[0]):
            text = with_flag(here, now, letter)
        elif " " in letter:
            text = without_flags(here, now, letter.split()[0])
            again = read_line(text)
            assert again
            text = with_flag(again, next(one for one in _candidates(again) if one.start == command.start), letter)
    gloss = _gloss(command, letters[0])
    return [Edit(text, f"{kind_of(command)} {flag}" + (f": {gloss}" if gloss else ""))]


def _is_known(command: Command, flag: str) -> bool:
    entry = find_utility(command.utility)
    return entry is not None and flag in entry.index


def _gloss(command: Command, flag: str) -> str:
    entry = find_subcommand(command.utility, [one.value or "" for one in words_of(command)]) or find_utility(
        command.utility
    )
    known = entry.flag(flag.split("=")[0].split()[0]) if entry else None
    return known.gloss if known else ""


def _tested(line: Line, command: Command, test: str) -> Found:
    name = test.split()[0]
    if name != "-not" and has_flag(command, name):
        line = read_line(without_flags(line, command, name)) or line
        command = line.first
    if name in ("-maxdepth", "-mindepth"):  # an option, which find wants before its tests
        at = max((word.end for word in places(command)), default=command.name.end if command.name else 0)
        return [Edit(line.replaced(at, at, f" {test}"), f"find {test}")]
    if name in ("-ls", "-print0") and (printed := flags(command, "-print")):
        line = read_line(line.replaced(printed[0].start, printed[0].end, "")) or line
        command = line.first
    text = with_test(line, command, test)
    return [Edit(text, f"find {test}")] if text else "that find is too involved to change"


def _renamed(line: Line, command: Command, names: Mapping[str, str]) -> Found:
    """One test of find for another that takes the same values: -name for -iname."""
    text = line.text
    found = [one for one in command.arguments if isinstance(one, Flag) and one.name in names]
    if not found:
        return "there is nothing in that find to do it to"
    for one in reversed(found):
        text = text[: one.start] + names[one.name] + text[one.start + len(one.name) :]
    return [Edit(text, f"{names[found[0].name].split()[0]} in place of {found[0].name}")]


def _spread_grep(line: Line, command: Command) -> Found | None:
    """`grep x *.py` -> `grep -r --include='*.py' x .`: a glob names only files of this folder."""
    words = list(places(command))
    globs = [word for word in words if "*" in word.text]
    if words and not globs:
        return None
    added = read_line(with_flag(line, command, "-r"))
    assert added
    grep = next(one for one in _candidates(added) if one.start == command.start)
    spots = list(places(grep))
    if not spots:
        return None
    folder, _, pattern = spots[0].text.rpartition("/")
    text = added.replaced(spots[0].start, spots[-1].end, folder or ".")
    include = "" if pattern == "*" else f"--include='{pattern}'"
    again = read_line(text)
    if include and again:
        text = with_flag(again, next(one for one in _candidates(again) if one.start == command.start), include)
    return [Edit(text, "grep -r searches the folders below")]


def _spread_wc(line: Line) -> Found | None:
    """`wc -l *.py` -> find with -exec: wc itself does not look into folders."""
    words = list(places(line.first))
    if line.first.utility not in ("wc", "cat", "head") or len(words) != 1 or "*" not in words[0].text:
        return None
    folder, _, pattern = words[0].text.rpartition("/")
    command = line.text[line.first.start : words[0].start].strip()
    found = f"find {folder or '.'} -name '{pattern}' -exec {command} {{}} +"
    return [Edit(line.replaced(line.first.start, words[0].end, found), "find looks into the folders below")]


def depth(line: Line, found: re.Match[str]) -> Found:
    levels = number(said(found, "n"))
    first = line.first
    if first.utility == "find":
        return _tested(line, first, f"-maxdepth {levels}")
    flag = {"tree": "-L", "du": "-d"}.get(first.utility)
    if flag is None:
        return f"{first.utility} has no depth to limit"
    base = read_line(without_flags(line, first, flag, "-s")) or line
    return [Edit(with_flag(base, base.first, f"{flag} {levels}"), f"{first.utility} {flag} limits the depth")]
