"""The one place that counts what speaks against a draft, and puts drafts in order.

Evidence is a named number with a reason. Where a weighing was fitted, that says how much each counts (`rerank.py`);
elsewhere a table says what is left of a score where the number is 1. What is barred never comes first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sayso.core.types import LEFT_OPEN, Asked, Draft, Evidence, Finding, RiskLevel, Target

SCORE, SHARE, KNOWN, SPELLINGS, STEPS, RECALLED = "score", "share", "known", "spellings", "steps", "recalled"
"""Names of the scores of a draft: what it has in the end, a model's probability, the recipes' score, in how many ways
the model says it, the score of what was put together act by act, and how alike a request is that had this answer."""
MOST_COUNTED = 3
"""Findings of one draft that are counted."""


LEFT: Mapping[str, float] = {
    "unparsable": 0.02,
    "useless": 0.01,
    "finding": 0.75,
    "unheard_of": 0.98,
    "unused": 0.85,
    "unnamed": 0.55,
    "swapped": 0.6,
    "not_done": 0.4,
    "unasked_run": 0.45,
    "unasked_change": 0.5,
    "unasked_destruction": 0.1,
    "smuggled": 0.02,
    "sweeping": 0.05,
    "vague": 0.05,
    "taken_over": 0.001,
    "mangled": 0.001,
    "lacking": 0.3,
    "undefined": 0.3,
    "differing": 0.9,
}
"""Evidence -> what is left of a score where nothing fitted says how much it counts: of recipes alone, calls, cells,
tools that are not GNU's, and the user's own model."""
REFUSED = ("taken_over", "mangled")
"""What the request would do in it, rather than the user, and what has a name of the request in pieces: not shown."""
FAULTS = ("useless", "finding")
"""What the checks of a language surely find; what they have not heard of may well exist where a recipe has it."""
MISDEEDS = ("not_done", "unasked_change", "unasked_run")
"""What is done though nobody asked for it, or is left undone: no bar, and still another deed than the one ordered."""
RISKS: Sequence[RiskLevel] = ("reads", "writes", "unknown", "destroys")


@dataclass(frozen=True)
class Weighed:
    """A draft with what it is worth, its share of a model's belief, and what speaks against it."""

    draft: Draft
    worth: float
    share: float = 0.0
    against: tuple[Evidence, ...] = ()
    barred: bool = False

    @property
    def is_faulty(self) -> bool:
        """Whether something is wrong with it by itself, whatever was asked for."""
        is_guessed = SHARE in self.draft.scores and KNOWN not in self.draft.scores
        return any(one.name in FAULTS or (is_guessed and one.name == "unheard_of") for one in self.against)

    @property
    def is_open(self) -> bool:
        """Whether it has a gap that its user would have to fill."""
        return any(reason.startswith(LEFT_OPEN) for reason in self.draft.why)

    @property
    def refused(self) -> bool:
        return is_refused(self.against)


@dataclass(frozen=True)
class Against:
    """What speaks against one draft, and whether that bars it from the first place."""

    evidence: tuple[Evidence, ...] = ()
    barred: bool = False


def look(target: Target, asked: Asked, drafts: Sequence[Draft]) -> list[Against]:
    """Everything that speaks against each draft; of what does not parse nothing else can be said."""
    whole = [draft for draft in drafts if not draft.problem]
    seen = zip(target.evidence(asked, whole), target.bars(asked, whole), strict=True) if whole else iter(())
    return [broken(draft) if draft.problem else together(draft, *next(seen)) for draft in drafts]


def broken(draft: Draft) -> Against:
    return Against((Evidence("unparsable", f"does not parse: {draft.problem}"),), barred=True)


def together(draft: Draft, evidence: Sequence[Evidence], bars: Sequence[Evidence]) -> Against:
    found = [Evidence(name_of(finding), finding.message) for finding in draft.findings[:MOST_COUNTED]]
    return Against((*found, *evidence, *bars), bool(bars))


def name_of(finding: Finding) -> str:
    return "useless" if finding.fatal else "finding" if finding.known else "unheard_of"


def log_trust(evidence: Sequence[Evidence]) -> float:
    """The logarithm of what evidence leaves of a score."""
    return sum(math.log(LEFT[one.name]) * one.value for one in evidence)


def lowered(score: float, evidence: Sequence[Evidence]) -> float:
    """A score with all that speaks against it; one that is a logarithm is negative, and dividing lowers it."""
    trust = math.exp(log_trust(evidence))
    return score * trust if score >= 0 else score / trust


def is_refused(evidence: Sequence[Evidence]) -> bool:
    return any(one.name in REFUSED for one in evidence)


def best_first(weighed: Sequence[Weighed]) -> list[Weighed]:
    """By worth, ties as they were; what has a finding behind what has none; what is barred last whatever it is worth,
    and not at all where nothing else is. What is refused is gone, and so is what has gaps and is not the first.
    """
    shown = [one for one in weighed if not one.refused]
    ordered = sorted(shown, key=lambda one: (one.barred, one.is_faulty, -one.worth))
    if not ordered or ordered[0].barred:
        return []
    return [ordered[0], *(one for one in ordered[1:] if not one.is_open)]


def fitted(drafts: Sequence[Draft], seen: Sequence[tuple[Evidence, ...]]) -> list[Draft]:
    """Drafts, best first, with what speaks against them on this machine; as they were where nothing does.

    A command that does more than the one that was best is no better for being spelt right: it is never first.
    """
    if not any(seen):
        return list(drafts)
    first = RISKS.index(drafts[0].risk.level)
    lower = [
        replace(
            draft,
            scores={**draft.scores, SCORE: lowered(draft.scores[SCORE], evidence)},
            why=(*draft.why, *(one.reason for one in evidence)),
        )
        for draft, evidence in zip(drafts, seen, strict=True)
    ]
    return sorted(lower, key=lambda one: (RISKS.index(one.risk.level) > first, -one.scores[SCORE]))
