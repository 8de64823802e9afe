"""The trunk as a reader of mail, calendar and files: what it says, where that is a call which can be asked.

A call that breaks a rule of the schemas, names a time that no clock tells, or has a value that the request does not
say is no reading.
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
from sayso.targets.api.syntax.calls import Call, Filter, canonical_call, parse_call, reads_back
from sayso.targets.api.syntax.schema import domain_of
from sayso.targets.api.systems.wording.marks import is_told
from sayso.targets.api.systems.wording.reading import Told, unread_words
from sayso.targets.api.systems.wording.slots import COMING_VALUE, NOTHING, kinds, lesson_of

ANSWERS = 4
MARGIN, LONGEST = 4.0, 96
NAMED, ARTICLE = ("event.location",), "the "


def trunk_readings(translator: Translator, text: str, k: int = ANSWERS) -> list[Told]:
    """Up to k readings, likeliest first."""
    found = []
    for one in translator.translate([Request(text)], k)[0]:
        told = told_of(one.text, text)
        if told is not None and one.score > 0:
            found.append(replace(told, score=math.log(one.score)))
    return found


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
    call = without_articles(call)
    lesson = lesson_of(request, call)
    if not lesson.whole:
        return None
    return Told(call, "", 0.0, unread_words(split_words(request), lesson.tags))


def without_articles(call: Call) -> Call:
    """`at the mill` is at one that is called mill; lines to learn from have it both ways."""
    clauses = tuple(
        replace(one, value=one.value[len(ARTICLE) :])
        if isinstance(one, Filter) and one.property in NAMED and one.value.casefold().startswith(ARTICLE)
        else one
        for one in call.clauses
    )
    found = canonical_call(replace(call, clauses=clauses))
    return found if reads_back(found) else call


def is_whole(call: Call) -> bool:
    """Whether it keeps to the schemas; of times, whether a clock can tell them, which looks at more than the words."""
    if any("is compared with a time" not in one.message for one in call_findings(str(call))):
        return False
    times = [one for one in call.clauses if isinstance(one, Filter) and kinds().get(one.property) == "time"]
    return all(one.value == COMING_VALUE or is_told(one.value) for one in times)


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
