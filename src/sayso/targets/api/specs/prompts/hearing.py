"""What the trunk says of a request and one operation, as evidence: values with their shares, and that it is not asked.

It says a few answers; how much of their probability has a value in a slot is what speaks for that value there, beside
all else that does. A value that no rule found in the request is one more that the slot could take.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sayso.core.types import Candidate, Piece, Request, Translator
from sayso.targets.api.specs.calls import wrong
from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.prompts.answers import NOT_ASKED, read_answer, read_parts
from sayso.targets.api.specs.prompts.signature import signature_of
from sayso.targets.api.specs.said.span import Span, covered
from sayso.targets.api.specs.said.spans import Said
from sayso.targets.api.specs.said.times import moment
from sayso.targets.api.specs.slots.features import PLACE, Option, made
from sayso.targets.api.specs.slots.values import dates
from sayso.targets.api.specs.slots.views import View, views_of
from sayso.targets.api.specs.words import name_words, said_alike, stems_of

ANSWERS = 3
LEAST = 0.02
"""Of a share, so that nothing is said to be certain."""
DATE = re.compile(r"\d{4}-\d\d(?:-\d\d)?(?:T.*)?")
HOUR = re.compile(r"(?P<day>.*?)\s*\b(?P<hour>[01]\d|2[0-4]):(?P<minute>[0-5]\d)")


@dataclass(frozen=True)
class Heard:
    answers: tuple[tuple[Mapping[str, Any], float], ...]
    """Values by path, days as they are said; and how likely each answer is."""
    nothing: float
    """How likely it is that the operation is not asked for."""

    @property
    def asked(self) -> float:
        """The log odds of that it is."""
        return odds(1.0 - self.nothing)

    @property
    def lead(self) -> float:
        """How much of what is said is the first answer."""
        total = sum(much for _, much in self.answers)
        return self.answers[0][1] / total if total else 0.0


@dataclass(frozen=True)
class Hearing:
    """A request and an operation, read by the trunk: whether it is asked for is known, values cost as much again."""

    nothing: float
    heard: Callable[[], Heard]
    """Once."""

    @property
    def asked(self) -> float:
        return odds(1.0 - self.nothing)


Hears = Callable[[str, Operation], Hearing]
UNHEARD = 0.5
"""How likely nothing is asked for where the trunk says nothing."""


def odds(share: float) -> float:
    return math.log((share + LEAST) / (1.0 - share + LEAST))


def prompt_of(text: str, operation: Operation) -> Request:
    return Request(text, (Piece("code", signature_of(operation, text)),))


def hear(translator: Translator, text: str, operation: Operation) -> Heard:
    return heard_in(operation, translator.translate([prompt_of(text, operation)], ANSWERS)[0])


def heard_in(operation: Operation, lines: Sequence[Candidate]) -> Heard:
    nothing = 0.0
    answers: list[tuple[Mapping[str, Any], float]] = []
    for one in lines:
        if one.text == NOT_ASKED:
            nothing = one.score
            continue
        values = read_answer(operation, one.text)
        if values is None:
            values = read_parts(operation, one.text)
            if not values:
                continue
        answers.append((values, one.score))
    return Heard(tuple(answers), min(1.0, nothing) if lines else UNHEARD)


def with_heard(said: Said, operation: Operation, options: Sequence[Option], heard: Heard | None) -> list[Option]:
    """Options with what the trunk says for each, and those that it alone knows of."""
    if heard is None or not heard.answers:
        return list(options)
    views = views_of(operation)
    shares = [told_of(view, heard) for view in views]
    found = [
        spoken_for(one, sum(much for value, much in shares[one.slot] if agrees(said, one, value))) for one in options
    ]
    for view, told in zip(views, shares, strict=True):
        mine = [one for one in options if one.slot == view.at]
        for value, much in told:
            if not any(agrees(said, one, value) for one in mine):
                found += [spoken_for(one, much) for one in alone(said, operation, view, value)]
    return found


def told_of(view: View, heard: Heard) -> list[tuple[Any, float]]:
    """The values that are said of a slot, each once, and the share of all answers that has it."""
    total = sum(much for _, much in heard.answers)
    found: dict[str, tuple[Any, float]] = {}
    for values, much in heard.answers:
        if view.slot.path in values:
            value = values[view.slot.path]
            name = plain(value)
            found[name] = (value, found.get(name, (value, 0.0))[1] + much / total)
    return list(found.values())


def spoken_for(option: Option, share: float) -> Option:
    """For it or against it; what the description itself calls a choice needs nobody's word."""
    much = odds(min(1.0, share))
    name = "heard" if much > 0 else "unheard"
    if much < 0 and any(at == PLACE["gloss"] for at, _ in option.features):
        return option
    return replace(option, features=(*option.features, (PLACE[name], much)))


def agrees(said: Said, option: Option, value: Any) -> bool:
    """Whether it is that value, or what the words come to that are said."""
    single = option.value[0] if isinstance(option.value, list) and len(option.value) == 1 else option.value
    if isinstance(value, list) and not isinstance(single, list):
        return any(plain(single) == plain(one) for one in value)
    if plain(option.value) == plain(value):
        return True
    if not isinstance(value, str) or not option.cover or isinstance(option.value, bool | int | float):
        return False
    return plain(said.part(option.first, option.first + len(option.cover)).strip(" ,.;:?!")) == plain(value)


def plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(plain, value))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return " ".join(str(value).casefold().split())


def alone(said: Said, operation: Operation, view: View, value: Any) -> Iterator[Option]:
    """What the slot could take of a value that no rule has found; nothing where it would be refused."""
    if view.is_date and isinstance(value, str) and not DATE.fullmatch(value):
        yield from dated(said, view, value)
        return
    if view.slot.enum and not isinstance(value, list):
        value = next((one for one in view.slot.enum if plain(one) == plain(value)), value)
    if view.slot.kind == "object" or wrong(view.slot, value):
        return
    if is_own(operation, view, value):
        return
    features = {"alone": 1.0}
    cover = cover_of(said, value)
    if view.slot.where == "path" and not view.slot.enum:  # what is there already is named, whole, and never made up
        if not cover or said.is_torn(cover.start, cover.stop, view.words):
            return
    elif not isinstance(value, bool) and not cover and not view.slot.enum:
        features["unsaid"] = 1.0
    yield made(view, value, cover, "", features)


def is_own(operation: Operation, view: View, value: Any) -> bool:
    """Whether a value is but what the operation is called anyway: the item of `delete an item`, or no word at all."""
    if not isinstance(value, str) or view.slot.enum or not any(one.isalpha() for one in value):
        return False
    names = frozenset(stems_of(" ".join(name_words(operation.id) + name_words(view.slot.name))))
    return all(said_alike(one) & names for one in stems_of(value))


def dated(said: Said, view: View, words: str) -> Iterator[Option]:
    """Days by their words, `tomorrow` and `the 3rd 18:00`, as the clock and the slot have them."""
    hour = HOUR.fullmatch(words)
    day = (hour["day"] or "today") if hour else words
    now = moment(day, said.clock)
    if now is None:
        return
    later = moment(day, said.clock, True) or now
    if hour:
        now, later = at_hour(now[0], hour), at_hour(later[0], hour)
    span = Span(0, 0, "date", (*now, *later), words)
    for value, share, features in dates(view, span):
        yield made(view, value, cover_of(said, day), share, {**features, "alone": 1.0})


def at_hour(day: datetime, hour: re.Match[str]) -> tuple[datetime, datetime]:
    there = day.replace(hour=0, minute=0) + timedelta(hours=int(hour["hour"]), minutes=int(hour["minute"]))
    return there, there


def cover_of(said: Said, value: Any) -> range:
    """The tokens that a value is written with, where it stands in the request; of a list from first to last."""
    if isinstance(value, list):
        found = [cover_of(said, one) for one in value]
        return (
            range(min(one.start for one in found), max(one.stop for one in found)) if found and all(found) else range(0)
        )
    text = plain(value) if not isinstance(value, bool) else ""
    at = said.text.casefold().find(text) if text else -1
    there = covered(said.tokens, at, at + len(text)) if at >= 0 else []
    return range(there[0], there[-1] + 1) if there else range(0)
