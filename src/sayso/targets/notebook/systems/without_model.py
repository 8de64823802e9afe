"""What answers where no trained model is installed: the code below the text cell most like what is asked, then the
nearest code above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sayso.core.types import Candidate, Request
from sayso.targets.notebook.systems import tfidf
from sayso.targets.notebook.systems.simple import Above, Form, FromContext, as_written, described

REPEATED = "a cell above"
BELOW = "the cell below a like text above"


@dataclass(frozen=True)
class WithoutModel:
    """Repeats cells above; words weigh by the cells at hand, since there is no corpus."""

    form: Form = as_written

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self._answer(request, k) for request in requests]

    def _answer(self, request: Request, k: int) -> list[Candidate]:
        texts = [text for text, _ in described(request.context)]
        like = FromContext(tfidf.build([*texts, request.text]), self.form).translate([request], k)[0]
        near = Above(self.form).translate([request], k)[0]
        found: dict[str, Candidate] = {}
        for one in like:
            found.setdefault(one.text, Candidate(one.text, one.score, (BELOW,)))
        least = min((one.score for one in like), default=1.0)
        for one in near:
            found.setdefault(one.text, Candidate(one.text, 0.1 * least * one.score, (REPEATED,)))
        return list(found.values())[:k]
