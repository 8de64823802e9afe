"""Three readers of one request, where the trunk learnt calls: it stands beside the two of `two_readers.py`.

What is known of all three readings tells how likely each is right (`data/three_readers.json`); the likelier is
answered with that chance, a call that several say with the largest, or nothing is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from sayso.core.types import Candidate
from sayso.targets.api.language import fold
from sayso.targets.api.syntax.calls import canonical_call, parse_call
from sayso.targets.api.systems.asking import CLOSE, SURE, Asked, ask_back
from sayso.targets.api.systems.two_readers import (
    FARTHEST,
    FEATURES,
    PARSER,
    READER,
    WORST,
    Both,
    Weights,
    beside,
    features_of,
    fitted,
    merged,
    why,
)
from sayso.targets.api.systems.wording.reading import Told
from sayso.targets.api.systems.wording.slots import domain_of_resource

FILE = "three_readers.json"
TRUNK = "trunk"
WHO = (TRUNK, READER, PARSER)
BESIDE = (
    *("trunk's score", "trunk's lead", "trunk: nothing", "trunk: nothing first", "trunk unread", "trunk silent"),
    *("trunk and reader", "trunk and parser", "trunk's clauses", "fewer of reader", "fewer of parser", "trunk second"),
)
"""What is known of the trunk's reading."""
ALL = (*FEATURES, *BESIDE)


def features_of_three(both: Both) -> dict[str, float]:
    """What is known of the three readings."""
    calls = [one for one in both.heard if one.call]
    best = calls[0] if calls else None
    nothing = sum(math.exp(one.score) for one in both.heard if one.nothing)
    reader = str(both.best.call) if both.best else ""
    parser = both.asked.candidates[0].text if both.asked.candidates else ""
    mine = str(best.call) if best else ""
    said = {fold(str(one.call)) for one in calls}
    many = len(best.call.clauses) if best and best.call else 0
    found = {
        **features_of(both),
        "trunk's score": max(best.score, WORST) if best else WORST,
        "trunk's lead": min(calls[0].score - calls[1].score, FARTHEST) if len(calls) > 1 else FARTHEST * bool(calls),
        "trunk: nothing": min(nothing, 1.0),
        "trunk: nothing first": float(bool(both.heard and both.heard[0].nothing)),
        "trunk unread": float(min(best.unread, 3)) if best else 3.0,
        "trunk silent": float(not both.heard),
        "trunk and reader": float(is_same(mine, reader)),
        "trunk and parser": float(is_same(mine, parser)),
        "trunk's clauses": float(min(many, 5)),
        "fewer of reader": float(many - clauses_in(reader)) if mine and reader else 0.0,
        "fewer of parser": float(many - clauses_in(parser)) if mine and parser else 0.0,
        "trunk second": float(bool(reader) and fold(reader) in said and not is_same(mine, reader)),
    }
    return {name: found[name] for name in ALL}


def is_same(call: str, other: str) -> bool:
    return bool(call and other) and fold(call) == fold(other)


def clauses_in(call: str) -> int:
    return len(parse_call(call).clauses)


def chances_of_three(both: Both, weights: Weights | None = None) -> dict[str, float]:
    """How likely each reader's first call is right."""
    table, row = fitted(FILE) if weights is None else weights, features_of_three(both)
    found = {}
    for who in WHO:
        total = sum(table[who][name] * much for name, much in row.items())
        found[who] = round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 6)
    return found


def decided_of_three(both: Both, k: int, weights: Weights | None = None) -> Asked:
    """The likeliest reading first, the others behind it; abstained from where none is likely enough."""
    chances = chances_of_three(both, weights)
    said = {who: readings_of(both, who, chances[who]) for who in WHO}
    order = sorted((who for who in WHO if said[who]), key=lambda who: (-chances[who], WHO.index(who)))
    if not order:
        return replace(both.asked, abstained=True, reason=why(both, 0.0))
    candidates = merged([one for who in order for one in said[who]])
    first = order[0]
    domain = both.asked.domain if first == PARSER else domain_of_resource(parse_call(candidates[0].text).resource)
    likely = candidates[0].score
    if likely < SURE:
        return Asked(domain, candidates[:k], True, reason=why(both, likely), plain=both.asked.plain)
    question = ""
    if len(candidates) > 1 and candidates[1].score >= CLOSE * likely:
        question = ask_back(parse_call(candidates[0].text), parse_call(candidates[1].text))
    return Asked(domain, candidates[:k], False, question, "", both.asked.plain if first == PARSER else "")


def readings_of(both: Both, who: str, chance: float) -> list[Candidate]:
    if who == PARSER:
        first = both.asked.candidates[0].score if both.asked.candidates else 1.0
        return [replace(one, score=chance * min(1.0, one.score / max(first, 1e-9))) for one in both.asked.candidates]
    told: Sequence[Told] = both.heard if who == TRUNK else both.told
    calls = [one for one in told if one.call]
    return [Candidate(str(canonical_call(one.call)), beside(calls[0], one, chance)) for one in calls if one.call]
