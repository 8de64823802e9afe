"""What the user's own model proposes, beside what sayso found: one more source, believed no more than any other.

Each proposal is parsed, looked at and barred like all candidates. What is barred, does not parse or is useless is not
shown, nor what would lose something at a place that the request does not name. What nobody can rate, or loses anything,
comes last and answers nothing by itself. How good the model is nobody has measured, so that its proposals start from
one fixed score.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sayso.answer.answer import Answer, Proposal
from sayso.answer.weigh import look, lowered
from sayso.core.types import Request, Risk, Target

TRUST = 0.6
"""The score of a proposal against which nothing speaks: our own choice, above what sayso hardly believes itself."""
FROM, SAME = "from your model, whose answers nobody has measured", "your model says the same"
LEAST = 0.3
"""What evidence must leave of that score for a proposal to be shown."""

PLACE = re.compile(r"[~/$].*|\.{1,2}(?:/.*)?|\*")
"""A word that leads to the root, home, here or up, or means all that is there."""
ENDS = "\"'`,;:!?(){}\\"
HELD_BACK = ("unknown", "destroys")


def with_said(
    target: Target, found: Answer, request: Request, said: Sequence[str], abstain_below: float, k: int
) -> Answer:
    """The answer with the proposals among its candidates; a request that was refused stays refused."""
    if found.reason or found.barred or found.is_own:
        return found
    drafts = target.draft(list(dict.fromkeys(said)))
    known = {target.normalise(one.text) if parses(target, one.text) else one.text: one for one in found.candidates}
    agreed: set[str] = set()
    more: dict[str, Proposal] = {}
    for draft, seen in zip(drafts, look(target, target.read(request), drafts), strict=True):
        score = round(lowered(TRUST, seen.evidence), 4)
        if seen.barred or score < TRUST * LEAST or overreaches(draft.text, draft.risk, request.text):
            continue
        if draft.canonical in known:
            agreed.add(known[draft.canonical].text)
        else:
            reasons = tuple(one.reason for one in seen.evidence)
            more.setdefault(draft.canonical, Proposal(draft.text, score, draft.risk, (FROM, *reasons)))
    if not agreed and not more:
        return found
    own = [
        replace(one, score=max(one.score, TRUST), why=(*one.why, SAME)) if one.text in agreed else one
        for one in found.candidates
    ]
    rated = [one for one in more.values() if one.risk.level not in HELD_BACK]
    # Sorting keeps the order of equals: sayso's own, which was measured, comes first.
    first = sorted((*own, *rated), key=lambda one: -one.score)
    ranked = (*first, *(one for one in more.values() if one.risk.level in HELD_BACK))
    is_good = not found.abstained or (bool(first) and first[0].score >= abstain_below and first[0].score > 0)
    return replace(found, candidates=ranked[:k], abstained=not is_good, question=None)


def overreaches(text: str, risk: Risk, request: str) -> bool:
    """Whether it loses something at a place that was not named: "delete a.txt" is not `rm -r a.txt ~`."""
    if risk.level != "destroys":
        return False
    named = {bare.rstrip("/") or "/" for word in request.split() if (bare := word.strip(ENDS))}
    words = [word.strip(ENDS).rpartition("=")[2] for word in text.split()]
    risky = [word for word in risk.words if PLACE.fullmatch(word)]
    far = [word for word in words if PLACE.fullmatch(word) and word not in (".", "*", "/dev/null")]
    return any((word.rstrip("/") or "/") not in named for word in (*risky, *far))


def parses(target: Target, text: str) -> bool:
    return not target.draft([text])[0].problem
