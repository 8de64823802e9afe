"""One table or figure of a paper: what it is called, and what shows ours beside theirs, or why nothing does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sayso.core.errors import UnknownName
from sayso.core.progress import Progress, silent
from sayso.core.types import Table, Workspace
from sayso.runs.counted import Counted, counted, read_counted
from sayso.runs.leaderboard import Standing, standings
from sayso.runs.ledger import Entry
from sayso.runs.store import Results
from sayso.runs.tables import number

Cell = float | int | str | None
Rows = Mapping[str, Mapping[str, Cell]]
DEVIATION = "deviation"


@dataclass(frozen=True)
class Shown:
    """Row → column → value. Where a row has both `ours` and `paper`, `deviation` is the first less the second."""

    title: str
    rows: Rows
    notes: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(column for cells in self.rows.values() for column in cells))


@dataclass(frozen=True)
class Desk:
    """What a table may look at: the corpora, what is stored, and the ledger, read once."""

    workspace: Workspace
    results: Results
    fresh: bool = False
    """Count corpora again instead of reading what is kept."""
    progress: Progress = silent
    memory: dict[str, Counted] = field(default_factory=dict)

    def counted(self, corpus: str) -> Counted:
        from sayso.targets import TARGETS

        if corpus not in self.memory:
            kept = None if self.fresh else read_counted(corpus, self.results)
            counters = {name: count for target in TARGETS.values() for name, count in target.corpora.items()}
            if corpus not in counters:
                raise UnknownName("corpus", corpus, counters)
            self.memory[corpus] = kept or counted(counters[corpus](self.workspace, "paper", self.progress))
        return self.memory[corpus]

    def standings(self, task: str, split: str) -> Mapping[str, Standing]:
        """The newest whole scoring of every system on a split, from the ledger."""
        return {one.system: one for one in standings(self.entries, [task], [split])}

    @cached_property
    def entries(self) -> Sequence[Entry]:
        return self.results.ledger.read()[0]


Show = Callable[[Desk], Sequence[Shown]]


@dataclass(frozen=True)
class Item:
    """`why` stands where nothing can be shown: in one line, with what comes nearest."""

    about: str
    show: Show | None = None
    why: str = ""
    corpus_text: bool = False
    """It shows requests or answers of a corpus, which no page of the project may hold."""


def with_deviation(rows: Mapping[str, Mapping[str, Cell]]) -> dict[str, dict[str, Cell]]:
    found: dict[str, dict[str, Cell]] = {}
    for row, cells in rows.items():
        ours, paper = cells.get("ours"), cells.get("paper")
        known = isinstance(ours, int | float) and isinstance(paper, int | float)
        found[row] = {**cells, DEVIATION: round(ours - paper, 6) if known else None}  # type: ignore[operator]
    if any(cells[DEVIATION] is not None for cells in found.values()):
        return found
    return {row: dict(cells) for row, cells in rows.items()}


def text_table(shown: Shown) -> Table:
    """As a terminal or Markdown prints it."""
    columns = shown.columns
    lines = (
        (row, *(text_cell(column, cells.get(column), score_of(row, cells)) for column in columns))
        for row, cells in shown.rows.items()
    )
    return Table(shown.title, ("", *columns), tuple(lines), shown.notes)


def score_of(row: str, cells: Mapping[str, Cell]) -> str:
    """ "st-copynet, bleu_char@1" -> "bleu_char@1", for a row that has a score with its spread"""
    return row.rpartition(", ")[2] if "spread" in cells and "paper" in cells else ""


def text_cell(column: str, value: Cell, score: str = "") -> str:
    """As a report prints it where it is a score; else with as many digits as tell something."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    sign = "+" if column == DEVIATION and value > 0 else ""
    if score and column in ("ours", DEVIATION):  # the paper's stands as it printed it
        return sign + number(score, value)
    if isinstance(value, int) or (float(value).is_integer() and abs(value) >= 10):
        return f"{sign}{int(value):,}"
    return f"{sign}{value:,.1f}" if abs(value) >= 10 else f"{sign}{value:.3f}".rstrip("0").rstrip(".")


def item_json(paper: str, name: str, item: Item, tables: Sequence[Shown]) -> dict[str, object]:
    found = [{"title": one.title, "rows": one.rows, "notes": list(one.notes)} for one in tables]
    return {"paper": paper, "item": name, "about": item.about, "why": item.why, "tables": found}
