"""Candidates of several sources as one list: equal instructions are one; what comes late is unlike what came first.

A source is a translator whose scores are probabilities. Two spellings of one canonical instruction add up, so a
command that a model writes in three ways is not beaten by one that it writes in one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate, Target

Likeness = Callable[[str, str], float]
"""How good the first instruction would be where the second is right, -1 to 1."""


@dataclass(frozen=True)
class Option:
    """One instruction, known by its canonical text; its likeliest spelling is shown."""

    text: str
    key: str
    """The canonical text; the text itself where it does not parse."""
    parses: bool = True
    share: float = 0.0
    """How likely the model finds it, all spellings together; 0 where it did not say it."""
    known: float = 0.0
    """The score that the recipes give it; 0 where none does."""
    spellings: int = 0
    why: tuple[str, ...] = ()


def merge(target: Target, said: Sequence[Candidate], known: Sequence[Candidate]) -> list[Option]:
    """What a model said and what recipes know, equal instructions once, in the order of being found."""
    found: dict[str, Option] = {}
    for one in said:
        option = found.get(key_of(target, one.text)[0]) or blank(target, one)
        found[option.key] = replace(option, share=option.share + one.score, spellings=option.spellings + 1)
    for one in known:
        option = found.get(key_of(target, one.text)[0]) or blank(target, one)
        # Recipes are written with care: theirs is the spelling to show.
        found[option.key] = replace(option, text=one.text, known=max(option.known, one.score), why=one.why)
    return list(found.values())


def blank(target: Target, candidate: Candidate) -> Option:
    key, parses = key_of(target, candidate.text)
    return Option(candidate.text, key, parses, why=candidate.why)


def key_of(target: Target, text: str) -> tuple[str, bool]:
    try:
        return target.normalise(text), True
    except BadInstruction:
        return text.strip(), False


def spread(texts: Sequence[str], shares: Sequence[float], likeness: Likeness, keep: int, k: int) -> list[int]:
    """Places of k texts: the first `keep` as they are, then one by one what raises the best expected likeness most.

    A list is as good as its best member. Behind a few likely commands that differ in one flag, a command of another
    kind helps more than one with yet another flag.
    """
    chosen = list(range(min(keep, len(texts))))
    rest = list(range(len(chosen), len(texts)))
    like = [[likeness(one, other) for other in texts] for one in texts]
    best = [max((like[one][other] for one in chosen), default=-1.0) for other in range(len(texts))]
    while rest and len(chosen) < k:
        gains = [
            sum(share * max(0.0, like[one][at] - best[at]) for at, share in enumerate(shares)) + 1e-9 * shares[one]
            for one in rest
        ]
        one = rest.pop(max(range(len(rest)), key=lambda at: (gains[at], -at)))
        chosen.append(one)
        best = [max(had, new) for had, new in zip(best, like[one], strict=True)]
    return chosen
