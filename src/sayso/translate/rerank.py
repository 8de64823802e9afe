"""Recipes where they are sure, else recipes and a model together, put in order by what is known of each option.

The quick source answers alone when its first candidate is sure enough; only otherwise is the model asked. Its answers
are weighed by a linear reranker, and each option is worth weight · share + known. What would destroy unasked is never
first. docs/concepts/ranking.md has the figures and what was tried instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sayso.core.types import Candidate, Request, Target, Translator
from sayso.translate.calibrate import Curve
from sayso.translate.combine import Likeness, Option, merge, spread
from sayso.translate.verify import BARRED, POOL, constants_of, doubts, verify

KEPT = 3
"""So many stay as they are ranked; those behind are chosen to be unlike them."""
Pair = tuple[float, float]
LEAST, NEVER = 1e-6, float("-inf")
FACTS = ("quick", "known", "share", "log_share", "both", "behind", "doubt", "described")


@dataclass(frozen=True)
class Weights:
    """A linear score of the columns of one option, each first shifted and scaled."""

    columns: tuple[str, ...]
    centre: tuple[float, ...]
    scale: tuple[float, ...]
    weight: tuple[float, ...]

    def score(self, row: Sequence[float]) -> float:
        parts = zip(row, self.centre, self.scale, self.weight, strict=True)
        return sum(weight * (value - centre) / scale for value, centre, scale, weight in parts)


@dataclass(frozen=True)
class Settings:
    """What was chosen: when recipes answer alone, and how much the model's share counts beside their score."""

    sure: Pair
    """The score from which on recipes answer alone,"""
    weight: Pair
    """and the weight of the model: each for a request as people ask and for one that describes a command."""
    curve: Curve


Reader = Callable[[Request, Sequence[Option]], list[list[float]]]
"""The columns of the options of a request."""


@dataclass(frozen=True)
class Ranked:
    """An option with what it is worth, its share of the model's belief, and what speaks against it."""

    option: Option
    worth: float
    share: float
    against: tuple[tuple[float, str], ...] = ()

    @property
    def barred(self) -> bool:
        """It would destroy something that nobody asked to be destroyed, or run what was smuggled in."""
        return any(factor in BARRED for factor, _ in self.against)


@dataclass(frozen=True)
class Combined:
    """Translator over two sources, whose scores are confidences."""

    target: Target
    quick: Translator
    model: Callable[[], Translator]
    """Gives the model, which is loaded when it is first needed."""
    read: Reader
    described: Callable[[Request], float]
    """How much a request reads like a description of a command, 0 to 1, rather than like somebody asking."""
    likeness: Likeness
    weights: Weights
    settings: Settings

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self._translate(request, k) for request in requests]

    def _translate(self, request: Request, k: int) -> list[Candidate]:
        known = verify(self.target, request, self.quick.translate([request], POOL)[0])
        if known and known[0].score >= between(self.settings.sure, self.described(request)):
            return alone(self.settings.curve, known, k)
        said = self.model().translate([request], POOL)[0]
        return self.together(request, said, known, k)

    def together(
        self, request: Request, said: Sequence[Candidate], known: Sequence[Candidate], k: int
    ) -> list[Candidate]:
        """What the model said and what the recipes know as one list, best first."""
        options = merge(self.target, said, known)
        if not options:
            return []
        described = self.described(request)
        scores = [
            self.weights.score(row) if option.share else NEVER
            for option, row in zip(options, self.read(request, options), strict=True)
        ]
        ranked = self.allowed(request, order(options, scores, between(self.settings.weight, described)))
        places = spread([one.option.text for one in ranked], [one.share for one in ranked], self.likeness, KEPT, k)
        if not places:
            return []
        surest = self.settings.curve(facts(ranked, described))
        return confident([ranked[at] for at in places], surest)

    def allowed(self, request: Request, ranked: Sequence[Ranked]) -> list[Ranked]:
        """With the reasons of `verify`; what is barred comes last, and not at all where it would be first."""
        constants = constants_of(request)
        judged = [
            replace(one, against=tuple(doubts(self.target, request, constants, one.option.text))) for one in ranked
        ]
        good = [one for one in judged if not one.barred]
        return [*good, *(one for one in judged if one.barred)] if good else []


def between(pair: Pair, share: float) -> float:
    return pair[0] + (pair[1] - pair[0]) * share


def order(options: Sequence[Option], scores: Sequence[float], weight: float) -> list[Ranked]:
    """By weight · share · mass + known; the shares are the reranker's, the mass is how much of its belief the model
    could put into words."""
    odds = [math.exp(score - max(scores)) if score > NEVER else 0.0 for score in scores]
    shares = [one / (sum(odds) or 1.0) for one in odds]
    mass = sum(option.share for option in options)
    ranked = [
        Ranked(option, weight * mass * share + option.known, share)
        for option, share in zip(options, shares, strict=True)
    ]
    return sorted(ranked, key=lambda one: -one.worth)


def facts(ranked: Sequence[Ranked], described: float) -> dict[str, float]:
    """What the confidence in the first of a list is made of."""
    first = ranked[0]
    trust = math.prod(factor for factor, _ in first.against)
    return {
        "quick": 0.0,
        "known": first.option.known,
        "share": first.share,
        "log_share": math.log(first.option.share + LEAST),
        "both": float(first.option.known > 0 and first.option.share > 0),
        "behind": ranked[1].worth / (first.worth or 1.0) if len(ranked) > 1 else 0.0,
        "doubt": math.log(trust),
        "described": described,
    }


def alone(curve: Curve, known: Sequence[Candidate], k: int) -> list[Candidate]:
    """What the recipes say, with confidences."""
    surest = curve({**dict.fromkeys(FACTS, 0.0), "quick": 1.0, "known": known[0].score})
    return [replace(one, score=surest * one.score / known[0].score) for one in known[:k]]


def confident(ranked: Sequence[Ranked], surest: float) -> list[Candidate]:
    """Candidates whose confidence falls from the first one's with what they are worth, never rising down the list."""
    found: list[Candidate] = []
    for one in ranked:
        score = surest * min(1.0, one.worth / (ranked[0].worth or 1.0)) * (min(BARRED) if one.barred else 1.0)
        score = min(score, found[-1].score) if found else surest
        told = one.option.why or ("from the model",)
        reasons = tuple(reason for _, reason in one.against if reason not in told)
        found.append(Candidate(one.option.text, score, (*told, *reasons)))
    return found
