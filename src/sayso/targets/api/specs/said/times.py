"""Days, stretches of time and hours that a request names, by the clock of mail and calendar."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from sayso.core.errors import BadInstruction
from sayso.targets.api.requests.clock import MONTHS, WEEKDAYS, Clock, interval_of
from sayso.targets.api.specs.said.span import RANGED, Span, bound_of, covered, listed
from sayso.targets.api.specs.words import Token

LONGEST_TIME = 6
TIMES = frozenset((*WEEKDAYS, *MONTHS, *(one[:3] for one in (*WEEKDAYS, *MONTHS)), *listed("times")))


def times(text: str, words: Sequence[Token], clock: Clock) -> Iterator[Span]:
    """The longest stretches that the clock can tell."""
    at = 0
    while at < len(words):
        token = words[at]
        starts = (
            token.low in TIMES
            or (token.text[:1].isdigit())
            or (token.low in ("the", "in", "a", "an", "two", "three") and at + 1 < len(words))
        )
        best = 0
        if starts and token.low not in ("in",):
            for length in range(min(LONGEST_TIME, len(words) - at), 0, -1):
                part = text[token.start : words[at + length - 1].end]
                if (
                    length == 1
                    and part.casefold().removesuffix("'s") not in TIMES
                    and not re.search(r"\d[-/:]\d", part)
                ):
                    continue
                if (
                    length == 1
                    and part.casefold()
                    in (
                        "last",
                        "next",
                        "this",
                        "past",
                        "may",
                        "new",
                        "mar",
                        "sun",
                        "sat",
                        "end",
                        "start",
                        "second",
                        "coming",
                    )
                    and not (part == "May" and at)
                ):
                    continue
                if (interval := moment(part, clock)) is not None:
                    ahead = moment(part, clock, True) or interval
                    yield Span(at, at + length, "date", (*interval, *ahead), part, "", bound_of(words, at, at + length))
                    best = length
                    break
        at += best or 1


def shared_months(text: str, words: Sequence[Token], dates: Sequence[Span], clock: Clock) -> Iterator[Span]:
    """Of "2 to 23 May" and "between 1 and 7 March" the first day."""
    for one in dates:
        at = one.first - 2
        if at < 0 or words[at + 1].low not in RANGED or not re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)?", words[at].text):
            continue
        part = f"{words[at].text} {text[words[one.first].end : words[one.last - 1].end].strip()}"
        if words[one.first].text[:1].isdigit() and (interval := moment(part, clock)) is not None:
            ahead = moment(part, clock, True) or interval
            yield Span(at, at + 1, "date", (*interval, *ahead), part, "", bound_of(words, at, at + 1))


SLASHED = re.compile(r"(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4})")


def moment(part: str, clock: Clock, ahead: bool = False) -> tuple[datetime, datetime] | None:
    """Start and end on the wall of the clock's zone."""
    if found := SLASHED.fullmatch(part):
        part = f"{found['y']}-{int(found['m']):02d}-{int(found['d']):02d}"
    if part.casefold() in ("new year", "the new year"):
        part = f"{clock.local.year}-01-01"
    try:
        interval = interval_of(part, clock, ahead)
    except (BadInstruction, OverflowError, ValueError):
        return None
    zone = clock.zone
    return interval.start.astimezone(zone), interval.end.astimezone(zone)


HOUR = re.compile(
    r"(?<![\w:.])(?P<h>[01]?\d|2[0-4])(?:[:.](?P<m>[0-5]\d))?(?::[0-5]\d)?\s?(?P<half>[ap])\.?m\b\.?|(?<![\w:.])(?P<h2>[01]?\d|2[0-4]):(?P<m2>[0-5]\d)(?![\w:])"
)


def hours(text: str, words: Sequence[Token], inside: set[int]) -> Iterator[Span]:
    """Times of day, as HH:MM: 7 pm, 14:30."""
    for one in HOUR.finditer(text):
        at = covered(words, one.start(), one.end())
        if at and not inside & set(at):
            hour, minute = int(one["h"] or one["h2"]), int(one["m"] or one["m2"] or 0)
            if one["half"] and hour <= 12:
                hour = hour % 12 + (12 if one["half"] == "p" else 0)
            yield Span(
                at[0],
                at[-1] + 1,
                "hour",
                f"{hour:02d}:{minute:02d}",
                one[0].rstrip("."),
                "",
                bound_of(words, at[0], at[-1] + 1),
            )
