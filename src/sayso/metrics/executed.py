"""Executed equivalence: 1 when one of the first k candidates does what a reference does, as found by running them.

Leaves out how instructions are run and compared: the target passes that function in, with a name for the signature.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sayso.core.types import Candidate, Example, Score, Unscored
from sayso.metrics.average import NO_REFERENCE, Pooling, mean_score

Compare = Callable[[Example, Sequence[str]], Sequence[bool] | Unscored]
"""Whether each of some texts does the same as one of the example's references, or why that cannot be told.

Whether it can be told must depend on the example alone: were an example left out because of what a system answered,
systems would be scored on different examples. It may raise `SandboxFailed`, which is unscored and never wrong.
"""


@dataclass(frozen=True)
class Executed:
    name: str
    k: int
    compare: Compare
    compare_name: str

    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        return f"executed|k:{self.k}|compare:{self.compare_name}|references:any|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int | Unscored:
        if not example.references:
            return NO_REFERENCE
        verdicts = self.compare(example, [candidate.text for candidate in candidates[: self.k]])
        return verdicts if isinstance(verdicts, Unscored) else int(any(verdicts))

    def reduce(self, stats: Sequence[int | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)
