"""`--dry-run`: run a command in the sandbox over the current folder as it is, and show what it would have changed.

For an ordinary user the folder lies under an overlay. As root, whose files are nobody's in the sandbox, it is copied.
"""

from __future__ import annotations

import os
import posixpath
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sayso.apps import settings
from sayso.apps.cli.changes_tree import summary, tree_lines
from sayso.apps.cli.folder_copy import GO, Copied, copy_of, refuse
from sayso.apps.cli.output import DIM, comment, paint, visible
from sayso.core.errors import SandboxFailed, UserError
from sayso.core.types import Change, FileSpec, Limits, Outcome, Sandbox
from sayso.sandbox.skeleton import WORK

ROOM_MB = 256
LIMITS = Limits(cpu_seconds=20.0, wall_seconds=30.0, memory_mb=1024, file_bytes=1 << 30)
MOST_LINES = 40
STOPPED = {
    "cpu": "it was stopped: it computed for too long",
    "wall": "it was stopped: it took too long",
    "memory": "it was stopped: it needed too much memory",
    "output": "it was stopped: it printed or changed more than can be shown",
}


@dataclass(frozen=True)
class Rehearsal:
    """What happened to the copy: changes in the folder by paths relative to it, and those elsewhere."""

    command: str
    folder: Path
    outcome: Outcome
    changes: tuple[Change, ...]
    elsewhere: tuple[Change, ...]
    lacks: tuple[str, ...] = ()


def rehearse(command: str) -> Rehearsal:
    """Raises SandboxFailed where there is none, UserError where the folder is no place to rehearse in."""
    from sayso.apps.cli.sandbox_lacks import lacks

    folder, home = places()
    refuse(folder)
    sandbox, copied = staged(folder, home)
    limits = replace(LIMITS, disk_mb=ROOM_MB + (copied.bytes >> 20))
    outcome = sandbox.run(script(command, folder, home), copied.files, limits)
    inside, elsewhere = split_by(folder, outcome.changes)
    missing = [f"{copied.unread} files here may not be read, and were left out"] if copied.unread else []
    return Rehearsal(command, folder, outcome, inside, elsewhere, (*missing, *lacks(command, folder, outcome)))


def places() -> tuple[Path, Path]:
    """The current folder and the home folder; some users have none."""
    try:
        folder = Path.cwd()
    except FileNotFoundError as error:
        raise UserError("this folder is no longer there", GO) from error
    try:
        return folder, Path.home()
    except RuntimeError:
        return folder, Path(settings.NO_HOME)


def staged(folder: Path, home: Path) -> tuple[Sandbox, Copied]:
    """A sandbox in which the folder is there, and the files to put into it where no overlay can lie on the folder."""
    from sayso.sandbox import open_sandbox

    cache = settings.workspace().cache
    if os.geteuid() != 0:
        try:
            return open_sandbox(cache, overlaid={str(folder): folder}), Copied([])
        except SandboxFailed:
            pass  # some file systems bear no overlay; where there is no sandbox at all, the next line says so
    return open_sandbox(cache), copy_of(folder, home)


def script(command: str, folder: Path, home: Path) -> str:
    """The command in the copy, which lies at the same path; `~` is the real one, of which only this folder is there."""
    own = f"export HOME={shlex.quote(str(home))}\n" if folder.is_relative_to(home) else ""
    return f"{own}cd -- {shlex.quote(str(folder))} || exit 125\n{command}\n"


def split_by(folder: Path, changes: tuple[Change, ...]) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    """Those in the folder by their paths in it, and the others; a folder whose time alone changed says nothing."""
    inside, elsewhere = [], []
    for change in changes:
        path = Path(posixpath.normpath(posixpath.join(WORK, change.path)))
        if is_only_time_of_a_folder(change):
            continue
        if path.is_relative_to(folder):
            inside.append(replace(change, path=str(path.relative_to(folder))))
        else:
            elsewhere.append(replace(change, path=str(path)))
    return tuple(inside), tuple(elsewhere)


def is_only_time_of_a_folder(change: Change) -> bool:
    before, after = change.before, change.after
    if before is None or after is None or before.kind != "dir":
        return False
    return replace(before, mtime=after.mtime) == after


def lines(rehearsal: Rehearsal, coloured: bool) -> list[str]:
    """For a reader: the command, the tree of what would change, what it printed, how it ended."""
    found, outcome = rehearsal, rehearsal.outcome
    shown = [
        visible(found.command),
        paint(f"# on a copy of {comment(str(found.folder))}; nothing here was touched", DIM, coloured),
    ]
    shown += tree_lines(".", found.changes, coloured) if found.changes else ["nothing in this folder would change"]
    if found.elsewhere:
        shown += ["elsewhere:", *tree_lines("/", found.elsewhere, coloured)]
    for name, stream in (("it prints", outcome.stdout), ("it complains", outcome.stderr)):
        if stream:
            shown += [f"{name}:", *printed(stream)]
    ending = STOPPED.get(outcome.stopped, f"exit code {outcome.exit_code}")
    shown.append("; ".join(filter(None, [summary(found.changes), ending])))
    return [*shown, *(f"note: {comment(text)}" for text in found.lacks)]


def printed(stream: bytes) -> list[str]:
    text = visible(stream.decode("utf-8", "replace")).rstrip("\n").split("\n")
    more = [f"  … and {len(text) - MOST_LINES} lines more"] if len(text) > MOST_LINES else []
    return [*(f"  {line}" for line in text[:MOST_LINES]), *more]


def as_json(rehearsal: Rehearsal) -> dict[str, Any]:
    outcome = rehearsal.outcome
    return {
        "folder": str(rehearsal.folder),
        "changes": [change_json(one) for one in (*rehearsal.changes, *rehearsal.elsewhere)],
        "stdout": outcome.stdout.decode("utf-8", "replace"),
        "stderr": outcome.stderr.decode("utf-8", "replace"),
        "exit_code": outcome.exit_code,
        "stopped": outcome.stopped,
        "lacks": list(rehearsal.lacks),
    }


def change_json(change: Change) -> dict[str, Any]:
    from sayso.apps.cli.changes_tree import size_of

    kind = (change.after or change.before or FileSpec("")).kind
    sizes = {"bytes_before": size_of(change.before), "bytes_after": size_of(change.after)}
    return {"path": change.path, "how": change.how, "kind": kind, **sizes}
