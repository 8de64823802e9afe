"""Candidates reordered by what a careful reader would check before running one, with the reasons.

Does it parse, does its language know everything in it, and is it what was asked for? The last only the target can tell
(`Target.evidence`, `Target.bars`); how much it counts is said in `weigh`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sayso.answer.weigh import SCORE, Weighed, best_first, look, lowered
from sayso.core.types import Asked, Candidate, Draft, Request, Target, Translator

# More candidates than are asked for are looked at, so that a better one can move up.
POOL = 8


@dataclass(frozen=True)
class Verified:
    """A translator whose candidates are checked and reordered, so that what is scored is what is shown."""

    translator: Translator
    target: Target

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return as_candidates(self.drafts([self.target.read(request) for request in requests], k))

    def drafts(self, asked: Sequence[Asked], k: int) -> list[list[Draft]]:
        """The same for requests that were read, with all that is known of each candidate."""
        found = self.translator.translate([one.request for one in asked], max(k, POOL))
        return [falling(checked(self.target, one, some)[:k]) for one, some in zip(asked, found, strict=True)]


def falling(drafts: Sequence[Draft]) -> list[Draft]:
    """The same order with scores that never rise: what has a finding stands behind others whatever it is worth."""
    lowest, found = float("inf"), []
    for draft in drafts:
        lowest = min(lowest, draft.scores[SCORE])
        found.append(replace(draft, scores={**draft.scores, SCORE: lowest}))
    return found


def verify(target: Target, request: Request, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that are left of `checked`, for who has only text."""
    return as_candidates([checked(target, target.read(request), candidates)])[0]


def checked(target: Target, asked: Asked, candidates: Sequence[Candidate]) -> list[Draft]:
    """The candidates with scores lowered and reasons added where something is wrong, best first; ties stay."""
    drafts = drafted(target, candidates)
    weighed = [
        Weighed(draft, lowered(draft.scores[SCORE], one.evidence), 0.0, one.evidence, one.barred)
        for draft, one in zip(drafts, look(target, asked, drafts), strict=True)
    ]
    return [
        replace(
            one.draft,
            scores={SCORE: one.worth},
            why=(*one.draft.why, *(evidence.reason for evidence in one.against)),
        )
        for one in best_first(weighed)
    ]


def drafted(target: Target, candidates: Sequence[Candidate]) -> list[Draft]:
    """Candidates as their sources gave them, parsed."""
    drafts = target.draft([candidate.text for candidate in candidates]) if candidates else []
    return [
        replace(draft, why=candidate.why, scores={SCORE: candidate.score})
        for draft, candidate in zip(drafts, candidates, strict=True)
    ]


def as_candidates(found: Sequence[Sequence[Draft]]) -> list[list[Candidate]]:
    return [[Candidate(draft.text, draft.scores[SCORE], draft.why) for draft in drafts] for drafts in found]
