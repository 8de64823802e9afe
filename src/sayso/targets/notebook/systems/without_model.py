"""What answers where no trained model is installed: the code below the text cell most like what is asked, then code
above, that which has its words first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sayso.core.types import Candidate, Request
from sayso.targets.notebook.systems import tfidf
from sayso.targets.notebook.systems.simple import Form, FromContext, as_written, described, ranked

BELOW, ABOVE = "the cell below a like text above", "a cell above"
WORD = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}|\d+")
NEARER = 0.01
"""What the nearest cell is worth beside its words, so that of two alike it comes first."""
LONGEST = 4_000
"""Characters of a cell that somebody may want again."""


@dataclass(frozen=True)
class WithoutModel:
    """Repeats cells above; words weigh by the cells at hand, since there is no corpus."""

    form: Form = as_written

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self._answer(request, k) for request in requests]

    def _answer(self, request: Request, k: int) -> list[Candidate]:
        request = Request(request.text, tuple(one for one in request.context if len(one.text) <= LONGEST))
        texts = [text for text, _ in described(request.context)]
        like = FromContext(tfidf.build([*texts, request.text]), self.form).translate([request], k)[0]
        near = ranked(self._above(request), self.form, k)
        found: dict[str, Candidate] = {}
        for why, candidates, share in ((BELOW, like, 1.0), (ABOVE, near, 0.5 * like[-1].score if like else 0.5)):
            for one in candidates:
                found.setdefault(one.text, Candidate(one.text, share * one.score, (why,)))
        return list(found.values())[:k]

    def _above(self, request: Request) -> Iterator[tuple[str, float]]:
        """Code cells by the words that they share with what is asked, then the nearest."""
        codes = [piece.text for piece in request.context if piece.kind == "code"]
        index = tfidf.build([*map(words_of, codes), words_of(request.text)])
        asked = index.vector(words_of(request.text))
        rated = []
        for distance, code in enumerate(reversed(codes)):
            other = index.vector(words_of(code))
            shared = sum(value * other.get(word, 0.0) for word, value in asked.items())
            rated.append((code, round(shared + NEARER / (1 + distance), 6)))
        yield from sorted(rated, key=lambda one: -one[1])


def words_of(text: str) -> str:
    """prices.groupby('kinds').meanPrice -> price groupby kind mean price"""
    return " ".join(word.lower().removesuffix("s") for word in WORD.findall(text))
