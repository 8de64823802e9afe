"""The figures of the last GPU run (`figures.json`: date, card, versions, rows), for `make bench` and for the docs.

`python -m benchmarks.figures RUN.json` puts what such a run printed there and into docs/concepts/models.md.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import Row

FILE = Path(__file__).with_name("figures.json")
PAGE = Path(__file__).parents[1] / "docs" / "concepts" / "models.md"
OPENS, CLOSES = "<!-- from benchmarks/figures.json -->", "<!-- end of figures -->"


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
    """The table of docs/concepts/models.md, after a line on where it comes from."""
    run = json.loads(FILE.read_bytes())
    versions = f"torch {run['torch'].partition('+')[0]}, transformers {run['transformers']}"
    head = ["| measured | ours | against | ratio | aim |", "| --- | ---: | --- | ---: | ---: |"]
    lines = [figure.as_line() for figure in last_figures()]
    return [f"One {run['card']}, {run['date']}, {versions}, bf16:", "", *head, *lines]


def take(run: dict[str, Any]) -> None:
    """A run's rows replace those of the same benchmark against the same peer."""
    kept: dict[tuple[str, str], dict[str, Any]] = {}
    for row in (*json.loads(FILE.read_bytes())["rows"], *run["rows"]):
        part = "training" if row["part"] == "compiled" else row["part"]
        name = re.sub(r", cuda$", "", row["name"])
        kept[part, row["against"]] = {
            "part": part, "name": name, "value": round(row["value"], 2), "unit": row["unit"], "n": row["n"],
            "ratio": round(row["ratio"], 2), "against": row["against"], "at_least": row["at_least"],
        }  # fmt: skip
    facts = {name: run[name] for name in ("card", "date", "torch", "transformers")}
    FILE.write_text(json.dumps({**facts, "rows": [*kept.values()]}, indent=1) + "\n", encoding="utf-8")


def write_page() -> None:
    before, rest = PAGE.read_text(encoding="utf-8").split(OPENS)
    after = rest.split(CLOSES)[1]
    PAGE.write_text(before + "\n".join([OPENS, "", *table(), "", CLOSES]) + after, encoding="utf-8")


def main(argv: Sequence[str]) -> int:
    for name in argv:
        take(json.loads(Path(name).read_bytes()))
    write_page()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
