"""Okapi figure 10: `python -m sayso.experiments.api_figures FOLDER OUT --data DATA --to docs/papers/okapi`.

FOLDER and OUT are those of `api_plan.py`. The scores of every network go to training-size.json, the figure beside it is
drawn from that file; without FOLDER and OUT it is drawn from what is there.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from sayso.core.errors import MissingPart, SaysoError, UserError
from sayso.core.files import write_atomically
from sayso.core.types import Workspace
from sayso.experiments.api_plan import PARTS_SYSTEM, PARTS_TASKS
from sayso.experiments.api_tables import Answered, read_answers

VARIANT = re.compile(rf"{re.escape(PARTS_SYSTEM)}\.part(\d+)")
FILE, FIGURE = "training-size.json", "training-size.png"
Sizes = dict[str, dict[str, dict[str, list[float]]]]
"""Task → split → share of train in thousandths → exact match of each seed."""


def sizes_of(answered: Sequence[Answered]) -> Sizes:
    found: Sizes = {}
    for one in sorted(answered, key=lambda one: (PARTS_TASKS.index(one.task), one.split, one.seed)):
        variant = VARIANT.fullmatch(one.system)
        if variant and not one.cut:
            rows = found.setdefault(one.task, {}).setdefault(one.split, {})
            rows.setdefault(variant[1], []).append(round(fmean(one.right), 6))
    return {
        task: {split: dict(sorted(rows.items(), key=lambda row: int(row[0]))) for split, rows in splits.items()}
        for task, splits in found.items()
    }


def draw(sizes: Sizes, path: Path) -> None:
    """Mean over seeds with its deviation, dev and test, side by side for every domain."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingPart("plots need matplotlib", "pip install 'sayso[train]'") from error
    with matplotlib.rc_context({"font.family": "DejaVu Sans"}):
        figure = Figure(figsize=(1 + 2.4 * len(sizes), 3.0), layout="constrained")
        panels = figure.subplots(1, len(sizes), sharey=True, squeeze=False)[0]
        for axes, (task, splits) in zip(panels, sizes.items(), strict=True):
            for colour, (split, rows) in zip(("#0072B2", "#E69F00"), splits.items(), strict=False):
                shares = [int(part) / 10 for part in rows]
                means = [100 * fmean(values) for values in rows.values()]
                spreads = [100 * stdev(values) if len(values) > 1 else 0.0 for values in rows.values()]
                axes.errorbar(shares, means, spreads, color=colour, marker="o", markersize=3, capsize=2, label=split)
            axes.set_title(task, fontsize=8, loc="left")
            axes.tick_params(labelsize=7)
            axes.grid(linewidth=0.3, alpha=0.6)
            axes.spines[["top", "right"]].set_visible(False)
        panels[0].set_ylim(bottom=0)  # shared, so only when all are drawn: it would hold the others to what it saw
        panels[0].set_ylabel("exact (case-insensitive), %", fontsize=8)
        panels[-1].legend(fontsize=7, frameon=False, loc="lower right")
        figure.supxlabel(f"% of train and dev, the same share of every template; {PARTS_SYSTEM}", fontsize=8)
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=110, metadata={"Software": None})
    with write_atomically(path) as file:
        file.write(buffer.getvalue())


def make(args: argparse.Namespace) -> Sizes:
    if args.folder and args.out and args.data:
        workspace = Workspace(args.data, args.data)
        sizes = sizes_of(list(read_answers(args.folder, args.out, workspace, PARTS_TASKS)))
        args.to.mkdir(parents=True, exist_ok=True)
        with write_atomically(args.to / FILE) as file:
            file.write(json.dumps(sizes, indent=1).encode() + b"\n")
        return sizes
    try:
        found: Any = json.loads((args.to / FILE).read_bytes())
    except OSError as error:
        raise UserError(f"there is no {args.to / FILE} to draw", "give FOLDER, OUT and --data") from error
    return {task: dict(splits) for task, splits in found.items()}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.api_figures", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--data", type=Path, help="the corpora")
    parser.add_argument("--to", type=Path, required=True, metavar="FOLDER", help="where the figure goes")
    args = parser.parse_args(argv)
    try:
        sizes = make(args)
        draw(sizes, args.to / FIGURE)
    except SaysoError as error:
        sys.stderr.write(f"error: {error.message}\n")
        return error.exit_code
    for task, splits in sizes.items():
        for split, rows in splits.items():
            for part, values in rows.items():
                spread = stdev(values) if len(values) > 1 else 0.0
                score = f"{100 * fmean(values):.1f} ± {100 * spread:.1f} ({len(values)})"
                sys.stdout.write(f"{task} {split} {int(part) / 10:g} %: {score}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
