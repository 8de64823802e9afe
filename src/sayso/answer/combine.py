"""Candidates of several sources as one list: equal instructions are one; what comes late is unlike what came first.

A source is a translator whose scores are probabilities. Two spellings of one canonical instruction add up, so a
command that a model writes in three ways is not beaten by one that it writes in one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sayso.answer.weigh import KNOWN, RECALLED, SHARE, SPELLINGS, STEPS
from sayso.core.types import Candidate, Draft

Likeness = Sequence[Sequence[float]]
"""How good the instruction of a row would be where that of a column is right, -1 to 1."""


Drafting = Callable[[Sequence[str]], Sequence[Draft]]


def once(draft: Drafting) -> Drafting:
    """The same, with every text read only once: sources are merged before the model is asked and after it."""
    known: dict[str, Draft] = {}

    def read(texts: Sequence[str]) -> list[Draft]:
        if new := [text for text in dict.fromkeys(texts) if text not in known]:
            known.update(zip(new, draft(new), strict=True))
        return [known[text] for text in texts]

    return read


def merge(
    draft: Drafting,
    said: Sequence[Candidate],
    known: Sequence[Candidate],
    steps: Sequence[Candidate] = (),
    recalled: Sequence[Candidate] = (),
) -> list[Draft]:
    """What a model said, what recipes know, what was put together act by act and what is recalled: equal instructions
    once, in the order of being found, each with the score that every source gives it."""
    found: dict[str, Draft] = {}
    sources = ((RECALLED, recalled), (SHARE, said), (KNOWN, known), (STEPS, steps))
    texts = [one.text for _, some in sources for one in some]
    drafts = iter(draft(texts) if texts else ())
    for source, some in sources:
        for one in some:
            read = next(drafts)
            had = found.get(read.canonical)
            scores = dict(had.scores) if had else {}
            if source == SHARE:
                scores[SHARE] = scores.get(SHARE, 0.0) + one.score
                scores[SPELLINGS] = scores.get(SPELLINGS, 0) + 1
            else:
                scores[source] = max(scores.get(source, 0.0), one.score)
            # Recipes are written with care: theirs is the spelling to show; the model's best is its first.
            kept = had if had and source == SHARE else replace(read, why=one.why or (had.why if had else ()))
            found[read.canonical] = replace(kept, scores=scores)
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
