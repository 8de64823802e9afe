"""README-EVAL: its counts, and the scores of systems, of which the paper reports none."""

from __future__ import annotations

from sayso.runs.papers.builders import by_stem, from_counts, score_cells
from sayso.runs.papers.items import Cell, Desk, Item, Shown

STAGES = ("build/documents", "build/instructions", "build/depends", "build/metadata")
SCRIPT = ("readme_eval", "readme_eval_printed", "built")


def ledger_rows(desk: Desk, tasks: tuple[str, ...], names: tuple[str, ...] = ()) -> list[Shown]:
    """Every system of these tasks in the ledger; the first score of a task, or those that are named."""
    tables = []
    for task in tasks:
        for split in ("dev", "test"):
            rows: dict[str, dict[str, Cell]] = {}
            for system, runs in by_stem(desk.standings(task, split)).items():
                for name in names or tuple(score.name for score in runs[0].scores):
                    cells = score_cells(runs, name)
                    if cells["ours"] is not None:
                        rows[f"{system}, {name}"] = {**cells, "paper": None}
            if rows:
                tables.append(Shown(f"{task} {split}", rows, ("the paper proposes the measure and reports no system",)))
    return tables


def section_5(desk: Desk) -> list[Shown]:
    return ledger_rows(desk, STAGES)


def section_6(desk: Desk) -> list[Shown]:
    return ledger_rows(desk, ("build/script",), SCRIPT)


ITEMS: dict[str, Item] = {
    "figure 1": Item("one package in six parts", why="a record of the corpus: `sayso data show packages NAME`"),
    "section 4": Item(
        "packages, scripts and what needs what", from_counts("packages", "section 4", "records", "edges and cycles")
    ),
    "section 5": Item("the stages, each scored", section_5),
    "section 6": Item("the score of a build script", section_6),
}
