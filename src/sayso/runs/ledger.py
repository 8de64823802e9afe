"""The ledger: one line for everything that was trained, run or scored, only ever appended to.

`eval` is a system run on a split, `score` is stored predictions scored again, `train` is a training. A run on test is
counted, a rescoring is not. Appends are locked; a line torn by a crash is skipped with a note. The user's ledger is
read together with the one that a checkout has published; a run on test is written to both at once.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import secrets
import stat
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from heapq import merge
from pathlib import Path
from types import NoneType
from typing import Any, BinaryIO, Literal, get_args

from sayso.core.errors import BadFile
from sayso.core.files import cannot_write
from sayso.core.given import parse_json, read_plain
from sayso.core.types import Score
from sayso.runs import provenance

Kind = Literal["train", "eval", "score"]
SHAPE: dict[str, Any] = {
    **dict.fromkeys(("kind", "task", "system", "split", "commit", "data", "predictions", "bundle", "time", "run"), str),
    **dict.fromkeys(("settings", "versions"), dict),
    **dict.fromkeys(("wall_seconds", "cpu_seconds"), (int, float)),
    **{"dirty": bool, "seed": (int, NoneType), "cpus": int, "scores": list},
}
"""Field of an entry -> what it holds."""
SCORED = {"name", "value", "n", "unscored", "signature", "low", "high"}


@dataclass(frozen=True)
class Entry:
    """One line of the ledger."""

    kind: Kind
    task: str
    system: str
    split: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    commit: str = ""
    dirty: bool = False
    data: str = ""
    """Digest of the examples."""
    predictions: str = ""
    """Digest of the predictions that the scores are of."""
    bundle: str = ""
    seed: int | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    time: str = ""
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    cpus: int = 0
    scores: Sequence[Mapping[str, Any]] = ()
    run: str = ""
    """A mark of its own: a run that is taken up after a crash is not recorded twice."""

    @property
    def is_test_run(self) -> bool:
        """What `test_runs` counts, limited runs included; it is always published."""
        return self.kind == "eval" and self.split == "test"

    @property
    def whole(self) -> bool:
        """Scored over all examples of its split, each with a prediction."""
        return bool(self.scores) and not self.settings.get("limit") and not self.settings.get("partial")


@dataclass(frozen=True)
class Line:
    """An entry and the bytes that it was read from."""

    content: bytes
    entry: Entry

    @property
    def id(self) -> str:
        return hashlib.sha256(self.content).hexdigest()[:12]


def entry(kind: Kind, task: str, system: str, run: str = "", **known: Any) -> Entry:
    """An entry with commit, versions, time, cores and a mark filled in."""
    commit, dirty = provenance.commit()
    return Entry(
        kind,
        task,
        system,
        commit=commit,
        dirty=dirty,
        versions=provenance.versions(),
        time=now(),
        cpus=provenance.cpus(),
        run=run or new_mark(),
        **known,
    )


def new_mark() -> str:
    return secrets.token_hex(8)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class Ledger:
    """`ledger.jsonl` in the results folder, and the one that the checkout we stand in has published."""

    path: Path
    published: Path | None = None

    def append(self, entry: Entry) -> None:
        """Add one line and force it to disk, whoever else is writing; a run that was recorded stays one line."""
        known = (line.content for line in self.lines()[0] if entry.run and line.entry.run == entry.run)
        content = next(known, None) or json.dumps(asdict(entry), ensure_ascii=False, allow_nan=False).encode()
        # The count of runs on test comes first: a crash in between costs a line that publishing does not need.
        if self.published and entry.is_test_run:
            add_lines(self.published, [content])
        add_lines(self.path, [content])

    def read(self) -> tuple[list[Entry], list[str]]:
        """Every entry of both, each once, oldest first, and a note for each line that is none."""
        lines, notes = self.lines()
        return [line.entry for line in lines], notes

    def lines(self) -> tuple[list[Line], list[str]]:
        own, notes = read_lines(self.path)
        published, more = read_lines(self.published) if self.published else ([], [])
        return join(published, own), [*more, *notes]

    def unpublished(self) -> list[Line]:
        """What only the user's own ledger holds."""
        return only_own(read_lines(self.published)[0] if self.published else [], read_lines(self.path)[0])

    def test_runs(self, task: str, system: str) -> int:
        """How often this system was run on the test split of this task."""
        return sum(entry.is_test_run and (entry.task, entry.system) == (task, system) for entry in self.read()[0])


def add_lines(path: Path, lines: Sequence[bytes]) -> int:
    """Append what is not there yet and force it to disk, under the lock; how many lines that were."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        with os.fdopen(handle, "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            there = set(file.read().split(b"\n")) if stat.S_ISREG(os.fstat(handle).st_mode) else set()
            fresh = [line for line in dict.fromkeys(lines) if line not in there]
            if fresh:
                # A torn line is closed, so that it stays alone in being unreadable.
                file.write((b"" if ends_whole(file) else b"\n") + b"".join(line + b"\n" for line in fresh))
                file.flush()
                os.fsync(file.fileno())
            return len(fresh)
    except OSError as error:
        raise cannot_write(path, error) from error


def read_lines(path: Path) -> tuple[list[Line], list[str]]:
    """The lines of one file, in order, and a note for each that is no entry."""
    if path.exists() and not path.is_file():  # whoever writes there is told
        return [], []
    try:
        rows = read_plain(path).split(b"\n")
    except (FileNotFoundError, NotADirectoryError):
        return [], []
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}") from error
    lines, notes = [], []
    for number, row in enumerate(rows, 1):
        if row.strip():
            try:
                lines.append(Line(row, parse_entry(row)))
            except (ValueError, TypeError) as error:
                notes.append(f"{path}:{number}: skipped, not a ledger entry ({error})")
    return lines, notes


def only_own(published: Sequence[Line], own: Sequence[Line]) -> list[Line]:
    """Own lines that are not published; those without a mark are told apart by their number alone."""
    left = Counter(line.content for line in published)
    marks = {line.entry.run for line in published} - {""}
    fresh = []
    for line in own:
        if line.entry.run:
            if line.entry.run in marks:
                continue
            marks.add(line.entry.run)
        elif left[line.content]:
            left[line.content] -= 1
            continue
        fresh.append(line)
    return fresh


def join(published: Sequence[Line], own: Sequence[Line]) -> list[Line]:
    """Both ledgers by time, each in its own order, every line once."""
    # A published ledger that git merged from two branches may hold a marked line twice as well.
    once = only_own([], published)
    return list(merge(once, only_own(published, own), key=lambda line: str(line.entry.time)))


def parse_entry(line: bytes) -> Entry:
    row = parse_json(line)
    if not isinstance(row, dict):
        raise ValueError("not an object")
    for name in sorted(set(row) & set(SHAPE)):
        if not isinstance(row[name], SHAPE[name]) or (isinstance(row[name], bool) and SHAPE[name] is not bool):
            raise TypeError(f"{name} is {str(row[name])[:40]!r}")
    if row.get("kind") not in get_args(Kind) or not all(set(score) >= SCORED for score in row.get("scores", ())):
        raise ValueError("of no known kind, or with a score that is none")
    return Entry(**{name: value for name, value in row.items() if name in SHAPE})


def ends_whole(file: BinaryIO) -> bool:
    """Whether the last line has its end; leaves the file at its end, ready for more."""
    if file.seek(0, os.SEEK_END) == 0:
        return True
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def score_row(score: Score) -> dict[str, Any]:
    """A score in the shape that `--json` prints and the ledger keeps."""
    return {
        "name": score.name,
        "value": score.value,
        "low": score.low,
        "high": score.high,
        "n": score.n,
        "unscored": dict(score.unscored),
        "signature": score.signature,
    }


def read_score(row: Mapping[str, Any]) -> Score:
    """The inverse of `score_row`."""
    return Score(row["name"], row["value"], row["n"], row["unscored"], row["signature"], row["low"], row["high"])
