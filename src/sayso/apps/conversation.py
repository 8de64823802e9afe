"""The last answer of this terminal, kept for a few hours so that `sayso then` can edit it.

One small file a terminal session in the user's state folder, readable by its owner only; `keep_last = false` in
config.toml keeps none, and where nobody sits at a terminal nothing is kept. Stands on the path of every answer.
"""
# pathlib and dataclasses would cost every answer a tenth of its start-up:
# ruff: noqa: PTH103, PTH108

from __future__ import annotations

import json
import os
import sys
import time

from sayso.apps import settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

EXPIRES = 8 * 3600.0
"""Seconds after which an answer is no longer the last one."""
MOST_BEFORE = 10
"""Commands that "undo that" can go back over."""
LARGEST = 100_000
PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"


class Last:
    """What was asked, the command that answered it, what it was before follow-ups changed it, and in which language."""

    def __init__(self, request: str, command: str, before: Sequence[str] = (), target: str = "bash") -> None:
        self.request = request
        self.command = command
        self.before = tuple(before)[-MOST_BEFORE:]
        self.target = target


def keep(last: Last) -> None:
    """Never fails: an answer is worth more than the memory of it."""
    name = file_name()
    if not name or not settings.load().keep_last:
        return
    text = json.dumps(vars(last))
    try:
        os.makedirs(folder(), mode=0o700, exist_ok=True)
        forget_old()
        # One write of a few hundred bytes; what is cut off reads as no answer, so no temporary file is worth its time.
        descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            os.fchmod(descriptor, 0o600)
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)
    except (OSError, ValueError):
        return


def last() -> Last | None:
    """What this terminal was answered last, unless that is hours ago."""
    name = file_name()
    if not name:
        return None
    try:
        with open(name, encoding="utf-8") as file:  # noqa: PTH123
            status = os.fstat(file.fileno())
            if status.st_uid != os.getuid() or time.time() - status.st_mtime > EXPIRES:
                return None
            found = json.loads(file.read(LARGEST))
        before = [str(one) for one in found["before"]]
        return Last(str(found["request"]), str(found["command"]), before, str(found.get("target", "bash")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def forget() -> None:
    name = file_name()
    if name:
        try:
            os.unlink(name)
        except OSError:
            return


def forget_old() -> None:
    """Files of terminals that are long closed."""
    with os.scandir(folder()) as entries:
        for entry in entries:
            try:
                if entry.name.endswith(".json") and time.time() - entry.stat(follow_symlinks=False).st_mtime > EXPIRES:
                    os.unlink(entry.path)
            except OSError:  # another terminal was faster
                continue


def folder() -> str:
    return f"{settings.user_folder('state')}/last"


def file_name() -> str:
    name = session()
    return f"{folder()}/{name}.json" if name else ""


def session() -> str:
    """The terminal session by its first process and when that began; $SAYSO_SESSION; "" where nobody sits there."""
    given = settings.personal("SAYSO_SESSION")
    if given:
        return "".join(one if one in PLAIN else "_" for one in given[:64])
    if not any(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        return ""
    leader = os.getsid(0)
    try:
        with open(f"/proc/{leader}/stat", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            began = file.read().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        began = "0"
    return f"{leader}-{began}"
