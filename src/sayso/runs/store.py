"""Where a results folder keeps what: predictions (committed), statistics (not), the ledger."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from sayso.core.errors import UserError
from sayso.runs.ledger import Ledger

ENDING = ".jsonl.zst"


@dataclass(frozen=True)
class Results:
    """`predictions/TASK/SYSTEM.SPLIT.jsonl.zst`, `statistics/TASK/SYSTEM.SPLIT.json`, `ledger.jsonl`."""

    folder: Path

    @property
    def ledger(self) -> Ledger:
        return Ledger(self.folder / "ledger.jsonl")

    def predictions(self, task: str, system: str, split: str) -> Path:
        return self.folder / "predictions" / task / f"{checked(system)}.{split}{ENDING}"

    def statistics(self, task: str, system: str, split: str) -> Path:
        return self.folder / "statistics" / task / f"{checked(system)}.{split}.json"

    def systems(self, task: str, split: str) -> list[str]:
        """The systems whose predictions on a split are stored."""
        ending = f".{split}{ENDING}"
        found = (self.folder / "predictions" / task).glob(f"*{ending}")
        return sorted(path.name.removesuffix(ending) for path in found if not path.name.startswith("."))


def checked(system: str) -> str:
    """A system's name is also a file's name."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._+-]*", system):
        raise UserError(f'"{system}" cannot name a system', "use letters, digits, dots, dashes and underscores")
    return system
