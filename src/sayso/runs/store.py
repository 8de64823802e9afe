"""Where a results folder keeps what: predictions, statistics, the ledger; and what a checkout has published."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from sayso.core.errors import UserError
from sayso.runs.ledger import Ledger
from sayso.runs.predictions import read_origin

ENDING = ".jsonl.zst"


@dataclass(frozen=True)
class Results:
    """`predictions/TASK/SYSTEM.SPLIT.jsonl.zst`, `statistics/TASK/SYSTEM.SPLIT.json`, `details/…`, `ledger.jsonl`."""

    folder: Path
    """The user's own: everything is written here."""
    published: Path | None = None
    """A checkout's `results/`: read as well, and told of every run on test."""

    @property
    def folders(self) -> tuple[Path, ...]:
        return (self.folder, self.published) if self.published else (self.folder,)

    @property
    def ledger(self) -> Ledger:
        return Ledger(self.folder / "ledger.jsonl", self.published / "ledger.jsonl" if self.published else None)

    def predictions(self, task: str, system: str, split: str) -> Path:
        """Where predictions are written."""
        return self.folder / prediction_file(task, system, split)

    def stored(self, task: str, system: str, split: str) -> Path:
        """Where predictions are read: of ours and the published ones the newer, ours where that cannot be told."""
        own = self.predictions(task, system, split)
        if self.published is None or not (theirs := self.published / prediction_file(task, system, split)).is_file():
            return own
        if not own.is_file():
            return theirs
        ours, others = read_origin(own), read_origin(theirs)
        return theirs if ours and others and others.time > ours.time else own

    def statistics(self, task: str, system: str, split: str) -> Path:
        return self.folder / statistics_file(task, system, split)

    def statistics_places(self, task: str, system: str, split: str) -> list[Path]:
        """Where statistics may lie; which of them are of which predictions, they say themselves."""
        return [folder / statistics_file(task, system, split) for folder in self.folders]

    def details(self, task: str, system: str, split: str, cells: str = "") -> Path:
        """The folder for what a run keeps beside its scores: rows and logs that say why they are what they are."""
        return self.folder / "details" / task / f"{checked(system)}.{split}{f'.{cells}' if cells else ''}"

    def systems(self, task: str, split: str) -> list[str]:
        """The systems whose predictions on a split are stored."""
        ending = f".{split}{ENDING}"
        found = [path for folder in self.folders for path in (folder / "predictions" / task).glob(f"*{ending}")]
        return sorted({path.name.removesuffix(ending) for path in found if not path.name.startswith(".")})


def prediction_file(task: str, system: str, split: str) -> Path:
    return Path("predictions", task, f"{checked(system)}.{split}{ENDING}")


def statistics_file(task: str, system: str, split: str) -> Path:
    return Path("statistics", task, f"{checked(system)}.{split}.json")


def checked(system: str) -> str:
    """A system's name is also a file's name."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._+-]*", system):
        raise UserError(f'"{system}" cannot name a system', "use letters, digits, dots, dashes and underscores")
    return system
