"""The ledger: one line for everything that was trained, run or scored, only ever appended to.

`eval` is a system run on a split, `score` is stored predictions scored again, `train` is a training. A run on test is
counted, a rescoring is not. Appends are locked; a line torn by a crash is skipped with a note.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
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
    **dict.fromkeys(("kind", "task", "system", "split", "commit", "data", "predictions", "bundle", "time"), str),
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

    @property
    def whole(self) -> bool:
        """Scored over all examples of its split, each with a prediction."""
        return bool(self.scores) and not self.settings.get("limit") and not self.settings.get("partial")


def entry(kind: Kind, task: str, system: str, **known: Any) -> Entry:
    """An entry with commit, versions, time and cores filled in."""
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
        **known,
    )


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class Ledger:
    """`ledger.jsonl` in the results folder."""

    path: Path

    def append(self, entry: Entry) -> None:
        """Add one line and force it to disk, whoever else is writing."""
        line = json.dumps(asdict(entry), ensure_ascii=False, allow_nan=False).encode() + b"\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            with os.fdopen(handle, "r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                # A torn line is closed, so that it stays alone in being unreadable.
                file.write(line if ends_whole(file) else b"\n" + line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise cannot_write(self.path, error) from error

    def read(self) -> tuple[list[Entry], list[str]]:
        """Every entry, oldest first, and a note for each line that is none."""
        try:
            lines = read_plain(self.path).split(b"\n")
        except (FileNotFoundError, NotADirectoryError):
            return [], []
        except OSError as error:
            raise BadFile(f"cannot read {self.path}: {error.strerror}") from error
        entries, notes = [], []
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    entries.append(parse_entry(line))
                except (ValueError, TypeError) as error:
                    notes.append(f"{self.path}:{number}: skipped, not a ledger entry ({error})")
        return entries, notes

    def test_runs(self, task: str, system: str) -> int:
        """How often this system was run on the test split of this task."""
        return sum(
            entry.kind == "eval" and entry.split == "test" and (entry.task, entry.system) == (task, system)
            for entry in self.read()[0]
        )


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
