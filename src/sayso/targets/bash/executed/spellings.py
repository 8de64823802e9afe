"""What of a command is written otherwise for a run: what no fixture can be given, and what programs of today refuse."""

from __future__ import annotations

import re
from itertools import pairwise, takewhile

from sayso.core.errors import BadInstruction
from sayso.targets.bash.executed.fixture import Fixture, given
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Flag, commands

OLD_MODE = re.compile(r"\+[0-7]{1,4}")
ELSEWHERE = {"-E": "-regextype posix-extended", "-x": "-xdev"}
"""How find says on other systems, before its folders, what GNU's says behind them."""


def as_today(command: str) -> str:
    """`find -E . -regex x`, `-depth 1` and `-perm +6000` (so until 2005) as GNU's find of today has them."""
    try:
        nodes = [node for node in commands(parse(command)) if node.utility == "find"]
    except BadInstruction:
        return command
    edits: list[tuple[int, int, str]] = []
    for node in nodes:
        words = node.words[1:]
        edits += [
            (mode.start, mode.end, mode.value.replace("+", "/"))
            for test, mode in pairwise(words)
            if test.value == "-perm" and mode.value and OLD_MODE.fullmatch(mode.value)
        ]
        edits += [
            (depth.start, level.end, f"-mindepth {level.value} -maxdepth {level.value}")
            for depth, level in pairwise(words)
            if depth.value == "-depth" and (level.value or "").isdecimal()
        ]
        leading = list(takewhile(lambda word: word.value in ELSEWHERE, words))
        folders = list(takewhile(lambda word: not re.match(r"[-(!,]", word.value or "x"), words[len(leading) :]))
        if leading:
            end = (folders or leading)[-1].end
            edits += [(word.start, word.end, "") for word in leading]
            edits.append((end, end, "".join(f" {ELSEWHERE[word.value or '']}" for word in leading)))
    for start, end, new in sorted(edits, reverse=True):
        command = command[:start] + new + command[end:]
    return command


def about_numbers(command: str, fixture: Fixture) -> str:
    """-inum 752010 becomes the number that the file has which the fixture made for it."""
    for test, number in fixture.numbered:
        command = re.sub(rf"({test}\s+){number}\b", rf"\g<1>${given(test, number)}", command)
    return command


def about_seconds(command: str, shift: int) -> str:
    """@1278999698 is moved with the clock, so that its date is what it would be."""
    return re.sub(r"@(1?\d{9})\b", lambda match: f"@{int(match[1]) + shift}", command)


def about_changes_of_status(command: str) -> str:
    """-ctime and -atime change names: no file can be given a time of status change, but it can be given the other."""
    try:
        tree = parse(command)
    except BadInstruction:
        return command
    swap = {"-ctime": "-atime", "-atime": "-ctime", "-cmin": "-amin", "-amin": "-cmin"}
    flags = [
        argument
        for node in commands(tree)
        if node.utility == "find"
        for argument in node.arguments
        if isinstance(argument, Flag) and argument.name in swap
    ]
    if not any(flag.name in ("-ctime", "-cmin") for flag in flags):
        return command
    for flag in sorted(flags, key=lambda flag: -flag.start):
        if command.startswith(flag.name, flag.start):
            command = command[: flag.start] + swap[flag.name] + command[flag.start + len(flag.name) :]
    return command
