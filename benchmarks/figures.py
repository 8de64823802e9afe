"""The figures of the last GPU run (`figures.json`: date, card, versions, rows), for `make bench` and for the docs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks import Row

FILE = Path(__file__).with_name("figures.json")


@dataclass(frozen=True)
class Figure:
    """One row that a GPU gave, and which benchmark it came from."""

    part: str
    name: str
    value: float
    unit: str
    n: int
    ratio: float
    against: str
    at_least: float | None
    card: str
    date: str

    def as_row(self) -> Row:
        name = f"{self.name} ({self.card}, {self.date})"
        return Row(name, self.value, self.unit, self.n, self.ratio, self.against, at_least=self.at_least)

    def as_line(self) -> str:
        aim = f"{self.at_least:g}" if self.at_least else ""
        return f"| {self.name} | {self.value:.1f} {self.unit} | {self.against} | {self.ratio:.1f} | {aim} |"


def last_figures() -> list[Figure]:
    """In the order of the run; none where no GPU was ever used."""
    if not FILE.is_file():
        return []
    run = json.loads(FILE.read_bytes())
    return [Figure(**row, card=run["card"], date=run["date"]) for row in run["rows"]]


def table() -> list[str]:
    """The table of docs/concepts/models.md."""
    head = ["| measured | ours | against | ratio | aim |", "| --- | ---: | --- | ---: | ---: |"]
    return [*head, *(figure.as_line() for figure in last_figures())]
