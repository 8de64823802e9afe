"""Candidates of several sources as one list: equal instructions are one; what comes late is unlike what came first.

A source is a translator whose scores are probabilities. Two spellings of one canonical instruction add up, so a
command that a model writes in three ways is not beaten by one that it writes in one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sayso.answer.weigh import KNOWN, SCORE, SHARE, SPELLINGS
from sayso.core.types import Candidate, Draft, Target

Likeness = Sequence[Sequence[float]]
"""How good the instruction of a row would be where that of a column is right, -1 to 1."""


def merge(target: Target, said: Sequence[Candidate], known: Sequence[Draft]) -> list[Draft]:
    """What a model said and what recipes know, equal instructions once, in the order of being found."""
    found: dict[str, Draft] = {}
    drafts = target.draft([one.text for one in said]) if said else []
    for draft, one in zip(drafts, said, strict=True):
        first = found.get(draft.canonical, replace(draft, why=one.why))
        scores = {SHARE: share(first) + one.score, SPELLINGS: spellings(first) + 1}
        found[draft.canonical] = replace(first, scores=scores)
    for draft in known:
        had = found.get(draft.canonical)
        scores = (
            {**had.scores, KNOWN: max(known_score(had), draft.scores[SCORE])} if had else {KNOWN: draft.scores[SCORE]}
        )
        # Recipes are written with care: theirs is the spelling to show.
        found[draft.canonical] = replace(draft, scores=scores)
    return list(found.values())


def share(draft: Draft) -> float:
    """How likely the model finds it, all spellings together; 0 where it did not say it."""
    return draft.scores.get(SHARE, 0.0)


def known_score(draft: Draft) -> float:
    """The score that the recipes give it; 0 where none does."""
    return draft.scores.get(KNOWN, 0.0)


def spellings(draft: Draft) -> int:
    """In how many ways the model says it."""
    return int(draft.scores.get(SPELLINGS, 0))


def spread(likeness: Likeness, shares: Sequence[float], keep: int, k: int) -> list[int]:
    """Places of k drafts: the first `keep` as they are, then one by one what raises the best expected likeness most.

    A list is as good as its best member. Behind a few likely commands that differ in one flag, a command of another
    kind helps more than one with yet another flag.
    """
    chosen = list(range(min(keep, len(shares))))
    rest = list(range(len(chosen), len(shares)))
    best = [max((likeness[one][other] for one in chosen), default=-1.0) for other in range(len(shares))]
    while rest and len(chosen) < k:
        gains = [
            sum(share * max(0.0, likeness[one][at] - best[at]) for at, share in enumerate(shares)) + 1e-9 * shares[one]
            for one in rest
        ]
        one = rest.pop(max(range(len(rest)), key=lambda at: (gains[at], -at)))
        chosen.append(one)
        best = [max(had, new) for had, new in zip(best, likeness[one], strict=True)]
    return chosen
