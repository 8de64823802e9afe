"""How long answers are, from stored predictions of several seeds: lengths of wrong ones, and the score by length.

Okapi's figures 8 and 9 are the first of the two, for its Length split; lengths are in words. One PNG a task and split.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sayso.core.files import write_atomically
from sayso.core.types import Example, Split, Task, Unscored, Workspace
from sayso.runs.plots import COLOURS, FIXED, find_matplotlib
from sayso.runs.report import predictions_of
from sayso.runs.seeds import Grouped, SeedReport
from sayso.runs.store import Results
from sayso.runs.subject import DEFAULTS, Subject, load_examples

LEAST = 5
"""A length that fewer references have is not drawn on the right: its share jumps from 0 to 1."""


@dataclass(frozen=True)
class Lengths:
    """Counts by words: of wrong first answers, all seeds together, and of the references that they should be."""

    wrong: Mapping[str, Counter[int]]
    """System → words → answers"""
    references: Counter[int]
    by_length: Mapping[str, Mapping[int, float]]
    """System → words of the reference → mean score"""
    longest: Mapping[str, int]


def measure_lengths(task: Task, split: Split, workspace: Workspace, results: Results, report: SeedReport) -> Lengths:
    """An answer is wrong where the statistic of its run is below 1; runs are read one by one."""
    examples = load_examples(task, split, workspace)
    wrong: dict[str, Counter[int]] = {}
    for one in report.systems:
        counts: Counter[int] = Counter()
        for run in one.runs:
            answers = predictions_of(Subject(task, split, run), examples, workspace, results, DEFAULTS)
            for example, answer in zip(examples, answers, strict=True):
                said = answer.candidates[0].text if answer and answer.candidates else ""
                if not is_right(task, workspace, example, said):
                    counts[len(said.split())] += 1
        wrong[one.system] = counts
    references = Counter(len(example.references[0].split()) for example in examples)
    by_length = {one.system: mean_by_length(examples, one) for one in report.systems}
    return Lengths(wrong, references, by_length, {name: max(counts, default=0) for name, counts in wrong.items()})


def is_right(task: Task, workspace: Workspace, example: Example, said: str) -> bool:
    from sayso.core.types import Candidate

    found = task.metrics(workspace)[0].measure(example, [Candidate(said, 0.0)])
    return not isinstance(found, Unscored) and bool(found)


def mean_by_length(examples: Sequence[Example], one: Grouped) -> dict[int, float]:
    """Words of the reference → mean over examples and seeds."""
    groups: dict[int, list[float]] = {}
    for example, value in zip(examples, one.means, strict=True):
        if not isinstance(value, Unscored):
            groups.setdefault(len(example.references[0].split()), []).append(value)
    return {length: sum(values) / len(values) for length, values in sorted(groups.items())}


def lengths_json(lengths: Lengths) -> dict[str, Any]:
    return {
        "wrong": {name: dict(sorted(counts.items())) for name, counts in lengths.wrong.items()},
        "references": dict(sorted(lengths.references.items())),
        "score by words of the reference": {name: dict(row) for name, row in lengths.by_length.items()},
        "longest wrong answer": dict(lengths.longest),
    }


def draw_lengths(report: SeedReport, lengths: Lengths, folder: Path) -> Path:
    """Left: how long wrong answers are, beside the references. Right: the score by the reference's length."""
    matplotlib = find_matplotlib()
    from matplotlib.figure import Figure

    with matplotlib.rc_context(FIXED):
        figure = Figure(figsize=(8.6, 3.2), layout="constrained")
        left, right = figure.subplots(1, 2)
        most = max(lengths.references) + 3
        places = range(most + 1)
        total = sum(lengths.references.values())
        left.fill_between(
            places, [100 * lengths.references[at] / total for at in places], color="#dddddd", label="references"
        )
        for index, (system, counts) in enumerate(sorted(lengths.wrong.items())):  # a system has the same colour on all
            colour, answers = COLOURS[index % len(COLOURS)], max(sum(counts.values()), 1)
            # What is longer than any reference is drawn as the last place.
            shares = [100 * counts[at] / answers for at in places[:-1]]
            shares.append(100 * sum(n for at, n in counts.items() if at >= most) / answers)
            left.plot(places, shares, color=colour, marker="o", markersize=2, linewidth=1, label=system)
            kept = {at: value for at, value in lengths.by_length[system].items() if lengths.references[at] >= LEAST}
            right.plot(list(kept), [100 * one for one in kept.values()], color=colour, marker="o", markersize=2,
                       linewidth=1, label=system)  # fmt: skip
        left.set_xlabel(f"words ({most}: or more)", fontsize=8)
        left.set_ylabel("% of wrong answers", fontsize=8)
        right.set_xlabel("words of the reference", fontsize=8)
        right.set_ylabel(f"{report.score}{' (case-insensitive)' if report.folded else ''}, %", fontsize=8)
        right.set_ylim(-2, 102)
        left.set_title(f"{report.task} {report.split}: how long wrong answers are", fontsize=8, loc="left")
        right.set_title("by length of the call", fontsize=8, loc="left")
        for axes in (left, right):
            axes.tick_params(labelsize=7)
            axes.xaxis.get_major_locator().set_params(integer=True)
            axes.grid(linewidth=0.3, alpha=0.6)
            axes.spines[["top", "right"]].set_visible(False)
        left.legend(fontsize=6.5, frameon=False)
        return save_png(figure, folder / f"{report.task.replace('/', '-')}.{report.split}.lengths.png")


def save_png(figure: Any, path: Path) -> Path:
    """The same bytes for the same numbers."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110, metadata={"Software": None})
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_atomically(path) as file:
        file.write(buffer.getvalue())
    return path
