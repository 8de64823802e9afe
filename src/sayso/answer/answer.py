"""One request to one answer, as every face of sayso gives it: candidates with their risk, or known requests.

The line: the request is read, sources propose, drafts are parsed and weighed, bars keep the first place. Here the
user's own commands come in before all others, what this machine lacks is counted, and an answer that is not good
enough is none. Nothing else abstains.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from sayso.answer.verify import POOL, as_candidates, drafted
from sayso.answer.weigh import MISDEEDS, SCORE, fitted
from sayso.core.types import Asked, Candidate, Draft, Evidence, Question, Remarks, Request, Risk, System, Target

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
    is_own: bool = False
    """The user has said what they want for this request: their own command comes first."""


@runtime_checkable
class Drafting(Protocol):
    """A translator that has parsed its candidates, and hands on what it knows of them."""

    def drafts(self, asked: Sequence[Asked], k: int) -> list[list[Draft]]: ...


Own = Callable[[Asked], Sequence[Candidate]]
"""The user's own commands for a request; a score of 1 means that it was this very request."""
Here = Callable[[Sequence[Draft]], list[tuple[Evidence, ...]]]
"""What speaks against drafts on this machine."""


def answer(
    target: Target, system: System, request: Request, k: int = 3, own: Own | None = None, here: Here | None = None
) -> Answer:
    return answer_all(target, system, [request], k, own, here)[0]


def answer_all(
    target: Target,
    system: System,
    requests: Sequence[Request],
    k: int = 3,
    own: Own | None = None,
    here: Here | None = None,
) -> list[Answer]:
    """Answers in the order of the requests; the translator sees them as one batch."""
    asked = [target.read(request) for request in requests]
    # Some may have to make room for what runs here.
    found = proposed(target, system, asked, max(k, POOL) if here else k)
    mine = [recalled(target, one, own(one)) if own else [] for one in asked]
    return [conclude(target, system, *each, here, k) for each in zip(asked, mine, found, strict=True)]


def proposed(target: Target, system: System, asked: Sequence[Asked], k: int) -> list[list[Draft]]:
    """At most k drafts for each request, best first."""
    if isinstance(system.translator, Drafting):
        return system.translator.drafts(asked, k)
    found = system.translator.translate([one.request for one in asked], k)
    return [drafted(target, candidates) for candidates in found]


def recalled(target: Target, asked: Asked, own: Sequence[Candidate]) -> list[Draft]:
    """The user's own commands, but for those of another request which this one does not order."""
    drafts = drafted(target, own)
    seen = zip(target.bars(asked, drafts), target.evidence(asked, drafts), strict=True) if drafts else ()
    unwanted = [bool(bars) or any(one.name in MISDEEDS for one in evidence) for bars, evidence in seen]
    return [draft for draft, is_not in zip(drafts, unwanted, strict=True) if draft.scores[SCORE] >= 1 or not is_not]


def conclude(
    target: Target,
    system: System,
    asked: Asked,
    own: Sequence[Draft],
    drafts: Sequence[Draft],
    here: Here | None,
    k: int,
) -> Answer:
    said = system.remarks(asked.request, k)
    has_none = abstains(system, as_candidates([drafts])[0], said)
    drafts = parsed_first(target, asked, drafts)
    if own and not said.barred:
        texts = {draft.text for draft in own}
        drafts = [*own, *(draft for draft in drafts if not has_none and draft.text not in texts)]
    if here and drafts:
        drafts = fitted(drafts, here(drafts))
    shown = tuple(Proposal(one.text, round(one.scores[SCORE], 4), one.risk, one.why) for one in drafts[:k])
    if own and not said.barred:
        return Answer(shown, facts=said.facts, is_own=True)
    if has_none:
        nearest = tuple(system.nearest(asked.request, SUGGESTIONS))
        return Answer(shown, True, nearest, said.reason, said.barred, said.question, said.facts)
    best = [Candidate(one.text, one.score, one.why) for one in shown]
    return Answer(shown, question=said.question or target.question(asked.request, best), facts=said.facts)


def parsed_first(target: Target, asked: Asked, drafts: Sequence[Draft]) -> Sequence[Draft]:
    """What does not parse behind what does, but never so that something barred moves up."""
    torn = [draft for draft in drafts if draft.problem]
    whole = [draft for draft in drafts if not draft.problem]
    if not torn or not whole:
        return drafts
    barred = [bool(bars) for bars in target.bars(asked, whole)]
    allowed = [draft for draft, is_barred in zip(whole, barred, strict=True) if not is_barred]
    return [*allowed, *torn, *(draft for draft, is_barred in zip(whole, barred, strict=True) if is_barred)]


def abstains(system: System, candidates: Sequence[Candidate], said: Remarks) -> bool:
    """Whether a request gets no answer: the one place that decides it, for answers and for predictions."""
    return bool(said.reason) or not candidates or candidates[0].score < system.abstain_below
