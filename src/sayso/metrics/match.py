"""Exact match after a canonicaliser: NL2Bash's command and template match, Okapi's order-free match, JuICe's EM.

Leaves out how a language is put into canonical form: the target passes that function in, with a name for the signature.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate, Example, Score, Unscored
from sayso.metrics.average import NO_REFERENCE, Pooling, mean_score


@dataclass(frozen=True)
class Match:
    """1 when one of the first k candidates equals one of the references in canonical form, else 0.

    Text that the canonicaliser refuses with `BadInstruction` stands for itself, stripped, and equals only that text.
    So a candidate that does not parse is wrong, unless the corpus has that very text as a reference.
    """

    name: str
    k: int
    canonical: Callable[[str], str]
    canonical_name: str

    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        return f"match|k:{self.k}|canonical:{self.canonical_name}|references:any|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int | Unscored:
        if not example.references:
            return NO_REFERENCE
        wanted = {self._form(reference) for reference in example.references}
        return int(any(self._form(candidate.text) in wanted for candidate in candidates[: self.k]))

    def reduce(self, stats: Sequence[int | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)

    def _form(self, text: str) -> tuple[bool, str]:
        """The flag keeps a raw text apart from a canonical one that happens to be spelled the same."""
        try:
            return True, self.canonical(text)
        except BadInstruction:
            return False, text.strip()
