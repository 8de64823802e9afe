"""Reorder candidates by what a careful reader would check before running one, and say why.

Does it parse, does its language know everything in it, and does the target doubt that it is what was asked for? Pure
functions; what a doubt is about only the target knows (`Target.doubts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate, Doubt, Request, Target, Translator

UNPARSABLE, ODD, UNHEARD_OF = 0.02, 0.75, 0.98
MOST_COUNTED = 3
# More candidates than are asked for are looked at, so that a better one can move up.
POOL = 8


@dataclass(frozen=True)
class Verified:
    """A translator whose candidates are checked and reordered, so that what is scored is what is shown."""

    translator: Translator
    target: Target

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        found = self.translator.translate(requests, max(k, POOL))
        pairs = zip(requests, found, strict=True)
        return [verify(self.target, request, candidates)[:k] for request, candidates in pairs]


def verify(target: Target, request: Request, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates with scores lowered and reasons added where something is wrong, best first; ties stay.

    What is barred comes last whatever its score, and not at all where nothing else is left; what is refused is gone.
    """
    judged = [pair for candidate in candidates if (pair := judge(target, request, candidate))]
    judged.sort(key=lambda pair: -pair[0].score)
    good = [candidate for candidate, barred in judged if not barred]
    return [*good, *(candidate for candidate, barred in judged if barred)] if good else []


def judge(target: Target, request: Request, candidate: Candidate) -> tuple[Candidate, bool] | None:
    """The candidate with its doubts counted, and whether one of them bars it; None where one refuses it."""
    score, why, barred = candidate.score, candidate.why, False
    for doubt in doubts(target, request, candidate.text):
        if doubt.kind == "refused":
            return None
        # A score that is a logarithm is negative: dividing lowers it.
        score = score * doubt.factor if score >= 0 else score / doubt.factor
        why = (*why, doubt.reason)
        barred = barred or doubt.kind == "barred"
    return replace(candidate, score=score, why=why), barred


def doubts(target: Target, request: Request, text: str) -> Iterator[Doubt]:
    """Everything that speaks against a candidate; of what does not parse nothing else can be said."""
    try:
        target.normalise(text)
    except BadInstruction as error:
        yield Doubt(UNPARSABLE, f"does not parse: {error.message}", "barred")
        return
    for finding in target.check(text)[:MOST_COUNTED]:
        yield Doubt(ODD if finding.known else UNHEARD_OF, finding.message)
    yield from target.doubts(request, text)
