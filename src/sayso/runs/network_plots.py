"""One thing of a graph in the middle, what needs it on its left, what it needs on its right; a colour a kind."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sayso.core.types import Network
from sayso.runs.plots import COLOURS, FIXED, find_matplotlib, save_figure

MOST = 24
"""Names on a side; the rest is counted below them."""


def draw_network(network: Network, stem: Path) -> list[Path]:
    """Write a figure as PNG and SVG; returns their paths."""
    matplotlib = find_matplotlib()
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    kinds = sorted({*network.needs.values(), *network.needed_by.values()}, key=lambda kind: (len(kind), kind))
    colours = {kind: COLOURS[index % len(COLOURS)] for index, kind in enumerate(kinds)}
    rows = max(2, *(min(len(side), MOST + 1) for side in (network.needs, network.needed_by)))
    with matplotlib.rc_context(FIXED):
        figure = Figure(figsize=(7.2, 0.8 + 0.3 * rows), layout="constrained")
        axes = figure.subplots()
        axes.set_axis_off()
        axes.set_xlim(-1.7, 1.7)
        axes.set_ylim(-1.1, 1.1)
        for side, found, where in ((-1, network.needed_by, "right"), (1, network.needs, "left")):
            names = list(found)[:MOST]
            for name, height in zip(names, heights(names), strict=True):
                start, end = ((0.95 * side, height), (0, 0)) if side < 0 else ((0, 0), (0.95 * side, height))
                near, far = (4, 24) if side < 0 else (24, 4)  # the box in the middle is wider than the end of a name
                arrow = {"arrowstyle": "->", "color": colours[found[name]], "shrinkA": near, "shrinkB": far}
                axes.annotate("", xy=end, xytext=start, arrowprops=arrow)
                axes.text(side, height, name, ha=where, va="center", fontsize=8)
            if len(found) > MOST:
                axes.text(
                    side, -1.08, f"and {len(found) - MOST} more", ha=where, va="center", fontsize=7, style="italic"
                )
        box = {"boxstyle": "round", "facecolor": "white", "edgecolor": "black"}
        axes.text(0, 0, network.name, ha="center", va="center", fontsize=9, bbox=box)
        axes.set_title(f"{network.name}: {len(network.needed_by)} need it, it needs {len(network.needs)}", fontsize=9)
        lines = [Line2D([], [], color=colours[kind], label=kind) for kind in kinds]
        figure.legend(handles=lines, fontsize=7, frameon=False, loc="outside lower center", ncols=len(kinds) or 1)
        return save_figure(figure, stem)


def heights(names: Sequence[str]) -> list[float]:
    """Evenly from top to bottom; one alone stands in the middle."""
    if len(names) == 1:
        return [0.0]
    return [0.95 - 1.9 * place / max(len(names) - 1, 1) for place in range(len(names))]
