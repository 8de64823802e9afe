"""What a dry run could not see: where the command leads that was not tried, and why "no change" may not be all."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sayso.apps.cli.views import View
from sayso.core.types import Change, Outcome
from sayso.targets.bash.effects import Reach

HARMLESS = tuple(
    map(Path, ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/fd"))
) + tuple(Path(f"/dev/std{name}") for name in ("in", "out", "err"))
# As they are on this machine, to be read: what only writes a file elsewhere may well take from there.
READABLE = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")))
REFUSED = ("Permission denied", "Operation not permitted", "Read-only file system")
# "rm: cannot remove '/proc/x': Read-only file system"; "bash: line 3: /proc/x: Read-only file system"
READ_ONLY = re.compile(r"(/[^\s'‘’:]+)['’]?: Read-only file system")
TOO_FOREIGN = "Value too large for defined data type"
"""What an overlay of an ordinary user says to a change of a file or folder of another user or group."""
NO_ROOM = "No space left on device"
MOST_NAMED = 8


def beyond(reach: Reach, view: View, outcome: Outcome, stand_ins: Iterable[Change]) -> tuple[Path, ...]:
    """Paths that the command leads to and that were not there, or not the real ones, when it was tried."""
    found = {Path(change.path): None for change in stand_ins}
    if reach.acts:
        found |= dict.fromkeys(reach.strangers)
        for path in reach.named:
            found |= dict.fromkeys(one for one in view.unseen(path) if not is_as_it_is(one, reach.level))
        errors = outcome.stderr.decode("utf-8", "replace")
        found |= dict.fromkeys(Path(os.path.normpath(path)) for path in READ_ONLY.findall(errors))
    return tuple(path for path in found if not any(one in found for one in path.parents))


def stand_ins_read(reach: Reach, view: View) -> Iterator[str]:
    """A note for each path that a command reads and that the sandbox has not, or has its own of."""
    for path in () if reach.acts else reach.named:
        for one in view.unseen(path):
            if not is_as_it_is(one, "writes"):
                yield f"{one} is not there, or not whole, in the sandbox"


def is_as_it_is(path: Path, level: str) -> bool:
    """Whether the sandbox has the very thing, as far as a command of this risk may care."""
    if any(path.is_relative_to(one) for one in HARMLESS):
        return True
    return level == "writes" and any(path.is_relative_to(one) for one in READABLE)


def doubts(reach: Reach, view: View, outcome: Outcome, lacks: Sequence[str]) -> Iterator[str]:
    """Why a command that may change something changed less when it was tried than it would here."""
    if not reach.acts:
        return
    errors = outcome.stderr.decode("utf-8", "replace")
    if NO_ROOM in errors:
        yield "the sandbox had no room for all that it moves or writes"
    if any(word in errors for word in REFUSED):
        yield "some of it was refused" + (", and nobody is root in the sandbox" if os.geteuid() == 0 else "")
    if TOO_FOREIGN in errors:
        yield "files of other users and groups could not be tried"
    if reach.is_open and (view.hidden or not view.pieces):
        yield "its words do not say where it leads, and not everything was there when it was tried"
    if lacks or "command not found" in errors:
        yield "the sandbox lacks what it asks for"
    elif outcome.exit_code and not outcome.changes:
        yield f"it failed (exit code {outcome.exit_code})"


def in_words(paths: Sequence[Path], home: Path) -> str:
    """ "~/docs, /etc/apt and 3 more" """
    names = [f"~/{one.relative_to(home)}" if one != home and one.is_relative_to(home) else str(one) for one in paths]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more
