"""The trunk as a reader of mail, calendar and files: what it says, where that is a call which can be asked.

A call that breaks a rule of the schemas or has a value that the request does not say is no reading; one that names a
time which no clock can tell says that there is none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate, Request, Translator
from sayso.targets.api.request.words import split_words
from sayso.targets.api.review.validate import call_findings
from sayso.targets.api.specs.prompts.shipped import answers_for_calls, narrowed, opened
from sayso.targets.api.syntax.calls import Call, canonical_call, parse_call, reads_back
from sayso.targets.api.syntax.schema import domain_of
from sayso.targets.api.systems.wording.plain import plain, singulars, untold_time
from sayso.targets.api.systems.wording.reading import UNTOLD, Told, added, unread_words
from sayso.targets.api.systems.wording.slots import NOTHING, lesson_of

ANSWERS = 4
MARGIN, LONGEST = 4.0, 96


def trunk_readings(translator: Translator, text: str, k: int = ANSWERS) -> list[Told]:
    """Up to k readings, likeliest first."""
    found: dict[str, Told] = {}
    for one in translator.translate([Request(text)], k)[0]:
        told = told_of(one.text, text)
        if told is not None and one.score > 0:
            name = str(told.call or told.nothing)
            found[name] = added(found.get(name), replace(told, score=math.log(one.score)))
    return sorted(found.values(), key=lambda one: -one.score)


def told_of(said: str, request: str) -> Told | None:
    if said.startswith("-"):
        nothing = said.removeprefix("-").strip()
        return Told(None, nothing, 0.0) if nothing in NOTHING else None
    try:
        call = canonical_call(parse_call(said))
        if not domain_of(call.resource) or not is_whole(call) or not reads_back(call):
            return None
    except BadInstruction:
        return None
    lesson = lesson_of(request, call)
    if not lesson.whole:
        return None
    if untold := untold_time(call):
        return Told(None, UNTOLD, 0.0, words=untold)
    return Told(singulars(plain(call), request), "", 0.0, unread_words(split_words(request), lesson.tags))


def is_whole(call: Call) -> bool:
    """Whether it keeps to the schemas, but for times: a clock looks at more than their words."""
    return all("is compared with a time" in one.message for one in call_findings(str(call)))


@dataclass(frozen=True)
class Later:
    """What is opened when it is first asked."""

    open: Callable[[], Translator]

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return self.open().translate(requests, k)


def call_translator() -> Translator | None:
    """The trunk that ships, where it learnt calls."""
    return Later(calls_of_trunk) if answers_for_calls() else None


@cache
def calls_of_trunk() -> Translator:
    return narrowed(opened(), ANSWERS, MARGIN, LONGEST)
