"""Two readers of one request, and which is believed: Okapi's parsers, and the one that reads people's own wording.

What is known of both readings tells how likely each is right (`data/two_readers.json`, fitted by
`experiments/api_two_readers.py`); the likelier is answered with that chance, or nothing is.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from sayso.core.types import Candidate
from sayso.targets.api.language import fold
from sayso.targets.api.requests.clock import SAID_ALOUD
from sayso.targets.api.syntax.calls import canonical_call, parse_call
from sayso.targets.api.syntax.schema import DOMAINS, schema
from sayso.targets.api.systems.asking import CLOSE, OTHERWISE, SURE, Asked, ask_back
from sayso.targets.api.systems.wording.reading import UNTOLD, Told
from sayso.targets.api.systems.wording.slots import domain_of_resource

FILE = "two_readers.json"
READER, PARSER = "reader", "parser"
FEATURES = (
    *("bias", "reader's score", "reader's lead", "nothing", "figures unread", "agree", "one domain", "parser's chance"),
    *("parser's lead", "parser abstains", "a reason", "a deed", "unused", "known", "nothing first"),
    *("clauses", "fewer clauses", "words", "a sentence"),
)
WORST, FARTHEST = -8.0, 6.0
"""Scores below, and leads above, say no more."""
REASONS = {
    "off": "this does not ask for " + ", ".join(schema(one).gloss for one in DOMAINS),
    "deed": "these calls only read",
    "beyond": "no call can say this",
}
Weights = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Both:
    """What both readers make of a request."""

    asked: Asked
    told: tuple[Told, ...]
    deed: bool = False
    unused: int = 0
    """Words that the parser's call leaves out."""
    words: int = 0
    known: float = 0.0
    """The share of the words that are in the parser's vocabulary."""
    sentence: bool = False
    """Whether it ends with a stop or a question mark, as in Okapi."""
    heard: tuple[Told, ...] = ()
    """What the trunk says, where it learnt calls (`three_readers.py`)."""

    @property
    def best(self) -> Told | None:
        return next((one for one in self.told if one.call), None)


def features_of(both: Both) -> dict[str, float]:
    """What is known of the two readings; of a reader that has none, that it is far from sure."""
    best = both.best
    calls = [one for one in both.told if one.call]
    first = both.asked.candidates[0] if both.asked.candidates else None
    nothing = sum(math.exp(one.score) for one in both.told if one.nothing)
    chance = min(max(first.score if first else 0.0, 1e-3), 1 - 1e-3)
    second = both.asked.candidates[1].score if len(both.asked.candidates) > 1 else 0.0
    mine = len(best.call.clauses) if best and best.call else 0
    theirs = len(parse_call(first.text).clauses) if first else 0
    found = {
        "bias": 1.0,
        "reader's score": max(best.score, WORST) if best else WORST,
        "reader's lead": min(calls[0].score - calls[1].score, FARTHEST) if len(calls) > 1 else FARTHEST * bool(calls),
        "nothing": min(nothing, 1.0),
        "figures unread": float(min(best.unread, 3)) if best else 3.0,
        "agree": float(bool(best and first and fold(str(best.call)) == fold(first.text))),
        "one domain": float(bool(best and best.call and domain_of_resource(best.call.resource) == both.asked.domain)),
        "parser's chance": math.log(chance / (1 - chance)),
        "parser's lead": min(FARTHEST, -math.log(max(second, 1e-9) / chance)) if second else FARTHEST,
        "parser abstains": float(both.asked.abstained),
        "a reason": float(has_reason(both.asked)),
        "a deed": float(both.deed),
        "unused": float(min(both.unused, 4)),
        "known": both.known,
        "nothing first": float(bool(both.told and both.told[0].nothing)),
        "clauses": float(min(mine, 5)),
        "fewer clauses": float(max(-3, min(3, mine - theirs))),
        "words": math.log(1 + both.words),
        "a sentence": float(both.sentence),
    }
    return {name: found[name] for name in FEATURES}


def has_reason(asked: Asked) -> bool:
    """Whether something of the request is what no call can say, as the parser's rules read it."""
    return bool(asked.abstained and asked.reason and not asked.reason.startswith("no reading"))


def chances_of(both: Both, weights: Weights | None = None) -> dict[str, float]:
    """How likely each reader's first call is right."""
    table, row = fitted() if weights is None else weights, features_of(both)
    found = {}
    for who in (READER, PARSER):
        total = sum(table[who][name] * much for name, much in row.items())
        found[who] = round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 6)
    return found


def decided(both: Both, k: int, weights: Weights | None = None) -> Asked:
    """The likelier reading first, the others behind it; abstained from where neither is likely enough."""
    chances = chances_of(both, weights)
    best = both.best
    if best is None or best.call is None:
        return both.asked
    mine = [
        Candidate(str(canonical_call(one.call)), beside(best, one, chances[READER])) for one in both.told if one.call
    ]
    first = both.asked.candidates[0].score if both.asked.candidates else 1.0
    theirs = [
        replace(one, score=chances[PARSER] * min(1.0, one.score / max(first, 1e-9))) for one in both.asked.candidates
    ]
    ahead = chances[READER] >= chances[PARSER] or not theirs
    candidates = merged([*mine, *theirs] if ahead else [*theirs, *mine])
    domain = domain_of_resource(best.call.resource) if ahead else both.asked.domain
    likely = candidates[0].score
    if likely < SURE:
        return Asked(domain, candidates[:k], True, reason=why(both, likely), plain=both.asked.plain)
    question = ""
    if len(candidates) > 1 and candidates[1].score >= CLOSE * likely:
        question = ask_back(parse_call(candidates[0].text), parse_call(candidates[1].text))
    return Asked(domain, candidates[:k], False, question, "", "" if ahead else both.asked.plain)


def beside(best: Told, one: Told, chance: float) -> float:
    return round(chance * math.exp(max(one.score - best.score, -30.0)), 6)


def merged(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Each call once, the likeliest first; the first stays the first."""
    found: dict[str, Candidate] = {}
    for one in candidates:
        found.setdefault(fold(one.text), one)
    first, *others = found.values()
    others.sort(key=lambda one: -one.score)
    return (first, *(replace(one, score=min(one.score, first.score)) for one in others))


def why(both: Both, chance: float) -> str:
    """What the parser found wrong with the request, or the likeliest reason of the reader's."""
    if has_reason(both.asked):
        return both.asked.reason
    first = both.told[0] if both.told else None
    if first is not None and first.nothing == UNTOLD:
        return f"no clock can tell when {first.words!r} is; {SAID_ALOUD}"
    if first is not None and first.nothing:
        return REASONS[first.nothing]
    if both.asked.abstained and both.asked.reason and not chance:
        return both.asked.reason
    return f"no reading is likely enough ({chance:.0%}); {OTHERWISE}"


@cache
def fitted(name: str = FILE) -> Weights:
    found: Weights = json.loads((files("sayso.targets.api") / "data" / name).read_text(encoding="utf-8"))
    return found
