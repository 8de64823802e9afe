"""From mined notebooks to a training part: unique examples, a cap a repository, nothing of dev or test; all counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sayso.targets.notebook.corpus.held import Held, number, plain
from sayso.targets.notebook.corpus.mining import Mined
from sayso.targets.notebook.corpus.packing import example_id

CAP = 1_500
"""Examples of one repository (ours, not the paper's)."""
SEED = 16

NOT_DROPPED = ("cells", "code cells", "below Markdown", "converted from Python 2", "cut at 120 tokens")


@dataclass
class Report:
    """What became of every notebook and every code cell."""

    notebooks: int = 0
    kept_notebooks: int = 0
    steps: Counter[str] = field(default_factory=Counter)
    """As the paper counts: code cells, those below Markdown, examples, unique ones, kept ones."""
    dropped_notebooks: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    """Code cells by reason."""
    packages: Counter[str] = field(default_factory=Counter)
    """Notebooks by what they import."""
    broken: list[str] = field(default_factory=list)
    """A line for each notebook that could not be read."""

    def as_json(self) -> dict[str, Any]:
        return {
            "notebooks": self.notebooks,
            "kept_notebooks": self.kept_notebooks,
            "steps": dict(self.steps),
            "dropped_notebooks": dict(self.dropped_notebooks.most_common()),
            "dropped": dict(self.dropped.most_common()),
            "packages": dict(self.packages.most_common()),
            "broken": self.broken,
        }


def no_reason(row: Mined) -> str:
    return ""


def assemble(
    mined: Callable[[], Iterable[Mined]],
    left_out: Callable[[Mined], str] = no_reason,
    held: Held | None = None,
    cap: int = 0,
    report: Report | None = None,
) -> Iterator[dict[str, Any]]:
    """Rows for packing, in the order mined. `mined` is read twice, so that nothing but numbers stays in memory.

    `left_out` says why a notebook is no part of it. Of equal (target, context) the first stays, as in the paper, and of
    equal (target, request) too: copies of a tutorial differ in some cell far above.
    """
    report = report if report is not None else Report()
    chosen = choose(mined, left_out, held or Held(), cap, report)
    for row in mined():
        if row.get("broken") or row["dropped"] or left_out(row):
            continue
        examples = [one for one in row["examples"] if rank(row, one) in chosen]
        for one in examples:
            chosen.discard(rank(row, one))  # the same notebook may have been given twice
        if examples:
            report.kept_notebooks += 1
            last = max(one["above"] for one in examples)
            yield {**head(row), "cells": row["cells"][:last], "examples": examples}


def head(row: Mined) -> dict[str, Any]:
    return {"repository": row["repository"], "path": row["path"]}


def choose(
    mined: Callable[[], Iterable[Mined]], left_out: Callable[[Mined], str], held: Held, cap: int, report: Report
) -> set[int]:
    """The ranks of the examples that stay: the smallest of every repository, which are as good as drawn."""
    seen: set[int] = set()
    answered: set[int] = set()
    ranks: dict[str, list[int]] = {}
    for row in mined():
        report.notebooks += 1
        if row.get("broken"):
            report.broken.append(row["broken"])
            report.dropped_notebooks["cannot be read"] += 1
            continue
        reason = row["dropped"] or left_out(row)
        if reason:
            report.dropped_notebooks[reason] += 1
            continue
        count_steps(row["steps"], report)
        report.steps["notebooks"] += 1
        report.packages.update(row["packages"])
        of_repository = ranks.setdefault(row["repository"], [])
        for one in row["examples"]:
            report.steps["examples"] += 1
            key = int(one["key"], 16)
            request = row["cells"][one["above"] - 1][1]
            asked = number(f"{plain(request)}\0{one['reference']}")
            if key in seen:
                report.dropped["same target and context"] += 1
            elif asked in answered:
                report.dropped["same target and request"] += 1
            elif held.leaks(request, one["reference"]):
                report.dropped["request or target of dev or test"] += 1
            else:
                of_repository.append(rank(row, one))
            seen.add(key)
            answered.add(asked)
    report.steps["unique examples"] = len(seen)
    for repository, of_repository in ranks.items():
        if cap and len(of_repository) > cap:
            report.dropped[f"over {cap:,} of a repository"] += len(of_repository) - cap
            ranks[repository] = sorted(of_repository)[:cap]
    chosen = {one for of_repository in ranks.values() for one in of_repository}
    report.steps["kept examples"] = len(chosen)
    return chosen


def count_steps(steps: Mapping[str, int], report: Report) -> None:
    for step, n in steps.items():
        (report.steps if step in NOT_DROPPED else report.dropped)[step] += n


def rank(row: Mined, one: Mapping[str, Any]) -> int:
    """A number that says nothing about an example, the same wherever and in whatever order it is mined."""
    return number(f"{SEED} {example_id(row['repository'], row['path'], one['cell'])} {one['key']}")
