"""One request to one answer, as every face of sayso gives it: candidates with their risk, or known requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sayso.core.types import Candidate, Request, Risk, System, Target

SUGGESTIONS = 3


@dataclass(frozen=True)
class Proposal:
    """A candidate with what it may do to the machine."""

    text: str
    score: float
    risk: Risk
    why: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """`abstained`: nothing was good enough; the candidates are kept, and `nearest` names known requests instead."""

    candidates: tuple[Proposal, ...]
    abstained: bool = False
    nearest: tuple[str, ...] = ()


def answer(target: Target, system: System, request: Request, k: int = 3) -> Answer:
    return answer_all(target, system, [request], k)[0]


def answer_all(target: Target, system: System, requests: Sequence[Request], k: int = 3) -> list[Answer]:
    """Answers in the order of the requests; the translator sees them as one batch."""
    found = system.translator.translate(requests, k)
    return [
        conclude(target, system, request, candidates, k) for request, candidates in zip(requests, found, strict=True)
    ]


def conclude(target: Target, system: System, request: Request, candidates: Sequence[Candidate], k: int) -> Answer:
    proposals = tuple(Proposal(one.text, round(one.score, 4), target.risk(one.text), one.why) for one in candidates[:k])
    if candidates and candidates[0].score >= system.abstain_below:
        return Answer(proposals)
    return Answer(proposals, abstained=True, nearest=tuple(system.nearest(request, SUGGESTIONS)))
