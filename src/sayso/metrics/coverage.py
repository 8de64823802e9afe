"""Scores that look at whether a system answered at all: how often it does, and how often it is right when it does.

What abstains keeps its candidates; every other metric is blind to the flag. Without it (`measure`) only an empty list
counts as no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sayso.core.types import Candidate, Example, Score, Unscored
from sayso.metrics.average import Pooling, mean_score
from sayso.metrics.executed import Compare

ABSTAINED = Unscored("abstained")


@dataclass(frozen=True)
class Answered:
    """The share of requests that are answered, rightly or not."""

    name: str = "answered"

    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        return "answered|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int | Unscored:
        return self.measure_answer(example, candidates, not candidates)

    def measure_answer(self, example: Example, candidates: Sequence[Candidate], abstained: bool) -> int | Unscored:
        return int(bool(candidates) and not abstained)

    def reduce(self, stats: Sequence[int | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)


@dataclass(frozen=True)
class RightOfAnswered:
    """Of the requests that are answered, how many have a right first candidate, found by running it."""

    name: str
    compare: Compare
    compare_name: str

    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        return f"right_of_answered|k:1|compare:{self.compare_name}|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int | Unscored:
        return self.measure_answer(example, candidates, not candidates)

    def measure_answer(self, example: Example, candidates: Sequence[Candidate], abstained: bool) -> int | Unscored:
        if abstained or not candidates:
            return ABSTAINED
        verdicts = self.compare(example, [candidates[0].text])
        return verdicts if isinstance(verdicts, Unscored) else int(any(verdicts))

    def reduce(self, stats: Sequence[int | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)
