"""A request read as calls of a described API: the likeliest operations, each filled, weighed together."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files

from sayso.core.errors import UnknownName
from sayso.learners.linear import logistic
from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.specs.calls import leaves, missing, parse_call, written
from sayso.targets.api.specs.choose import (
    CHOICE,
    Index,
    after_filling,
    built,
    features_of,
    first_scores,
    know_again,
    meant,
    nearness_of,
)
from sayso.targets.api.specs.fill import Filled, fill, weighed
from sayso.targets.api.specs.model import Api, Operation
from sayso.targets.api.specs.prompts.hearing import Heard, Hearing, Hears
from sayso.targets.api.specs.prompts.shipped import shipped_hears
from sayso.targets.api.specs.said.spans import Said, said
from sayso.targets.api.specs.said.strange import strange_words
from sayso.targets.api.specs.slots.context import Reads, shipped

RIGHT = (
    "bias",
    "all",
    "name",
    "summary",
    "covered",
    "named",
    "deed",
    "against-deed",
    "fill",
    "missing",
    "unused",
    "filled",
    "known",
    "asks",
    "ahead",
    "strange",
)
"""What is known of a reading that says how often such calls are right; `ahead`: of the next operation, `strange`: words
that nobody knows and no slot took."""
MOST_STRANGE = 3
TAUGHT = 0.99
"""How often what the user taught is right."""
TRIED, TRIED_OF_MANY = 12, 6
"""Operations that are filled: of a small description, and of a large one, where the order before is better."""
HEARD = ("asked", "lead", "agrees")
"""What is known of a reading where the trunk read the request with its operation."""
MOST_HEARD, ENOUGH, BEHIND = 3, 2.0, 2.0
"""Operations that the trunk reads, until one is surely asked for (log odds), none so far behind the first."""
CLOSE = 0.4
"""An operation no further behind the first is nearly as likely: which is meant is asked back."""


@cache
def shipped_weights() -> Mapping[str, Mapping[str, float]]:
    """Those that were learnt beside what reads a request as a whole, or those for when it cannot be read so."""
    name = "spec_weights_alone.json" if shipped() is None else "spec_weights.json"
    found: dict[str, dict[str, float]] = json.loads((files("sayso.targets.api") / "data" / name).read_text())
    return found


FEW, MANY = 30, 300
"""Operations up to which a description is a small one, and from which it is a large one."""


def share_of_many(n: int) -> float:
    """How large a description with so many operations is, from 0 to 1."""
    return min(1.0, math.log(max(n, FEW) / FEW) / math.log(MANY / FEW))


def weights_for(n: int, weights: Mapping[str, Mapping[str, float]] | None = None) -> Mapping[str, Mapping[str, float]]:
    """What counts for an operation among so many.

    Where hundreds are alike, how near a request is to what is written of each says more, how much of it stands anywhere
    in a long description less, and the trunk, which takes each of them for asked for, nothing.
    """
    found = weights or shipped_weights()
    much = share_of_many(n)
    if "choice-many" not in found or not much:
        return found
    few, many = found["choice"], found["choice-many"]
    choice = {name: (1 - much) * value + much * many.get(name, 0.0) for name, value in few.items()}
    heard = {**found["heard"], "asked": (1 - much) * found["heard"]["asked"]} if "heard" in found else {}
    return {**found, "choice": choice, "heard": heard}


@dataclass(frozen=True)
class Reading:
    operation: Operation
    filled: Filled
    score: float
    known: float
    chance: float = 0.0
    """That the request asks for this operation at all."""
    told: Mapping[str, float] = field(default_factory=dict, compare=False)
    """What the chance was made of."""
    strange: tuple[str, ...] = ()
    """Words that nobody knows and no slot took."""
    is_taught: bool = False

    @property
    def text(self) -> str:
        return written(self.operation.id, self.filled.arguments)


@dataclass
class Reader:
    api: Api
    index: Index
    weights: Mapping[str, Mapping[str, float]] = field(default_factory=shipped_weights)
    reads: Reads | None = field(default_factory=shipped)
    hears: Hears | None = field(default_factory=shipped_hears)
    """The trunk, for the likeliest operations; None where there is none that learnt calls."""
    places: Mapping[str, int] = field(default_factory=dict)
    """Operation -> where it stands."""
    taught: Mapping[str, str] = field(default_factory=dict)
    """Request -> the call that the user says it is."""

    def __post_init__(self) -> None:
        self.slot_weights = weighed(self.weights["slots"])
        self.places = self.places or {one.id: at for at, one in enumerate(self.api.operations)}

    def operation(self, name: str) -> Operation:
        """By its id; raises UnknownName with near misses."""
        if name not in self.places:
            raise UnknownName("operation", name, self.places)
        return self.api.operations[self.places[name]]

    def read(self, text: str, clock: Clock | None = None, k: int = 3) -> list[Reading]:
        """The likeliest calls, best first."""
        there = clock or Clock(datetime.now(UTC), UTC)
        cut = said(text, there)
        if not self.index.size:
            return []
        rows, known = features_of(self.index, cut)
        scores = first_scores(rows, self.weights["choice"])
        near = scores + self.weights["choice"].get("meaning", 0.0) * nearness_of(self.index, cut)
        tried = TRIED - round((TRIED - TRIED_OF_MANY) * share_of_many(self.index.size))
        order = [int(at) for at in (-near).argsort(kind="stable")[:tried]]
        know_again(self.index, self.api.operations, order)
        unknown = dict(strange_words(cut, self.is_described))
        found = []
        for at in order:
            operation = self.api.operations[at]
            filled = fill(cut, operation, self.slot_weights, self.reads)
            later = after_filling(cut, operation, filled, meant(self.index, cut, operation, at))
            total = scores[at] + sum(self.weights["choice"].get(name, 0.0) * value for name, value in later.items())
            told = {
                **dict(zip(CHOICE, map(float, rows[at]), strict=True)),
                **later,
                "filled": float(len(filled.chosen)),
                "known": known,
                "bias": 1.0,
            }
            sure = logistic(sum(self.weights["sure"].get(name, 0.0) * value for name, value in told.items()))
            found.append(Reading(operation, filled, float(total), known, sure, told, left(unknown, filled)))
        found = self.heard(cut, sorted(found, key=lambda one: -one.score), unknown)
        return self.with_taught(text, found)[:k]

    def with_taught(self, text: str, found: list[Reading]) -> list[Reading]:
        """What was taught of this very request stands first, whatever else speaks for it."""
        call = {folded(request): call for request, call in self.taught.items()}.get(folded(text))
        told = parse_call(call) if call else None
        if told is None or told.operation not in self.places:
            return found
        operation = self.operation(told.operation)
        lacking = missing(operation, dict(leaves(told.arguments, operation.slots)))
        filled = Filled(dict(told.arguments), tuple(lacking), found[0].filled.score, ())
        first = replace(found[0], operation=operation, filled=filled, chance=1.0, strange=(), is_taught=True)
        return [first, *(one for one in found if one.text != first.text)]

    def heard(self, cut: Said, found: list[Reading], unknown: Mapping[int, str]) -> list[Reading]:
        """The same readings, the likeliest with what the trunk says of them, and those first.

        Whether they are asked for decides their order; values cost as much again, so that only the first is asked for
        them, and what is about as likely.
        """
        weights = self.weights.get("heard")
        if self.hears is None or not weights:
            return found
        again: list[tuple[Reading, Hearing]] = []
        for one in found[:MOST_HEARD]:
            is_sure = any(hearing.asked > ENOUGH for _, hearing in again) or (again and not weights["asked"])
            if is_sure or one.score < found[0].score - BEHIND:
                break
            hearing = self.hears(cut.text, one.operation)
            again.append((replace(one, score=one.score + weights["asked"] * hearing.asked), hearing))
        again.sort(key=lambda pair: -pair[0].score)
        least = again[0][0].score - CLOSE
        known = []
        for one, hearing in again:
            heard = hearing.heard() if one.score > least else Heard((), hearing.nothing)
            better = self.weighed_again(cut, one, heard, weights)
            known.append(replace(better, strange=left(unknown, better.filled)))
        return [*known, *found[len(again) :]]

    def weighed_again(self, cut: Said, one: Reading, heard: Heard, weights: Mapping[str, float]) -> Reading:
        slots = weighed({**self.weights["slots"], **weights})
        filled = fill(cut, one.operation, slots, self.reads, heard)
        agrees = float(filled.arguments == one.filled.arguments)
        told = {**one.told, "asked": heard.asked, "lead": heard.lead, "agrees": agrees}
        told |= {"missing": float(len(filled.missing)), "filled": float(len(filled.chosen))}
        told |= {"unused": float(len(filled.unused))}
        sure = logistic(sum(much * told.get(name, 0.0) for name, much in self.weights["heard-sure"].items()))
        return replace(one, filled=filled, chance=sure, told=told)

    def is_described(self, word: str) -> bool:
        return word in self.index.vocabulary or bool(self.index.nearest(word))


def folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .?!")


def left(unknown: Mapping[int, str], filled: Filled) -> tuple[str, ...]:
    taken = {at for one in filled.chosen for at in one.cover}
    return tuple(word for at, word in unknown.items() if at not in taken)


def right_columns(found: Sequence[Reading]) -> dict[str, float]:
    """What is known of the first reading, beside the second."""
    ahead = found[0].score - found[1].score if len(found) > 1 else 1.0
    strange = float(min(len(found[0].strange), MOST_STRANGE))
    return {**dict.fromkeys((*RIGHT, *HEARD), 0.0), **found[0].told, "ahead": min(ahead, 1.0), "strange": strange}


def right_chance(found: Sequence[Reading]) -> float:
    """How often a call like the first one is right: fitted on dev requests (`experiments/api_spec_right.py`)."""
    if found[0].is_taught:
        return TAUGHT
    columns = right_columns(found)
    name = "heard-right" if "asked" in found[0].told else "right"
    return logistic(sum(value * columns[key] for key, value in shipped_weights()[name].items()))


def reader_of(api: Api, weights: Mapping[str, Mapping[str, float]] | None = None) -> Reader:
    return Reader(api, built(api.operations), weights_for(len(api.operations), weights))
