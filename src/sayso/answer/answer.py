"""One request to one answer, as every face of sayso gives it: candidates with their risk, or known requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sayso.core.types import Candidate, Question, Remarks, Request, Risk, System, Target

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
    """`abstained`: nothing was good enough; the candidates are kept, and `nearest` names known requests instead.

    `reason`, `barred`, `facts` and, where two readings are close, `question` are what the system remarked (`Remarks`).
    """

    candidates: tuple[Proposal, ...]
    abstained: bool = False
    nearest: tuple[str, ...] = ()
    reason: str = ""
    barred: bool = False
    question: Question | None = None
    facts: Mapping[str, object] = field(default_factory=dict)


def answer(target: Target, system: System, request: Request, k: int = 3) -> Answer:
    return answer_all(target, system, [request], k)[0]


def answer_all(target: Target, system: System, requests: Sequence[Request], k: int = 3) -> list[Answer]:
    """Answers in the order of the requests; the translator sees them as one batch."""
    found = system.translator.translate(requests, k)
    return [
        conclude(target, system, request, candidates, k) for request, candidates in zip(requests, found, strict=True)
    ]


def conclude(target: Target, system: System, request: Request, candidates: Sequence[Candidate], k: int) -> Answer:
    said = system.remarks(request, k)
    shown = [replace(one, score=round(one.score, 4)) for one in candidates[:k]]
    proposals = tuple(Proposal(one.text, one.score, target.risk(one.text), one.why) for one in shown)
    if abstains(system, candidates, said):
        nearest = tuple(system.nearest(request, SUGGESTIONS))
        return Answer(proposals, True, nearest, said.reason, said.barred, said.question, said.facts)
    return Answer(proposals, question=said.question or target.question(request, shown), facts=said.facts)


def abstains(system: System, candidates: Sequence[Candidate], said: Remarks) -> bool:
    """Whether a request gets no answer: the one place that decides it, for answers and for predictions."""
    return bool(said.reason) or not candidates or candidates[0].score < system.abstain_below
