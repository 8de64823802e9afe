"""Precision, recall and F1 over the items of a candidate and of a reference: as bags, as sets or as sequences.

JuICe's API calls are sets (§7.2), README-EVAL's labels and edges too. The target passes in how text becomes items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate, Example, Score, Unscored
from sayso.metrics.average import NO_REFERENCE, Pooling, mean_score, score, separate

Shape = Literal["bag", "set", "sequence"]
Part = Literal["precision", "recall", "f1"]

UNREADABLE = Unscored("no reference can be split")
EMPTY = Unscored("nothing in the reference")


@dataclass(frozen=True)
class Overlap:
    """How items are counted; share one value between the precision, recall and F1 of a task.

    Of the first k candidates and all references the pair with the best F1 counts. A candidate that cannot be split has
    no items; a reference that cannot be split is passed over. With `skip_empty` an example whose reference has no item
    is unscored, else it asks for nothing: answering nothing is then right, answering anything wrong.
    """

    split: Callable[[str], Sequence[str]]
    split_name: str
    shape: Shape
    k: int = 1
    skip_empty: bool = False

    @property
    def signature(self) -> str:
        empty = "unscored" if self.skip_empty else "scored"
        return f"{self.shape}|k:{self.k}|split:{self.split_name}|references:best|empty:{empty}"

    def count(self, example: Example, candidates: Sequence[Candidate]) -> list[int] | Unscored:
        """[shared items, items of the candidate, items of the reference]"""
        if not example.references:
            return NO_REFERENCE
        references = [items for items in map(self._items, example.references) if items is not None]
        if not references:
            return UNREADABLE
        if self.skip_empty:
            references = [items for items in references if items]
            if not references:
                return EMPTY
        answers = [self._items(candidate.text) or [] for candidate in candidates[: self.k]] or [[]]
        pairs = [
            [shared(answer, reference, self.shape), len(answer), len(reference)]
            for answer in answers
            for reference in references
        ]
        return max(pairs, key=lambda pair: ratio(pair, "f1"))

    def _items(self, text: str) -> list[str] | None:
        try:
            items = list(self.split(text))
        except BadInstruction:
            return None
        return list(dict.fromkeys(items)) if self.shape == "set" else items


@dataclass(frozen=True)
class Micro:
    """Items of all examples in one pot: a long reference weighs more than a short one."""

    name: str
    part: Part
    overlap: Overlap

    pooling: ClassVar[Pooling] = "sum"

    @property
    def signature(self) -> str:
        return f"{self.part}|average:micro|{self.overlap.signature}|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> list[int] | Unscored:
        return self.overlap.count(example, candidates)

    def reduce(self, stats: Sequence[list[int] | Unscored]) -> Score:
        scored, unscored = separate(stats)
        pot = [sum(column) for column in zip(*scored, strict=True)] or [0, 0, 0]
        return score(self.name, self.signature, ratio(pot, self.part), len(scored), unscored)


@dataclass(frozen=True)
class Macro:
    """The mean over examples; macro F1 is the mean of their F1, not the F1 of mean precision and mean recall."""

    name: str
    part: Part
    overlap: Overlap

    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        return f"{self.part}|average:macro|{self.overlap.signature}|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> float | Unscored:
        counts = self.overlap.count(example, candidates)
        return counts if isinstance(counts, Unscored) else ratio(counts, self.part)

    def reduce(self, stats: Sequence[float | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)


def ratio(counts: Sequence[float], part: Part) -> float:
    """[shared, answered, wanted] -> precision, recall or F1; nothing answered where nothing was wanted is perfect."""
    both, answered, wanted = counts
    if not answered and not wanted:
        return 1.0
    whole = {"precision": answered, "recall": wanted, "f1": (answered + wanted) / 2}[part]
    return both / whole if whole else 0.0


def shared(left: Sequence[str], right: Sequence[str], shape: Shape) -> int:
    """["a", "b"], ["b", "a"] -> 2 as bags or sets, 1 as sequences (longest common subsequence)."""
    if shape == "sequence":
        return _common_subsequence(left, right)
    return (Counter(left) & Counter(right)).total()


def _common_subsequence(left: Sequence[str], right: Sequence[str]) -> int:
    lengths = [0] * (len(right) + 1)
    for item in left:
        diagonal = 0
        for column, other in enumerate(right, start=1):
            above = lengths[column]
            lengths[column] = diagonal + 1 if item == other else max(above, lengths[column - 1])
            diagonal = above
    return lengths[-1]
