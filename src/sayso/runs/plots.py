"""Bars: a figure a family of scores, and one a kind of slice; PNG and SVG are the same bytes for the same numbers."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sayso.core.errors import MissingPart
from sayso.core.files import write_atomically
from sayso.core.types import Score
from sayso.runs.layout import ordered, unpublished
from sayso.runs.report import SystemScores, TaskReport
from sayso.runs.slices import Sliced
from sayso.runs.tables import coverage, family, interval_of, is_coverage, is_folded, number, silent_share

# Fixed ids and no date: a figure in git changes only when its numbers do.
FIXED = {"svg.hashsalt": "sayso", "svg.fonttype": "path", "font.family": "DejaVu Sans"}
# Readable in black and white and by the colour-blind (Okabe and Ito's palette, then some of Tol's).
COLOURS = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00",
    "#F0E442", "#000000", "#999999", "#882255", "#44AA99", "#661100",
)  # fmt: skip
PAPER = "#555555"
MOST_KINDS = 16


def draw(report: TaskReport, folder: Path) -> list[Path]:
    """Write the figures of a report; returns their paths."""
    families: dict[str, list[str]] = {}
    for name in report.score_names:
        if any(system.find(name) for system in report.systems):
            families.setdefault(family(name), []).append(name)
    written: list[Path] = []
    for title, names in families.items():
        written += draw_family(report, title, names, folder)
    for sliced in report.slices:
        written += draw_slices(report, sliced, folder)
    return written


def draw_slices(report: TaskReport, sliced: Sliced, folder: Path) -> list[Path]:
    """One score by kind of example: a group of bars a kind, a bar a system, the most frequent kinds on top."""
    matplotlib = find_matplotlib()
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    # Many systems make many bars: fewer kinds then, so that a page holds the figure.
    kinds = sliced.kinds[: max(6, MOST_KINDS - len(next(iter(sliced.kinds)).values))]
    systems = [system for system in ordered(report, [sliced.score]) if system in kinds[0].values]
    height = 0.8 / max(1, len(systems))
    with matplotlib.rc_context(FIXED):
        figure = Figure(figsize=(7.2, 1.3 + len(kinds) * (0.16 * len(systems) + 0.16)), layout="constrained")
        axes = figure.subplots()
        for index, system in enumerate(systems):
            for place, kind in enumerate(kinds):
                value, scored = kind.values[system]
                if scored:
                    middle = place + (index - (len(systems) - 1) / 2) * height
                    axes.barh([middle], [value], height * 0.92, color=COLOURS[index % len(COLOURS)])
                    shown = number(sliced.score, value)
                    axes.annotate(
                        shown, (max(value, 0.0), middle), (2, 0), textcoords="offset points", va="center", fontsize=6
                    )
        axes.set_yticks(range(len(kinds)), [f"{kind.label} (n = {kind.n})" for kind in kinds], fontsize=8)
        axes.invert_yaxis()
        axes.margins(x=0.08, y=0.02)
        axes.grid(axis="x", linewidth=0.4, alpha=0.6)
        axes.set_axisbelow(True)
        axes.set_xlabel(f"{sliced.score} (case-insensitive)" if sliced.folded else sliced.score, fontsize=9)
        axes.tick_params(axis="x", labelsize=8)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_title(f"{report.task} {report.split}: {sliced.score} by {sliced.title}", fontsize=9, loc="left")
        handles = [Patch(color=COLOURS[i % len(COLOURS)], label=name) for i, name in enumerate(systems)]
        figure.legend(
            handles=handles, fontsize=7, frameon=False, loc="outside lower center", ncols=min(4, len(systems))
        )
        title = sliced.title.replace(" ", "-")
        return save_figure(figure, folder / f"{report.task.replace('/', '-')}.{report.split}.by-{title}")


def draw_family(report: TaskReport, title: str, names: list[str], folder: Path) -> list[Path]:
    matplotlib = find_matplotlib()
    from matplotlib.figure import Figure

    places = ordered(report, names)
    systems = sorted(
        (system for system in report.systems if any(map(system.find, names))),
        key=lambda system: places.index(system.system),
    )
    shown = {system.system for system in systems}
    with_paper = any(found.score in names and found.system in map(unpublished, shown) for found in report.paper)
    with matplotlib.rc_context(FIXED):
        figure = Figure(figsize=(3.6 + 0.3 * len(systems) * (len(names) + 1), 3.4), layout="constrained")
        axes = figure.subplots()
        width = 0.8 / len(names)
        for index, name in enumerate(names):
            paper = {found.system: found.value for found in report.paper if found.score == name}
            for place, system in enumerate(systems):
                middle = place + (index - (len(names) - 1) / 2) * width
                bar(axes, middle, width, index, system.find(name))
                if (printed := paper.get(unpublished(system.system))) is not None:
                    axes.plot([middle], [printed], marker="D", markersize=5, color=PAPER, mec="white")
        axes.set_xticks(range(len(systems)), list(map(label_of, systems)), rotation=30, ha="right")
        axes.set_xlim(-0.5, len(systems) - 0.5)  # also where nothing at the edge has a bar
        folded = any(is_folded(score.signature) for score in found_scores(report, names))
        axes.set_ylabel(f"{title} (case-insensitive)" if folded else title)
        axes.set_ylim(bottom=0) if lowest(report, names) >= 0 else axes.axhline(0, color="black", linewidth=0.6)
        axes.set_title(f"{report.task} {report.split}, n = {range_of_n(report, names)}", fontsize=9)
        legend(figure, names, with_paper)
        return save_figure(figure, folder / f"{report.task.replace('/', '-')}.{report.split}.{title}")


def label_of(system: SystemScores) -> str:
    return f"{system.system}\nabstains on {silent_share(system.abstained)}" if system.abstained else system.system


def found_scores(report: TaskReport, names: Sequence[str]) -> list[Score]:
    """What is drawn: verdicts on some of a system's answers are no score of it."""
    found = [score for system in report.systems for name in names if (score := system.find(name))]
    return [score for score in found if not is_coverage(score)]


def bar(axes: Any, middle: float, width: float, index: int, score: Score | None) -> None:
    if score is None:
        return
    if is_coverage(score):
        axes.annotate(coverage(score), (middle, 0), (0, 2), textcoords="offset points", rotation=90, ha="center",
                      fontsize=5)  # fmt: skip
        return
    errors = None
    if ends := interval_of(score):
        # A percentile interval need not hold the value itself; a bar below zero length cannot be drawn.
        errors = [[max(0.0, score.value - ends[0])], [max(0.0, ends[1] - score.value)]]
    axes.bar([middle], [score.value], width * 0.95, yerr=errors, color=COLOURS[index % len(COLOURS)], ecolor="black",
             capsize=2, error_kw={"linewidth": 0.8})  # fmt: skip


def legend(figure: Any, names: list[str], with_paper: bool) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = [Patch(color=COLOURS[i % len(COLOURS)], label=name) for i, name in enumerate(names)]
    if with_paper:
        handles.append(Line2D([], [], linestyle="", marker="D", markersize=5, color=PAPER, mec="white", label="paper"))
    figure.legend(handles=handles, fontsize=7, frameon=False, loc="outside right upper")


def lowest(report: TaskReport, names: list[str]) -> float:
    found = found_scores(report, names)
    return min((min(score.value, score.low if score.low is not None else score.value) for score in found), default=0.0)


def range_of_n(report: TaskReport, names: list[str]) -> str:
    """549, or "7 to 44" where scores are over different numbers of examples."""
    found = {score.n for score in found_scores(report, names)} or {0}
    return str(min(found)) if len(found) == 1 else f"{min(found)} to {max(found)}"


def save_figure(figure: Any, stem: Path) -> list[Path]:
    written = []
    for ending, metadata in (("png", {"Software": None}), ("svg", {"Date": None, "Creator": None})):
        buffer = io.BytesIO()
        figure.savefig(buffer, format=ending, dpi=160, metadata=metadata)
        path = stem.with_name(f"{stem.name}.{ending}")
        with write_atomically(path) as file:
            file.write(buffer.getvalue())
        written.append(path)
    return written


def find_matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError as error:
        raise MissingPart("plots need matplotlib", "pip install 'sayso[train]'") from error
    return matplotlib
