"""The course of a training, a JSON line an event; what came after the checkpoint that a run resumes from is cut off."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sayso.training.loop import Evaluated, Event, Step


@dataclass
class Curves:
    """`curves.jsonl` in a run's folder."""

    folder: Path
    opened: bool = False

    @property
    def path(self) -> Path:
        return self.folder / "curves.jsonl"

    def add(self, event: Event) -> None:
        if not isinstance(event, Step | Evaluated):
            return
        if not self.opened:
            self.rewind(event.step)
        kind = "train" if isinstance(event, Step) else "dev"
        with self.path.open("a", encoding="ascii") as file:
            file.write(json.dumps({"kind": kind, **asdict(event)}) + "\n")

    def rewind(self, step: int) -> None:
        """Forget everything from this step on: a resumed run says it again."""
        self.folder.mkdir(parents=True, exist_ok=True)
        kept = [row for row in self.read() if row["step"] < step]
        self.path.write_text("".join(json.dumps(row) + "\n" for row in kept), encoding="ascii")
        self.opened = True

    def read(self) -> list[dict[str, Any]]:
        """Oldest first; a line that a killed process left half-written is not one."""
        rows = []
        if self.path.is_file():
            for line in self.path.read_text(encoding="ascii", errors="replace").splitlines():
                try:
                    row = json.loads(line)
                except ValueError:
                    continue
                if isinstance(row, dict) and isinstance(row.get("step"), int):
                    rows.append(row)
        return rows
