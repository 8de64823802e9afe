"""JuICe's figure 3 from stored scores: BLEU and exact match by the share of train and by the number of cells.

`python -m benchmarks.notebook_figure --out docs/papers/juice [--pairs A:B,…]`; systems that are not stored leave a gap.
Of each pair the difference is told with its interval: whole assignments are drawn, the same for both.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sayso.core.types import Score, Split
from sayso.runs.papers.juice import IN_STEP
from sayso.runs.plots import COLOURS, FIXED, find_matplotlib, save_figure

BY_SHARE = {10: "lstm-k3-n10", 30: "lstm-k3-n30", 100: "lstm-k3"}
AXES = {"% of train (three cells)": BY_SHARE, "cells (30 % of train)": IN_STEP}
"""The paper has two; 30 % of train is what stands for its 200,000 examples."""
SCORES = {"bleu": "BLEU", "exact": "EM"}

Stored = Mapping[str, Mapping[str, Score]]
"""System → score → its value."""
Panels = dict[str, dict[str, dict[int, Score]]]
"""Score → axis → point → its value."""


def panels(stored: Stored) -> Panels:
    """The panels; a point is there where its system was scored."""
    return {
        score: {
            axis: {at: stored[system][score] for at, system in points.items() if score in stored.get(system, {})}
            for axis, points in AXES.items()
        }
        for score in SCORES
    }


def as_json(found: Panels) -> dict[str, Any]:
    return {
        score: {
            axis: {at: [one.value, one.low, one.high, one.n] for at, one in points.items()}
            for axis, points in axes.items()
        }
        for score, axes in found.items()
    }


def draw(splits: Mapping[str, Panels], stem: Path) -> list[Path]:
    """A row of panels an axis, a line a split, with intervals where they are known; no row for an axis of one point."""
    matplotlib = find_matplotlib()
    from matplotlib.figure import Figure

    some = [axis for axis in AXES if any(len(found[score][axis]) > 1 for found in splits.values() for score in found)]
    with matplotlib.rc_context(FIXED):
        figure = Figure(figsize=(7.2, 2.7 * max(1, len(some))), layout="constrained")
        grid = figure.subplots(max(1, len(some)), len(SCORES), squeeze=False)
        for row, axis in enumerate(some):
            for column, (score, title) in enumerate(SCORES.items()):
                axes = grid[row][column]
                for index, (split, found) in enumerate(splits.items()):
                    line(axes, found[score][axis], split, COLOURS[index])
                axes.set_xlabel(axis)
                axes.set_ylabel(title)
                axes.set_ylim(bottom=0)
                axes.set_xticks(list(AXES[axis]))
        if any(points for found in splits.values() for of in found.values() for points in of.values()):
            grid[0][0].legend(frameon=False)
        return save_figure(figure, stem)


def line(axes: Any, points: Mapping[int, Score], label: str, colour: str) -> None:
    if not points:
        return
    values = [one.value for one in points.values()]
    low = [one.value - one.low if one.low is not None else 0.0 for one in points.values()]
    high = [one.high - one.value if one.high is not None else 0.0 for one in points.values()]
    axes.errorbar(list(points), values, [low, high], marker="o", capsize=3, color=colour, label=label)


def stored_scores(split: Split) -> dict[str, dict[str, Score]]:
    """What `sayso collect` or `sayso eval` stored of these systems."""
    from sayso.apps import settings
    from sayso.runs.report import Wanted, collect, systems_of
    from sayso.targets import find_task

    task, results = find_task("notebook/code"), settings.results()
    points = {system for axis in AXES.values() for system in axis.values()}
    systems = tuple(name for name in systems_of(task, split, results) if name in points)
    if not systems:
        return {}
    report = collect(task, split, settings.workspace(), results, Wanted(systems))
    return {one.system: {name: score for name in SCORES if (score := one.find(name))} for one in report.systems}


def difference(pair: str, split: Split, draws: int = 400) -> dict[str, float]:
    """ "lstm-k3:lstm-k1" -> BLEU of the first over the second, with the middle 95 per cent of the draws."""
    from sayso.apps import settings
    from sayso.runs.report import predictions_of
    from sayso.runs.subject import DEFAULTS, Subject, load_examples
    from sayso.targets import find_task

    task, workspace, results = find_task("notebook/code"), settings.workspace(), settings.results()
    examples = load_examples(task, split, workspace)
    metric: Any = next(one for one in task.metrics(workspace) if one.name == "bleu")
    measured = []
    for name in pair.split(":"):
        answers = predictions_of(Subject(task, split, name), examples, workspace, results, DEFAULTS)
        said = [one.candidates if one else () for one in answers]
        measured.append([metric.measure(one, found) for one, found in zip(examples, said, strict=True)])
    groups: dict[str, list[int]] = {}
    for place, one in enumerate(examples):
        groups.setdefault(metric.cluster(one), []).append(place)

    def over(places: Sequence[int]) -> float:
        first, second = (metric.reduce([stats[place] for place in places]).value for stats in measured)
        return float(first - second)

    drawer, members = random.Random(17), list(groups.values())
    chosen = (drawer.choices(members, k=len(members)) for _ in range(draws))
    drawn = sorted(over([place for group in groups_drawn for place in group]) for groups_drawn in chosen)
    observed = over(range(len(examples)))
    return {"difference": observed, "low": drawn[round(0.025 * draws)], "high": drawn[round(0.975 * draws) - 1]}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.notebook_figure", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the figure")
    parser.add_argument("--pairs", default="", metavar="A:B,…", help="BLEU of A over B, with its interval")
    args = parser.parse_args(argv)
    splits: tuple[Split, ...] = ("dev", "test")
    found = {str(split): panels(stored_scores(split)) for split in splits}
    draw(found, args.out / "juice-figure3")
    told: dict[str, Any] = {split: as_json(one) for split, one in found.items()}
    if args.pairs:
        told["pairs"] = {pair: {split: difference(pair, split) for split in splits} for pair in args.pairs.split(",")}
    print(json.dumps(told, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
