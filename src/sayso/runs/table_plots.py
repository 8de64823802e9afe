"""A table of a paper as bars: ours with the interval that is shown, theirs as diamonds; a panel for each score."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sayso.core.errors import UserError
from sayso.runs.papers.items import Cell, Shown
from sayso.runs.plots import COLOURS, FIXED, PAPER, find_matplotlib, save_figure

SPREAD = re.compile(r"(-?[\d.]+)–(-?[\d.]+)")
DEVIATION = re.compile(r"± ([\d.]+) over .*")
TOLD = re.compile(r"case-insensitive|.* abstains on ")
"""Notes without which a bar would pass for another."""
MOST_ROWS = 60

Row = Mapping[str, Cell]


def draw_tables(paper: str, name: str, tables: Sequence[Shown], folder: Path) -> list[Path]:
    """PAPER-N.png and .svg, numbered where an item has several tables; returns their paths."""
    drawn = [(table, panels(table)) for table in tables]
    drawn = [(table, found) for table, found in drawn if found]
    if not drawn:
        raise UserError(f"{paper}, {name} has no numbers to draw", f"sayso table {paper} {name}")
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{paper}-{name.replace(' ', '-')}"
    written: list[Path] = []
    for place, (table, found) in enumerate(drawn, 1):
        notes = [note for note in table.notes if TOLD.match(note)]
        written += draw(table.title, found, notes, folder / (f"{stem}-{place}" if len(drawn) > 1 else stem))
    return written


def panels(table: Shown) -> dict[str, dict[str, Row]]:
    """Score -> label -> row: "lstm-k3, bleu" stands beside other rows of bleu. Only rows with a number."""
    found: dict[str, dict[str, Row]] = {}
    endings = [label.rpartition(", ")[2] for label in table.rows if ", " in label]
    shared = {one for one in endings if endings.count(one) > 1}
    for label, row in table.rows.items():
        if any(is_number(row.get(column)) for column in ("ours", "paper")):
            head, _, score = label.rpartition(", ")
            score, head = (score, head) if score in shared else ("", label)
            found.setdefault(score, {})[head] = row
    return found


def is_number(value: Cell) -> bool:
    return isinstance(value, int | float)


def draw(title: str, found: Mapping[str, Mapping[str, Row]], notes: Sequence[str], stem: Path) -> list[Path]:
    matplotlib = find_matplotlib()
    from matplotlib.figure import Figure

    longest = min(MOST_ROWS, max(map(len, found.values())))
    with matplotlib.rc_context(FIXED):
        figure = Figure(figsize=(1.6 + 3.2 * len(found), 1.2 + 0.22 * longest), layout="constrained")
        grid = figure.subplots(1, len(found), squeeze=False)[0]
        for axes, (score, rows) in zip(grid, found.items(), strict=True):
            some = dict(list(rows.items())[:MOST_ROWS])
            for place, row in enumerate(some.values()):
                bar(axes, place, row)
            axes.set_yticks(range(len(some)), list(some), fontsize=7)
            axes.invert_yaxis()
            axes.tick_params(axis="x", labelsize=7)
            axes.set_xlabel(score, fontsize=8)
            axes.grid(axis="x", linewidth=0.4, alpha=0.6)
            axes.set_axisbelow(True)
            axes.spines[["top", "right"]].set_visible(False)
        figure.suptitle(f"{title} (bars: ours, diamonds: paper)", fontsize=9)
        if notes:
            figure.supxlabel("\n".join(notes), fontsize=7)
        return save_figure(figure, stem)


def bar(axes: Any, place: int, row: Row) -> None:
    ours, paper, spread = row.get("ours"), row.get("paper"), row.get("spread")
    if isinstance(ours, int | float):
        errors = error_of(ours, spread) if isinstance(spread, str) else None
        axes.barh([place], [ours], 0.7, xerr=errors, color=COLOURS[0], ecolor="black", capsize=2,
                  error_kw={"linewidth": 0.8})  # fmt: skip
    if isinstance(paper, int | float):
        axes.plot([paper], [place], marker="D", markersize=4, linestyle="", color=PAPER, mec="white")


def error_of(ours: float, spread: str) -> list[list[float]] | None:
    """The interval of one run, or the deviation between several, as it is shown beside the value."""
    if several := DEVIATION.fullmatch(spread):
        return [[float(several[1])], [float(several[1])]]
    if ends := SPREAD.fullmatch(spread):
        # A percentile interval need not hold the value itself; what is shown of it is rounded.
        return [[max(0.0, ours - float(ends[1]))], [max(0.0, float(ends[2]) - ours)]]
    return None
