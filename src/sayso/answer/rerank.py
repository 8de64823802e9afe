"""Recipes where they are sure, else recipes and a model together, put in order by what is known of each option.

The quick source answers alone when its first candidate is sure enough; only otherwise is the model asked. Its answers
are weighed by a linear reranker, and each option is worth weight · share + known. What would destroy unasked is never
first. docs/concepts/ranking.md has the figures and what was tried instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from sayso.answer.calibrate import Curve
from sayso.answer.combine import Likeness, Option, merge, spread
from sayso.answer.verify import POOL, doubts, verify
from sayso.core.types import Candidate, Doubt, Request, Target, Translator

KEPT = 3
"""So many stay as they are ranked; those behind are chosen to be unlike them."""
Pair = tuple[float, float]
LEAST, NEVER = 1e-6, float("-inf")
BARRED = 0.02
"""What is left of the confidence of what is barred."""
TOLD = "least"
"""The column that is a fact for the confidence as well: how much its least expected part is called for."""
FACTS = ("quick", "known", "best_known", "share", "log_share", "both", "behind", "doubt", "described", TOLD)


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
    share: float = 0.0
    against: tuple[Doubt, ...] = ()

    @property
    def refused(self) -> bool:
        return any(doubt.kind == "refused" for doubt in self.against)

    @property
    def barred(self) -> bool:
        """It would destroy something that nobody asked to be destroyed, or run what was smuggled in."""
        return any(doubt.kind == "barred" for doubt in self.against)


@dataclass(frozen=True)
class Combined:
    """Translator over two sources, whose scores are confidences."""

    target: Target
    quick: Translator
    model: Callable[[float | None], Translator]
    """Gives the model, which is loaded when it is first needed. It is told below which probability all its answers
    together come behind the recipes; None where it is to take its time."""
    read: Reader
    described: Callable[[Request], float]
    """How much a request reads like a description of a command, 0 to 1, rather than like somebody asking."""
    likeness: Likeness
    weights: Weights
    settings: Settings

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self._translate(request, k) for request in requests]

    def _translate(self, request: Request, k: int) -> list[Candidate]:
        ranked, known = self.weigh(request)
        if ranked and k > min(KEPT, len(ranked)) and not known["quick"]:
            ranked = self.widened(request, ranked[:KEPT])
        places = spread([one.option.text for one in ranked], [one.share for one in ranked], self.likeness, KEPT, k)
        return confident([ranked[at] for at in places[:k]], self.settings.curve(known)) if places else []

    def widened(self, request: Request, first: Sequence[Ranked]) -> list[Ranked]:
        """The first answers, which stay what they are, and what else is found by a model that takes its time."""
        keys = {one.option.key for one in first}
        ranked, _ = self.weigh(request, in_a_hurry=False)
        return [*first, *(one for one in ranked if one.option.key not in keys)]

    def weigh(self, request: Request, in_a_hurry: bool = True) -> tuple[list[Ranked], dict[str, float]]:
        """Everything that was found, best first, and the facts from which its confidence is made."""
        known = verify(self.target, request, self.quick.translate([request], POOL)[0])
        described = self.described(request)
        if known and known[0].score >= between(self.settings.sure, described):
            ranked = [Ranked(Option(one.text, one.text, known=one.score, why=one.why), one.score) for one in known]
            score = known[0].score
            return ranked, {**dict.fromkeys(FACTS, 0.0), "quick": 1.0, "known": score, "best_known": score}
        weight = blend(self.settings.weight, described)
        model = self.model((known[0].score if known else 0.0) / weight if in_a_hurry else None)
        options = merge(self.target, model.translate([request], POOL)[0], known)
        if not options:
            return [], {}
        rows = self.read(request, options)
        pairs = zip(options, rows, strict=True)
        scores = [self.weights.score(row) if option.share else NEVER for option, row in pairs]
        ranked = self.allowed(request, order(options, scores, weight))
        if not ranked:
            return [], {}
        row = rows[[option.key for option in options].index(ranked[0].option.key)]
        told = row[self.weights.columns.index(TOLD)] if TOLD in self.weights.columns else 0.0
        best_known = known[0].score if known else 0.0
        return ranked, {**facts(ranked), "described": described, TOLD: told, "best_known": best_known}

    def allowed(self, request: Request, ranked: Sequence[Ranked]) -> list[Ranked]:
        """With the reasons of `verify`; barred ones come last, and not at all where one would be first."""
        judged = [doubted(one, doubts(self.target, request, one.option.text)) for one in ranked]
        judged = [one for one in judged if not one.refused]
        judged.sort(key=lambda one: -one.worth)
        good = [one for one in judged if not one.barred]
        return [*good, *(one for one in judged if one.barred)] if good else []


def doubted(ranked: Ranked, against: Iterable[Doubt]) -> Ranked:
    """What is not what was asked for is worth less; recipes had that counted in their score before."""
    reasons = tuple(against)
    unfit = math.prod(doubt.factor for doubt in reasons if doubt.kind == "unfit") if ranked.option.share else 1.0
    return replace(ranked, worth=ranked.worth * unfit, against=reasons)


def between(pair: Pair, share: float) -> float:
    return pair[0] + (pair[1] - pair[0]) * share


def blend(pair: Pair, share: float) -> float:
    """Between two weights, by their ratio: (1, 100) and .5 -> 10."""
    return math.exp(between((math.log(pair[0]), math.log(pair[1])), share))


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


def facts(ranked: Sequence[Ranked]) -> dict[str, float]:
    """What the list itself tells of its first."""
    first = ranked[0]
    trust = math.prod(doubt.factor for doubt in first.against)
    return {
        "quick": 0.0,
        "known": first.option.known,
        "share": first.share,
        "log_share": math.log(first.option.share + LEAST),
        "both": float(first.option.known > 0 and first.option.share > 0),
        "behind": ranked[1].worth / (first.worth or 1.0) if len(ranked) > 1 else 0.0,
        "doubt": math.log(trust),
    }


def confident(ranked: Sequence[Ranked], surest: float) -> list[Candidate]:
    """Candidates whose confidence falls from the first one's with what they are worth, never rising down the list."""
    found: list[Candidate] = []
    for one in ranked:
        score = surest * min(1.0, one.worth / (ranked[0].worth or 1.0)) * (BARRED if one.barred else 1.0)
        score = min(score, found[-1].score) if found else surest
        told = one.option.why or (("from the model",) if one.option.share else ())
        reasons = tuple(doubt.reason for doubt in one.against if doubt.reason not in told)
        found.append(Candidate(one.option.text, score, (*told, *reasons)))
    return found
