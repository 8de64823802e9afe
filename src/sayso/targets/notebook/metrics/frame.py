"""What all scores of notebooks share: intervals draw assignments, and what nobody answered is unscored.

Cells of one notebook repeat each other's names and idioms: drawn one by one, an interval would be too narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sayso.core.types import Candidate, Example, Metric, Score, Unscored

NOBODY = "# no other submission"
"""The answer of `human` where there is none; no system gives a comment alone."""
UNANSWERED = Unscored("no other submission")


@dataclass(frozen=True)
class ByAssignment:
    """A metric over examples that come in assignments, or else in notebooks."""

    metric: Metric[Any]

    @property
    def name(self) -> str:
        return self.metric.name

    @property
    def signature(self) -> str:
        return f"{self.metric.signature}|interval:assignments"

    @property
    def pooling(self) -> str:
        return str(getattr(self.metric, "pooling", "any"))

    def cluster(self, example: Example) -> str:
        meta = example.meta
        return meta.get("assignment") or meta.get("notebook") or example.id

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> Any:
        if candidates and candidates[0].text == NOBODY:
            return UNANSWERED
        return self.metric.measure(example, candidates)

    def reduce(self, stats: Sequence[Any]) -> Score:
        found = self.metric.reduce(stats)
        return Score(found.name, found.value, found.n, found.unscored, self.signature)
