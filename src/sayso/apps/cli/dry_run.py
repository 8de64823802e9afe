"""`--dry-run`: run a command in the sandbox over the user's folders as they are, and show what it would have changed.

For an ordinary user they lie under overlays. As root, whose files are nobody's in the sandbox, the current folder and
what the command names outside it are copied. What could not be seen is said.
"""

from __future__ import annotations

import os
import posixpath
import shlex
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso.apps import settings
from sayso.apps.cli.beyond import TOO_FOREIGN, beyond, doubts, in_words, stand_ins_read
from sayso.apps.cli.changes_tree import summary, tree_lines
from sayso.apps.cli.folder_copy import GO, Copied, copy_around, copy_of, described, linked_out, refuse
from sayso.apps.cli.output import DIM, comment, paint, visible
from sayso.apps.cli.views import View, has_foreign, is_of_the_system, view_of
from sayso.core.errors import SandboxFailed, UserError
from sayso.core.types import Change, FileSpec, Limits, Outcome, Sandbox
from sayso.sandbox.skeleton import WORK

if TYPE_CHECKING:
    from sayso.targets.bash.effects import Reach

ROOM_MB = 256
MOST_UNNAMED = 500
"""Files that are copied from each place around the folder where a command's words do not say which it needs."""
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
    """What happened to the copy: changes in the folder by paths relative to it, those elsewhere, and what was not
    there to be changed."""

    command: str
    folder: Path
    outcome: Outcome
    changes: tuple[Change, ...]
    elsewhere: tuple[Change, ...]
    lacks: tuple[str, ...] = ()
    beyond: tuple[Path, ...] = ()
    doubts: tuple[str, ...] = ()
    home: Path = Path(settings.NO_HOME)


@dataclass(frozen=True)
class Stage:
    """A sandbox, the files to put into it, and what is seen of this machine there."""

    sandbox: Sandbox
    copied: Copied
    view: View


def rehearse(command: str) -> Rehearsal:
    """Raises SandboxFailed where there is none, UserError where the folder is no place to rehearse in."""
    from sayso.apps.cli.sandbox_lacks import lacks
    from sayso.targets.bash.effects import reach, used_variables

    folder, home = places()
    refuse(folder)
    variables = used_variables(command, settings.exported())
    leads = reach(command, folder, home, variables)
    stage, outcome = tried(command, folder, home, leads, variables)
    copied = stage.copied
    inside, elsewhere, stand_ins = split_by(folder, outcome.changes, stage)
    said = tuple(lacks(command, outcome))
    missing = [f"{copied.unread} files here may not be read, and were left out"] if copied.unread else []
    if copied.hollow:
        missing.append(f"{copied.hollow} files outside this folder were there by name and size, filled with zeros")
    return Rehearsal(
        *(command, folder, outcome, inside, elsewhere, (*missing, *said, *stand_ins_read(leads, stage.view))),
        beyond=beyond(leads, stage.view, outcome, stand_ins),
        doubts=tuple(doubts(leads, stage.view, outcome, said)),
        home=home,
    )


def places() -> tuple[Path, Path]:
    """The current folder and the home folder; some users have none."""
    try:
        folder = Path.cwd()
    except FileNotFoundError as error:
        raise UserError("this folder is no longer there", GO) from error
    try:
        return folder, Path.home().resolve()
    except RuntimeError:
        return folder, Path(settings.NO_HOME)


def tried(command: str, folder: Path, home: Path, leads: Reach, variables: Mapping[str, str]) -> tuple[Stage, Outcome]:
    """Run it under overlays where they can be had, and over copies where they cannot hold what it changes."""
    text = script(command, folder, home, variables)
    first = None if os.geteuid() == 0 else overlaid(folder, home, leads)
    if first is None:
        copies = over_copies(folder, home, leads)
        return copies, run_on(copies, text)
    reached = (folder, *(one for one in leads.named if not is_of_the_system(one)))
    is_foreign = leads.acts and has_foreign(reached, first.view)
    outcome = None if is_foreign else run_on(first, text)
    if outcome is None or TOO_FOREIGN.encode() in outcome.stderr:
        with suppress(UserError):  # too much to copy
            copies = over_copies(folder, home, leads)
            if not any(copies.view.unseen(one) for one in reached):
                return copies, run_on(copies, text)
    return first, outcome or run_on(first, text)


def run_on(stage: Stage, text: str) -> Outcome:
    copied = stage.copied
    limits = replace(LIMITS, disk_mb=ROOM_MB + (copied.bytes >> 20) + len(copied.files) // 64)
    return stage.sandbox.run(text, copied.files, limits)


def overlaid(folder: Path, home: Path, leads: Reach) -> Stage | None:
    """All that is an ordinary user's, or this folder alone where the rest bears no overlay."""
    from sayso.sandbox import open_sandbox

    for view in (view_of(folder, home, leads.named), View(pieces=[folder], seen=[folder])):
        try:
            sandbox = open_sandbox(settings.workspace().cache, overlaid={str(one): one for one in view.pieces})
            return Stage(sandbox, Copied([described(one) for one in view.loose]), view)
        except (SandboxFailed, OSError):
            continue
    return None


def over_copies(folder: Path, home: Path, leads: Reach) -> Stage:
    """The folder, what the command names outside it, and some of what lies around where its words do not say enough."""
    from sayso.sandbox import open_sandbox

    sandbox, copied = open_sandbox(settings.workspace().cache), copy_of(folder, home)
    seen = [one for one in (*leads.named, *linked_out(copied, folder)) if not is_of_the_system(one)]
    cut = copy_around(copied, folder, seen)
    if leads.is_open and leads.acts:
        for place in (folder.parent, home, Path("/tmp")):
            if not is_of_the_system(place):
                cut += copy_around(copied, folder, [place], MOST_UNNAMED)
                seen.append(place)
    return Stage(sandbox, copied, View(seen=[folder, *seen], hidden=list(cut)))


def script(command: str, folder: Path, home: Path, variables: Mapping[str, str]) -> str:
    """The command where it would run, with the variables that it names."""
    own = {"HOME": str(home), **variables} if home != Path(settings.NO_HOME) else variables
    exports = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in own.items())
    return f"{exports}cd -- {shlex.quote(str(folder))} || exit 125\n{command}\n"


def split_by(folder: Path, changes: tuple[Change, ...], stage: Stage) -> tuple[tuple[Change, ...], ...]:
    """Those in the folder by their paths in it, those elsewhere, and those of what the sandbox has in place of the real
    thing; a folder whose time alone changed says nothing."""
    inside, elsewhere, stand_ins = [], [], []
    view, copies = stage.view, {one.path for one in stage.copied.files}
    for change in changes:
        path = Path(posixpath.normpath(posixpath.join(WORK, change.path)))
        if is_only_time_of_a_folder(change) or is_refused(change, path, view) or is_of_the_sandbox(path):
            continue
        if path.is_relative_to(folder):
            inside.append(replace(change, path=str(path.relative_to(folder))))
        elif path in view.unseen(path) and str(path) not in copies and not is_new(change, path):
            stand_ins.append(replace(change, path=str(path)))
        else:
            elsewhere.append(replace(change, path=str(path)))
    return tuple(inside), tuple(elsewhere), tuple(stand_ins)


def is_new(change: Change, path: Path) -> bool:
    """Whether it would be made here too."""
    return change.how == "created" and not is_of_the_system(path) and not os.path.lexists(path)


def is_of_the_sandbox(path: Path) -> bool:
    """Whether it lies in the home that the sandbox's user has by himself, and nobody on this machine."""
    return path.is_relative_to(WORK) and not os.path.lexists(WORK)


def is_refused(change: Change, path: Path, view: View) -> bool:
    """Whether only the owner of /tmp, which under an overlay is the user, could have done it: the file is another's."""
    is_others = change.before is not None and change.before.owner != ""
    return is_others and path.parent in view.pieces and bool(path.parent.stat().st_mode & stat.S_ISVTX)


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
    if found.changes:
        shown += tree_lines(".", found.changes, coloured)
    if found.elsewhere:
        shown += ["elsewhere:", *tree_lines("/", found.elsewhere, coloured)]
    if found.beyond:
        shown.append(f"it reaches beyond what was tried: {comment(in_words(found.beyond, found.home))}")
    if not (found.changes or found.elsewhere or found.beyond):
        unsure = found.doubts or ((STOPPED[outcome.stopped],) if outcome.stopped else ())
        shown.append(f"no change was seen, but {'; '.join(unsure)}" if unsure else "nothing would change")
    for name, stream in (("it prints", outcome.stdout), ("it complains", outcome.stderr)):
        if stream:
            shown += [f"{name}:", *printed(stream)]
    ending = STOPPED.get(outcome.stopped, f"exit code {outcome.exit_code}")
    away = f"{len(found.elsewhere)} of them elsewhere" if found.changes and found.elsewhere else ""
    counts = ", ".join(filter(None, [summary((*found.changes, *found.elsewhere)), away]))
    shown.append("; ".join(filter(None, [counts, ending])))
    notes = [*found.lacks, *(found.doubts if found.changes or found.elsewhere or found.beyond else ())]
    return [*shown, *(f"note: {comment(text)}" for text in notes)]


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
        "beyond": [str(path) for path in rehearsal.beyond],
        "doubts": list(rehearsal.doubts),
    }


def change_json(change: Change) -> dict[str, Any]:
    from sayso.apps.cli.changes_tree import size_of

    kind = (change.after or change.before or FileSpec("")).kind
    sizes = {"bytes_before": size_of(change.before), "bytes_after": size_of(change.after)}
    return {"path": change.path, "how": change.how, "kind": kind, **sizes}
