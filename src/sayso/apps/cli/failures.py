"""How a failure ends: one line, a hint, an exit code. Imported only when something failed."""

from __future__ import annotations

import errno
import os
import sys

from sayso.apps.cli.output import visible
from sayso.core.errors import BadInstruction, SaysoError

LOOK_THERE = "look at the quotes, brackets and operators there"
NOT_OURS = "this is a bug in sayso: please report it with the output of the same command and --debug"


def report(error: Exception) -> int:
    """One line on stderr, a hint of what to type next, and the exit code."""
    if isinstance(error, BadInstruction):
        message, hint, code = f"{error.message}{place(error)}", error.hint or LOOK_THERE, error.exit_code
    elif isinstance(error, SaysoError):
        message, hint, code = error.message, error.hint, error.exit_code
    elif isinstance(error, OSError) and error.errno is not None:
        message, hint, code = refused_by_the_machine(error)
    elif isinstance(error, MemoryError):
        message, hint, code = "out of memory", "close something, then run the same command again", 3
    else:
        message, hint, code = f"{type(error).__name__}: {error}", NOT_OURS, 1
    for line in [f"sayso: {' '.join(message.split())}", *(["", f"hint: {hint}"] if hint else [])]:
        print(visible(line).encode("utf-8", "backslashreplace").decode("utf-8"), file=sys.stderr)
    return code


def place(error: BadInstruction) -> str:
    """Where reading stopped: ", at character 5 of ls | | wc"."""
    if not 0 <= error.offset <= len(error.text):
        return ""
    where = f"at character {error.offset}" if error.offset < len(error.text.rstrip()) else "at the end"
    shown = error.text if len(error.text) <= 60 else f"{error.text[:60]}…"
    return f", {where} of {shown}"


def refused_by_the_machine(error: OSError) -> tuple[str, str, int]:
    """An operating system that says no where nobody expected it: a full disk behind stdout, a closed folder."""
    what = f"{error.filename}: " if error.filename else ""
    hints = {
        errno.ENOSPC: "free some disk space, then run the same command again",
        errno.EROFS: "the disk is read-only: choose another folder",
        errno.EACCES: "choose a folder that you may use",
        errno.EMFILE: "too many open files: close some, or raise `ulimit -n`",
    }
    silence_stdout()
    return f"{what}{error.strerror}", hints.get(error.errno or 0, "`sayso doctor` shows what this machine lacks"), 3


def silence_stdout() -> None:
    """What could not be written is dropped; Python would try again on its way out and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
