"""Recipes where they are sure, else recipes and a model together, put in order by what is known of each option.

The quick source answers alone when its first candidate is sure enough; only otherwise is the model asked. Its answers
are weighed by a linear reranker, and each option is worth weight · share + known. What would destroy unasked is never
first. docs/concepts/ranking.md has the figures and what was tried instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sayso.answer.calibrate import Curve
from sayso.answer.combine import Likeness, known_score, merge, share, spread
from sayso.answer.verify import POOL, as_candidates, checked
from sayso.answer.weigh import KNOWN, SCORE, Weighed, best_first, log_trust, look
from sayso.core.types import Asked, Candidate, Draft, Request, Target, Translator

KEPT = 3
"""So many stay as they are ranked; those behind are chosen to be unlike them."""
Pair = tuple[float, float]
LEAST, NEVER = 1e-6, float("-inf")
BARRED = 0.02
"""What is left of the confidence of what is barred."""
TOLD = "least"
"""The column that is a fact for the confidence as well: how much its least expected part is called for."""
STEPS = "steps"
"""The fact that the first answer was put together act by act, which has a confidence of its own."""
WELL_KNOWN, BEHIND = 0.8, 0.95
"""From where on recipes know a whole, and where what does only a part of it comes behind its steps."""
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


Reader = Callable[[Asked, Sequence[Draft]], list[list[float]]]
"""The columns of the drafts for a request."""
Steps = Callable[[Asked, Callable[[str], Sequence[Draft]]], Sequence[Candidate]]
"""What a request of several acts gives, act by act, by one who answers each as a request of its own."""


@dataclass(frozen=True)
class Combined:
    """Translator over two sources, whose scores are confidences."""

    target: Target
    quick: Translator
    model: Callable[[float | None], Translator]
    """Gives the model, which is loaded when it is first needed. It is told below which probability all its answers
    together come behind the recipes; None where it is to take its time."""
    columns: Reader
    described: Callable[[Request], float]
    """How much a request reads like a description of a command, 0 to 1, rather than like somebody asking."""
    likeness: Callable[[Sequence[Draft]], Likeness]
    weights: Weights
    settings: Settings
    steps: Steps | None = None

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return as_candidates(self.drafts([self.target.read(request) for request in requests], k))

    def drafts(self, asked: Sequence[Asked], k: int) -> list[list[Draft]]:
        """The same for requests that were read, with all that is known of each candidate."""
        return [self._drafts(one, k) for one in asked]

    def _drafts(self, asked: Asked, k: int) -> list[Draft]:
        ranked, known = self.weigh(asked)
        if ranked and k > min(KEPT, len(ranked)) and not known["quick"]:
            ranked = self.widened(asked, ranked[:KEPT])
        if k > KEPT and len(ranked) > KEPT:
            alike = self.likeness([one.draft for one in ranked])
            ranked = [ranked[at] for at in spread(alike, [one.share for one in ranked], KEPT, k)]
        return confident(ranked[:k], known.get(STEPS) or self.settings.curve(known)) if ranked else []

    def widened(self, asked: Asked, first: Sequence[Weighed]) -> list[Weighed]:
        """The first answers, which stay what they are, and what else is found by a model that takes its time."""
        keys = {one.draft.canonical for one in first}
        ranked, _ = self.weigh(asked, in_a_hurry=False)
        return [*first, *(one for one in ranked if one.draft.canonical not in keys)]

    def weigh(self, asked: Asked, in_a_hurry: bool = True) -> tuple[list[Weighed], dict[str, float]]:
        """Everything that was found, best first, and the facts from which its confidence is made."""
        quick = self.quick.translate([asked.request], POOL)[0]
        steps = self.in_steps(asked)
        known = checked(self.target, asked, surest_of(quick, steps))
        surest = known[0].scores[SCORE] if known else 0.0
        described = self.described(asked.request)
        if known and surest >= between(self.settings.sure, described):
            ranked = [Weighed(replace(one, scores={KNOWN: one.scores[SCORE]}), one.scores[SCORE]) for one in known]
            return ranked, {**dict.fromkeys(FACTS, 0.0), "quick": 1.0, "known": surest, "best_known": surest}
        weight = blend(self.settings.weight, described)
        model = self.model(surest / weight if in_a_hurry else None)
        drafts = merge(self.target, model.translate([asked.request], POOL)[0], known)
        if not drafts:
            return [], {}
        rows = self.columns(asked, drafts)
        pairs = zip(drafts, rows, strict=True)
        scores = [self.weights.score(row) if share(draft) else NEVER for draft, row in pairs]
        ranked = best_first(self.doubted(asked, valued(drafts, scores, weight)))
        if not ranked:
            return [], {}
        row = rows[[draft.canonical for draft in drafts].index(ranked[0].draft.canonical)]
        told = row[self.weights.columns.index(TOLD)] if TOLD in self.weights.columns else 0.0
        found = {**facts(ranked), "described": described, TOLD: told, "best_known": surest}
        if any(one.text == ranked[0].draft.text for one in steps):
            # The curve knows requests of one act; steps were each judged by it.
            found[STEPS] = known_score(ranked[0].draft)
        return ranked, found

    def in_steps(self, asked: Asked) -> Sequence[Candidate]:
        """One more source: the acts of a request, each answered by itself."""
        if self.steps is None:
            return ()
        alone = replace(self, steps=None)
        return self.steps(asked, lambda act: alone.drafts([self.target.read(Request(act))], KEPT)[0])

    def doubted(self, asked: Asked, weighed: Sequence[Weighed]) -> list[Weighed]:
        """What is not what was asked for is worth less; recipes had that counted in their score before."""
        seen = look(self.target, asked, [one.draft for one in weighed])
        return [
            replace(
                one,
                worth=one.worth * (math.exp(log_trust(found.evidence, only_unfit=True)) if share(one.draft) else 1.0),
                against=found.evidence,
                barred=found.barred,
            )
            for one, found in zip(weighed, seen, strict=True)
        ]


def surest_of(quick: Sequence[Candidate], steps: Sequence[Candidate]) -> list[Candidate]:
    """What both say is said once, with the steps as its reasons and the better score.

    A whole that is not well known and does fewer things than the steps leaves some of them undone: it comes behind.
    """
    if not steps:
        return list(quick)
    line = steps[0]
    same = max((one.score for one in quick if one.text == line.text), default=0.0)
    rest = [one for one in quick if one.text != line.text]
    highest = max((one.score for one in rest if is_part(one, line)), default=0.0)
    factor = min(1.0, BEHIND * line.score / highest) if highest else 1.0
    rest = [replace(one, score=one.score * factor) if is_part(one, line) else one for one in rest]
    return [replace(line, score=max(line.score, same)), *rest]


def is_part(one: Candidate, line: Candidate) -> bool:
    """Whether it is one that is not well known, and has fewer commands than a line of steps."""
    return one.score < WELL_KNOWN and one.text.count(" && ") < line.text.count(" && ")


def between(pair: Pair, share: float) -> float:
    return pair[0] + (pair[1] - pair[0]) * share


def blend(pair: Pair, share: float) -> float:
    """Between two weights, by their ratio: (1, 100) and .5 -> 10."""
    return math.exp(between((math.log(pair[0]), math.log(pair[1])), share))


def valued(drafts: Sequence[Draft], scores: Sequence[float], weight: float) -> list[Weighed]:
    """Worth weight · share · mass + known; the shares are the reranker's, the mass is how much of its belief the model
    could put into words."""
    odds = [math.exp(score - max(scores)) if score > NEVER else 0.0 for score in scores]
    shares = [one / (sum(odds) or 1.0) for one in odds]
    mass = sum(map(share, drafts))
    return [
        Weighed(draft, weight * mass * share + known_score(draft), share)
        for draft, share in zip(drafts, shares, strict=True)
    ]


def facts(ranked: Sequence[Weighed]) -> dict[str, float]:
    """What the list itself tells of its first."""
    first = ranked[0]
    known, said = known_score(first.draft), share(first.draft)
    return {
        "quick": 0.0,
        "known": known,
        "share": first.share,
        "log_share": math.log(said + LEAST),
        "both": float(known > 0 and said > 0),
        "behind": ranked[1].worth / (first.worth or 1.0) if len(ranked) > 1 else 0.0,
        "doubt": log_trust(first.against),
    }


def confident(ranked: Sequence[Weighed], surest: float) -> list[Draft]:
    """Drafts whose confidence falls from the first one's with what they are worth, never rising down the list."""
    found: list[Draft] = []
    for one in ranked:
        score = surest * min(1.0, one.worth / (ranked[0].worth or 1.0)) * (BARRED if one.barred else 1.0)
        score = min(score, found[-1].scores[SCORE]) if found else surest
        told = one.draft.why or (("from the model",) if share(one.draft) else ())
        reasons = tuple(evidence.reason for evidence in one.against if evidence.reason not in told)
        found.append(replace(one.draft, scores={**one.draft.scores, SCORE: score}, why=(*told, *reasons)))
    return found
