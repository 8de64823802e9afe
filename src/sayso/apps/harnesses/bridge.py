"""What both harnesses need of a task: its examples as prompts, one answer measured, statistics reduced to our scores.

An answer is one text. Scores that run what they judge are left out, as are those of several candidates: `sayso score`
has them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sayso.core.types import Candidate, Example, Metric, Split, Task, Workspace
from sayso.metrics.statistics import from_json, to_json
from sayso.runs.chat import PLAINLY, WANTED
from sayso.runs.subject import load_examples
from sayso.targets import find_task


@dataclass(frozen=True)
class Bridge:
    """One split of a task."""

    task: Task
    split: Split
    workspace: Workspace

    @cached_property
    def examples(self) -> Mapping[str, Example]:
        return {example.id: example for example in load_examples(self.task, self.split, self.workspace)}

    @cached_property
    def metrics(self) -> Mapping[str, Metric[Any]]:
        return {metric.name: metric for metric in self.task.metrics(self.workspace) if is_plain(metric)}

    def prompt(self, example: Example) -> str:
        """What a model is told that knows nothing of us."""
        pieces = [f"[{one.kind}{f' {one.name}' if one.name else ''}]\n{one.text}" for one in example.request.context]
        return "\n\n".join([WANTED.get(self.task.target.name, PLAINLY), *pieces, example.request.text])

    def measure(self, name: str, answer: str) -> dict[str, Any]:
        """Score -> the statistic of one answer, as plain JSON; an empty answer is none."""
        found = [Candidate(answer, 1.0)] if answer.strip() else []
        rows = {score: metric.measure(self.examples[name], found) for score, metric in self.metrics.items()}
        return {score: to_json([stat])[0] for score, stat in rows.items()}

    def reduce(self, score: str, statistics: Sequence[Any]) -> float:
        return self.metrics[score].reduce(from_json(list(statistics))).value


def is_plain(metric: Metric[Any]) -> bool:
    """Whether it judges one text by itself, without running it and without asking whether a system abstained.

    Human verdicts are left out: of answers that nobody judged they are no score.
    """
    if metric.name.startswith("judged_"):
        return False
    runs = hasattr(metric, "bench") or hasattr(metric, "compare") or hasattr(metric, "measure_answer")
    return getattr(metric, "k", 1) == 1 and not runs


def open_bridge(task: str, split: Split = "dev") -> Bridge:
    """With the user's own data folder, as `sayso eval` has it."""
    from sayso.apps import settings

    return Bridge(find_task(task), split, settings.workspace())
