"""Add a metric: does one of the first k candidates start with the right word?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sayso.core.types import Candidate, Example, Request, Score, Unscored
from sayso.metrics.average import NO_REFERENCE, Pooling, mean_score
from sayso.metrics.significance import score_with_interval


@dataclass(frozen=True)
class FirstWord:
    name: str
    k: int
    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        return f"first_word|k:{self.k}|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int | Unscored:
        wanted = {reference.split(" ")[0] for reference in example.references}
        return int(any(c.text.split(" ")[0] in wanted for c in candidates[: self.k])) if wanted else NO_REFERENCE

    def reduce(self, stats: Sequence[int | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)


asked = [Example("toy:1", Request("list files"), ("ls",)), Example("toy:2", Request("where am I"), ("pwd",))]
said = [[Candidate("ls -a", 0.9)], [Candidate("whereis", 0.2)]]
metric = FirstWord("first_word@1", k=1)
score = score_with_interval(metric, [metric.measure(*pair) for pair in zip(asked, said, strict=True)])
print(f"{score.name} {score.value:.2f} ({score.low:.2f} to {score.high:.2f}), n = {score.n}, {score.signature}")
