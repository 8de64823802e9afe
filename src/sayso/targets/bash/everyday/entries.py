"""The everyday set: requests as people type them, each with files to try an answer on and a check of what it did.

Frozen: `DIGESTS.json` holds the digest of every file. Solutions lie apart from the requests, only to prove the checks.
"""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any, Literal

from sayso.core.errors import BadFile, SandboxFailed
from sayso.core.types import FileSpec, Limits, Sandbox, Unscored
from sayso.targets.bash.everyday.checks import Check, Printed, is_left, is_printed

FOLDER = Path(__file__).parents[1] / "data" / "everyday"
Half = Literal["dev", "test", "fresh-dev", "fresh"]
HALVES: tuple[Literal["dev", "test"], ...] = ("dev", "test")
# Written later, each by a writer of its own, blind to all others; `steps` of an entry says how many acts it asks for.
FRESH: tuple[Literal["fresh-dev"], Literal["fresh"]] = ("fresh-dev", "fresh")
LIMITS = Limits(cpu_seconds=4.0, wall_seconds=8.0)
MADE = "2024-01-15 12:00"
UNITS = {"m": 60, "h": 3600, "d": 86400}
# Told apart by exit code: the fixture could not be made, or a program is missing; neither says anything of the command.
BROKEN, MISSING = 97, 98
PLACE = "/tmp/.everyday"
DRIVER = f"""
for program in $(cat {PLACE}/needs); do command -v "$program" >/dev/null || exit {MISSING}; done
if [ -s {PLACE}/setup ]; then . {PLACE}/setup >/dev/null 2>&1 </dev/null || exit {BROKEN}; fi
bash {PLACE}/command >{PLACE}/out 2>{PLACE}/err </dev/null
cat {PLACE}/out
OUT={PLACE}/out bash {PLACE}/check >/dev/null 2>&1 </dev/null && exit 0
exit 1
"""


@dataclass(frozen=True)
class Fixture:
    """A file of an entry; `mtime` is a date, or how long ago: "-3d"."""

    path: str
    content: bytes = b""
    kind: Literal["file", "dir", "link"] = "file"
    mode: int = 0o644
    mtime: str = MADE
    owner: str = ""


@dataclass(frozen=True)
class Entry:
    """One request of one kind of person; `setup` is what files alone cannot say: a repository, a process.

    `steps` is how many acts it asks for, told only in the fresh sets.
    """

    id: str
    request: str
    who: str
    kind: str
    files: tuple[Fixture, ...]
    check: Check
    setup: str = ""
    needs: tuple[str, ...] = ()
    steps: int = 1

    @property
    def has_fixture(self) -> bool:
        """False for a question about the machine itself, such as who is logged in."""
        return bool(self.files or self.setup)


@dataclass(frozen=True)
class Danger:
    """A request with its bait; `expect` is destroys-marked, harmless or injected."""

    id: str
    half: str
    request: str
    expect: str


@dataclass(frozen=True)
class Solution:
    """A command that passes the check of an entry, others that also do, and some that look right and must not."""

    id: str
    solution: str
    also: tuple[str, ...]
    wrong: tuple[str, ...]


def load_everyday(half: Half, folder: Path = FOLDER) -> list[Entry]:
    """The requests of one half, in the order of the file."""
    return [_entry(row) for row in _rows(folder / f"{half}.jsonl")]


def load_dangerous(half: Half, folder: Path = FOLDER) -> list[Danger]:
    """Destructive, baited and injected requests of one half."""
    name = f"{half}-dangerous.jsonl" if half in FRESH else "dangerous.jsonl"
    dangers = (Danger(row["id"], row["half"], row["request"], row["expect"]) for row in _rows(folder / name))
    return [danger for danger in dangers if danger.half == half]


def load_solutions(folder: Path = FOLDER, name: str = "solutions.jsonl") -> dict[str, Solution]:
    """Entry id → its solution; for proving checks, never for a system to read."""
    rows = _rows(folder / name)
    return {row["id"]: Solution(row["id"], row["solution"], tuple(row["also"]), tuple(row["wrong"])) for row in rows}


def solutions_of(half: Half) -> dict[str, Solution]:
    """The solutions of one half, or of both halves of the old set, which share a file."""
    return load_solutions(name=f"{half}-solutions.jsonl" if half in FRESH else "solutions.jsonl")


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            yield json.loads(line)
        except json.JSONDecodeError as error:
            hint = "restore the file: the everyday set is frozen by DIGESTS.json"
            raise BadFile(f"{path.name}:{number}: not JSON: {error}", hint) from error


def _entry(row: Mapping[str, Any]) -> Entry:
    return Entry(
        id=row["id"],
        request=row["request"],
        who=row["who"],
        kind=row["kind"],
        files=tuple(_fixture(file) for file in row["files"]),
        check=_check(row["check"]),
        setup=row.get("setup", ""),
        needs=tuple(row.get("needs", ())),
        steps=row.get("steps", 1),
    )


def _fixture(row: Mapping[str, Any]) -> Fixture:
    content = base64.b64decode(row["base64"]) if "base64" in row else row.get("content", "").encode()
    mode = int(row["mode"], 8) if "mode" in row else 0o755 if row.get("kind") == "dir" else 0o644
    return Fixture(row["path"], content, row.get("kind", "file"), mode, row.get("mtime", MADE), row.get("owner", ""))


def _check(row: Mapping[str, Any]) -> Check:
    printed = _printed(row["stdout"]) if "stdout" in row else None
    return Check(printed, row.get("files", {}), tuple(row.get("may_change", ())), row.get("script", ""))


def _printed(row: Mapping[str, Any]) -> Printed:
    return Printed(
        names=tuple(row["names"]) if "names" in row else None,
        allow=tuple(row.get("allow", ())),
        others=tuple(row.get("others", ())),
        lines=tuple(row["lines"]) if "lines" in row else None,
        ordered=row.get("ordered", False),
        number=(row["number"][0], row["number"][1]) if "number" in row else None,
        match=tuple(row.get("match", ())),
        lacks=tuple(row.get("lacks", ())),
    )


def fixture_files(entry: Entry, now: float) -> list[FileSpec]:
    """The files of an entry as they are at the second `now`."""
    return [
        FileSpec(file.path, file.content, file.kind, 0o777 if file.kind == "link" else file.mode, mtime, file.owner)
        for file in entry.files
        for mtime in [when(file.mtime, now)]
    ]


def when(text: str, now: float) -> float:
    """-2d, at noon of day 10 -> noon of day 8; "2024-05-01 12:30" -> its second, UTC."""
    if text.startswith("-"):
        return now - float(text[1:-1]) * UNITS[text[-1]]
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def evaluate(entry: Entry, command: str, sandbox: Sandbox, now: float | None = None) -> bool | Unscored:
    """Whether `command` does what the entry asks for, tried on its files; Unscored where that cannot be said."""
    files = fixture_files(entry, time.time() if now is None else now)
    texts = {"needs": " ".join(entry.needs), "setup": entry.setup, "command": command, "check": entry.check.script}
    own = [FileSpec(PLACE, kind="dir", mode=0o755)]
    own += [FileSpec(f"{PLACE}/{name}", text.encode(errors="replace")) for name, text in texts.items()]
    try:
        outcome = sandbox.run(DRIVER, [*files, *own], LIMITS)
    except SandboxFailed as error:
        return Unscored(error.reason)
    if outcome.stopped:
        return False
    if outcome.exit_code == MISSING:
        return Unscored("missing program")
    if outcome.exit_code == BROKEN:
        return Unscored("fixture not made")
    printed = entry.check.printed
    return (
        outcome.exit_code == 0
        and (printed is None or is_printed(printed, outcome.stdout, files))
        and is_left(entry.check, outcome, files)
    )


def faults(entry: Entry, solution: Solution, sandbox: Sandbox) -> list[str]:
    """Why a check cannot be trusted: it refuses its solution, or accepts a wrong command, nothing, or no files."""
    tries = [(entry, solution.solution, True, "solution"), (entry, "true", False, "a command that does nothing")]
    tries += [(entry, other, True, f"also: {other}") for other in solution.also]
    tries += [(entry, wrong, False, f"wrong: {wrong}") for wrong in solution.wrong]
    if entry.has_fixture:
        tries.append((replace(entry, files=(), setup=""), solution.solution, False, "solution without files"))
    found = []
    for tried, command, expected, name in tries:
        verdict = evaluate(tried, command, sandbox)
        if verdict is not expected:
            found.append(f"{entry.id}: {name}: {verdict}")
    return found


def all_faults(sandbox: Sandbox, step: int = 1, workers: int = 2, halves: Sequence[Half] = HALVES) -> list[str]:
    """The faults of every entry, or of each `step`-th; empty where the whole set can be trusted."""
    entries = sorted((entry for half in halves for entry in load_everyday(half)), key=lambda entry: _number(entry.id))
    solutions = {id: known for half in halves for id, known in solutions_of(half).items()}
    with ThreadPoolExecutor(workers) as pool:
        found = pool.map(lambda entry: faults(entry, solutions[entry.id], sandbox), entries[::step])
        return [fault for some in found for fault in some]


def _number(id: str) -> int:
    return int(id.rpartition(":")[2])


def near_duplicates(left: Iterable[Entry], right: Sequence[Entry], above: float) -> list[tuple[float, str, str]]:
    """Pairs of requests, one from each side, whose words overlap (Jaccard) by more than `above`; nearest first."""
    pairs = ((overlap(one.request, two.request), one.id, two.id) for one, two in product(left, right))
    return sorted((pair for pair in pairs if pair[0] > above), reverse=True)


def overlap(left: str, right: str) -> float:
    """Words of both over words of either: "list files", "list all files" -> 2/3."""
    one, two = (set(re.findall(r"\w+", text.lower())) for text in (left, right))
    return len(one & two) / max(1, len(one | two))
