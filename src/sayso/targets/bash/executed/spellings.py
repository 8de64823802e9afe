"""What of a command is written otherwise for a run: what no fixture can be given, and what programs of today refuse."""

from __future__ import annotations

import re

from sayso.core.errors import BadInstruction
from sayso.targets.bash.executed.fixture import Fixture, given
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Flag, commands


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
