"""Recipes where they are sure, else all sources together, put in order by what is known of each option.

The quick source answers alone when its first candidate is sure enough and nothing speaks against it; only otherwise is
the model asked. Everything that was proposed is weighed by one linear score, which was fitted on what happened when
answers were run. What would destroy unasked is never first. docs/concepts/ranking.md has the figures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sayso.answer.calibrate import Curve
from sayso.answer.combine import Drafting, Likeness, known_score, merge, once, share, spread
from sayso.answer.verify import POOL, as_candidates
from sayso.answer.weigh import SCORE, Against, Weighed, best_first, look
from sayso.answer.weighing import Weighing
from sayso.core.types import Asked, Candidate, Draft, Request, Target, Translator

KEPT = 3
"""So many stay as they are ranked; those behind are chosen to be unlike them."""
RECALLED_AT_MOST = 4
BARRED = 0.02
"""What is left of the confidence of what is barred."""
TOLD_BEHIND = "told_behind"
"""The column of what a model says an instruction is for: how far behind the best it is, in nats, that this was asked.
Reading costs time, so only the best `LOOKED_AT` by everything else are read; others count as the worst."""
LOOKED_AT = 5
LEAST_BELIEF = 0.2
"""Of the belief in the first; what has less is not read either."""
LIST = ("quick", "sum", "ahead", "options", "described", "best_known")
"""What the confidence is told of the list beside the columns of its first: whether recipes answered alone, the belief
in the first, how far it is ahead, how many options there were, how the request is worded, the best recipe's score."""


Pace = Literal["wide", "first", "act"]
"""How long the model looks: for all that it can find, for the first few answers, or for one act of several."""


@dataclass(frozen=True)
class Settings:
    """What was chosen: when recipes answer alone, and the confidence."""

    sure: float
    """The score from which on recipes answer alone."""
    curve: Curve


Reader = Callable[[Asked, Sequence[Draft], float], list[list[float]]]
"""The columns of the drafts for a request, which is worded so much as a description."""
Tells = Callable[[Request, Sequence[str]], Sequence[float]]
"""The log-probability of a request as what each of some instructions is for."""
Steps = Callable[[Asked, Callable[[str], Sequence[Draft]]], Sequence[Candidate]]
"""What a request of several acts gives, act by act, by one who answers each as a request of its own."""


@dataclass(frozen=True)
class Combined:
    """Translator over several sources, whose scores are confidences."""

    target: Target
    quick: Translator
    model: Callable[[Asked, Pace], Translator]
    """Gives the model for a request, which is loaded when it is first needed."""
    columns: Reader
    described: Callable[[Request], float]
    """How much a request reads like a description of a command, 0 to 1, rather than like somebody asking."""
    likeness: Callable[[Sequence[Draft]], Likeness]
    weighing: Weighing
    settings: Settings
    steps: Steps | None = None
    recalled: Callable[[], Translator] | None = None
    """Gives what recalls answers to like requests, which is loaded when it is first needed."""
    tells: Tells | None = None
    """The model the other way round: reads what was proposed, and tells how likely it was this that was asked."""
    does_all: Callable[[Asked, Draft], bool] = lambda asked, draft: True
    """Whether an instruction can be doing as much as a request tells to do; a recipe for less does not answer alone."""
    pace: Pace = "first"
    read: Drafting | None = None
    """Makes drafts of texts where those of a larger request are remembered."""

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return as_candidates(self.drafts([self.target.read(request) for request in requests], k))

    def drafts(self, asked: Sequence[Asked], k: int) -> list[list[Draft]]:
        """The same for requests that were read, with all that is known of each candidate."""
        return [self._drafts(one, k) for one in asked]

    def _drafts(self, asked: Asked, k: int) -> list[Draft]:
        ranked, known = self.weigh(asked)
        if ranked and k > min(KEPT, len(ranked)) and not known["quick"] and self.pace == "first":
            ranked = self.widened(asked, ranked[:KEPT])
        if k > KEPT and len(ranked) > KEPT:
            alike = self.likeness([one.draft for one in ranked])
            ranked = [ranked[at] for at in spread(alike, [one.share for one in ranked], KEPT, k)]
        return confident(ranked[:k], self.settings.curve(known)) if ranked else []

    def widened(self, asked: Asked, first: Sequence[Weighed]) -> list[Weighed]:
        """The first answers, which stay what they are, and what else is found by a model that takes its time."""
        keys = {one.draft.canonical for one in first}
        ranked, _ = replace(self, pace="wide").weigh(asked)
        return [*first, *(one for one in ranked if one.draft.canonical not in keys)]

    def weigh(self, asked: Asked) -> tuple[list[Weighed], dict[str, float]]:
        """Everything that was found, best first, and the facts from which its confidence is made."""
        quick = self.quick.translate([asked.request], POOL)[0]
        read = self.read or once(self.target.draft)
        steps = self.in_steps(asked, read)
        drafts = merge(read, [], quick, steps)
        seen = look(self.target, asked, drafts) if self.surest(drafts) is not None else []
        is_alone = self.is_alone(asked, drafts, seen)
        if not is_alone:
            said = self.model(asked, self.pace).translate([asked.request], POOL)[0]
            before = {draft.text: found for draft, found in zip(drafts, seen, strict=False)}
            drafts = merge(read, said, quick, steps, self.in_memory(asked))
            new = [draft for draft in drafts if draft.text not in before]
            before.update((draft.text, found) for draft, found in zip(new, look(self.target, asked, new), strict=True))
            seen = [before[draft.text] for draft in drafts]
        if not drafts:
            return [], {}
        described = self.described(asked.request)
        rows = self.columns(asked, drafts, described)
        weighed = believed(drafts, seen, [self.weighing.score(row) for row in rows])
        if not is_alone and self.tells is not None:
            rows = told_back(asked.request, weighed, rows, self.weighing.columns, self.tells)
            weighed = believed(drafts, seen, [self.weighing.score(row) for row in rows])
        ranked = best_first(weighed)
        if not ranked:
            return [], {}
        highest = max(map(known_score, drafts), default=0.0)
        first = dict(zip(self.weighing.columns, rows[weighed.index(ranked[0])], strict=True))
        return ranked, {**first, **of_list(ranked, is_alone, described, highest)}

    def is_alone(self, asked: Asked, known: Sequence[Draft], seen: Sequence[Against]) -> bool:
        """Whether recipes need nobody beside them: their surest is clean, and does all that is asked."""
        surest = self.surest(known)
        return surest is not None and is_clean(seen[surest]) and self.does_all(asked, known[surest])

    def surest(self, known: Sequence[Draft]) -> int | None:
        """Where the recipe is that is so sure that nobody else need be asked, if nothing speaks against it."""
        best = max(range(len(known)), key=lambda at: known_score(known[at]), default=None)
        return None if best is None or known_score(known[best]) < self.settings.sure else best

    def in_memory(self, asked: Asked) -> Sequence[Candidate]:
        """One more source: what was answered to requests in like words."""
        return self.recalled().translate([asked.request], RECALLED_AT_MOST)[0] if self.recalled else ()

    def in_steps(self, asked: Asked, read: Drafting) -> Sequence[Candidate]:
        """One more source: the acts of a request, each answered by itself; what was read of a text is kept for all."""
        if self.steps is None:
            return ()
        alone = replace(self, steps=None, tells=None, pace="act", read=read)
        return self.steps(asked, lambda act: alone.drafts([self.target.read(Request(act))], KEPT)[0])


def told_back(
    request: Request, weighed: Sequence[Weighed], rows: Sequence[list[float]], names: Sequence[str], tells: Tells
) -> list[list[float]]:
    """The rows with the column `TOLD_BEHIND`."""
    best = best_first(weighed)[:LOOKED_AT]
    least = LEAST_BELIEF * max((one.worth for one in best), default=0.0)
    read = [weighed.index(one) for one in best if not one.barred and one.worth >= least]
    if len(read) < 2:
        return list(rows)
    told = dict(zip(read, tells(request, [weighed[at].draft.text for at in read]), strict=True))
    found = [list(row) for row in rows]
    for at, row in enumerate(found):
        row[names.index(TOLD_BEHIND)] = told.get(at, min(told.values())) - max(told.values())
    return found


def is_clean(against: Against) -> bool:
    """Nothing speaks against it."""
    return not against.evidence and not against.barred


def believed(drafts: Sequence[Draft], seen: Sequence[Against], scores: Sequence[float]) -> list[Weighed]:
    """Every draft with its share of the belief that one of them is right."""
    odds = [math.exp(score - max(scores)) for score in scores]
    return [
        Weighed(draft, one / sum(odds), one / sum(odds), against.evidence, against.barred)
        for draft, against, one in zip(drafts, seen, odds, strict=True)
    ]


def of_list(ranked: Sequence[Weighed], is_alone: bool, described: float, best: float) -> dict[str, float]:
    """What the list itself tells of its first: a number for each of `LIST`."""
    second = ranked[1].worth if len(ranked) > 1 else 0.0
    told = (float(is_alone), ranked[0].worth, ranked[0].worth - second, math.log(len(ranked)), described, best)
    return dict(zip(LIST, told, strict=True))


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
