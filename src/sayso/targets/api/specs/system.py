"""A described API as a system: candidates with a chance, what is missing, what is left unused, when to abstain.

A request may bring its clock in a piece of context called `now` (an ISO time with offset).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Any

from sayso.core.types import Candidate, Question, Remarks, Request, System
from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.specs.calls import findings, parse_call
from sayso.targets.api.specs.reader import CLOSE, Reader, Reading, right_chance

KEPT = 256
ABSTAIN_BELOW = 0.5
NEARLY = 0.6
"""A second operation with this share of the first one's chance is asked about."""


def clock_of(request: Request) -> Clock:
    for piece in request.context:
        if piece.name == "now":
            now = datetime.fromisoformat(piece.text)
            return Clock(now if now.tzinfo else now.replace(tzinfo=UTC), now.tzinfo or UTC)
    return Clock(datetime.now(UTC), UTC)


Read = Callable[[str, Clock, int], "list[Reading]"]


def system_of(reader: Reader) -> System:
    read: Read = lru_cache(maxsize=KEPT)(partial(read_with, reader))
    return System(SpecTranslator(read), ABSTAIN_BELOW, remarks=partial(remarks_of, read))


def read_with(reader: Reader, text: str, clock: Clock, k: int) -> list[Reading]:
    return reader.read(text, clock, k)


def chance(reading: Reading) -> float:
    """How likely the request is one for this operation at all."""
    return reading.chance


@dataclass(frozen=True)
class SpecTranslator:
    read: Read

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self.candidates(one, k) for one in requests]

    def candidates(self, request: Request, k: int) -> list[Candidate]:
        found: list[Candidate] = []
        top = 1.0
        for one in self.read(request.text, clock_of(request), max(k, 2))[:k]:
            top = min(top, chance(one))
            found.append(Candidate(one.text, round(top, 6), (one.operation.summary or one.operation.id,)))
        return found


def remarks_of(read: Read, request: Request, k: int) -> Remarks:
    found = read(request.text, clock_of(request), max(k, 2))
    if not found:
        return Remarks("the description has no operation")
    first = found[0]
    reason = ""
    if chance(first) < ABSTAIN_BELOW:
        reason = f"no operation of this API clearly does that (nearest: {first.operation.id})"
    return Remarks(reason, question=None if reason else question_of(found), facts=facts_of(found))


def question_of(found: Sequence[Reading]) -> Question | None:
    """What is missing is asked for; else which of two close operations is meant."""
    first = found[0]
    if first.filled.missing:
        names = [name.removeprefix("body.") for name in first.filled.missing]
        return Question(f"{first.operation.id} needs {' and '.join(names)}: which?")
    if first.is_taught or first.operation.id in [one.operation.id for one in found[1:2]]:
        return None
    if len(found) > 1 and chance(found[1]) > NEARLY * chance(first) and found[1].score > first.score - CLOSE:
        second = found[1].operation
        choices = ((described(first), first.text), (described(found[1]), found[1].text))
        return Question(f"{described(first)}, or {second.summary or second.id}?", choices)
    return None


def described(reading: Reading) -> str:
    return reading.operation.summary or reading.operation.id


def facts_of(found: Sequence[Reading]) -> Mapping[str, Any]:
    first = found[0]
    wrong = findings(parse_call(first.text), first.operation)
    return {
        "operation": first.operation.id,
        "right": round(right_chance(found), 2),
        "arguments": first.filled.arguments,
        "missing": list(first.filled.missing),
        "unused": [*first.filled.unused, *first.strange],
        "findings": [one.message for one in wrong],
    }
