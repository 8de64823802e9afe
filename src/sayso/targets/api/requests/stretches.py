"""Times with two ends, hours within a day, and bare lengths of time, as half-open intervals.

`between Monday and Wednesday`, `from 1 jan to 31 march`, `tomorrow before 9am`, `thursday from 2 to 4pm`; `30 days`
ends now, or begins now where days are to come. Everything else is what `clock.py` reads.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, time, timedelta

from sayso.core.errors import BadInstruction
from sayso.targets.api.requests.clock import SAID_ALOUD, Clock, Interval, interval_of

HOUR = r"(?:\d{1,2}(?::\d\d)?(?: ?[ap]\.?m\b\.?)?|noon|midday|midnight)"
CUT = re.compile(r" ?(?:\b(?:and|to|till|until|thru|through|up to)\b|[-–—]) ?")
OPENING = re.compile(r"\b(?:from|between|anywhere between|any time between)\b")
SIDE = re.compile(rf"(?P<side>before|after|until|till|by|since|from|past) (?P<hour>{HOUR})(?: (?:on|onwards?))?")
WITHIN = re.compile(rf"(?:{OPENING.pattern} )?(?P<first>{HOUR}) ?(?:and|to|till|until|[-–—]) ?(?P<second>{HOUR})")
LENGTH = re.compile(
    r"(?:the )?(?P<n>\d{1,6}|[a-z]+(?: of)?) (?P<unit>minute|hour|day|week|fortnight|month|quarter|year)s?"
)
BEFORE = ("before", "until", "till", "by")
WHOLE_DAY_CLOCK = re.compile(r"(?<!:)\b(?:0\d|1[3-9]|2\d)\b")
LONGEST = 100
"""Characters; nobody says a time with more, and what is looked for in it is looked for at every place."""


def stretch_of(words: str, clock: Clock, ahead: bool = False) -> Interval:
    """What words of time stand for; raises BadInstruction as `interval_of` does."""
    if len(words) > LONGEST:
        raise BadInstruction(f"a time of {len(words):,} characters cannot be told", hint=SAID_ALOUD)
    try:
        return interval_of(words, clock, ahead)
    except BadInstruction as refused:
        text = " ".join(words.casefold().replace("’", "'").split()).strip(".,; ")
        found = _length(text, clock, ahead) or _hours(text, clock, ahead) or _two_ends(text, clock, ahead)
        if found is None or found.end < found.start:
            raise refused
        return found


def _told(text: str, clock: Clock, ahead: bool) -> Interval | None:
    with suppress(BadInstruction):
        return interval_of(text, clock, ahead)
    return None


def _length(text: str, clock: Clock, ahead: bool) -> Interval | None:
    """30 days, a couple of weeks"""
    found = LENGTH.fullmatch(re.sub(r"\b(?:a )?couple of\b", "2", text))
    return _told(f"{'next' if ahead else 'last'} {found['n']} {found['unit']}", clock, ahead) if found else None


def _hours(text: str, clock: Clock, ahead: bool) -> Interval | None:
    """tomorrow before 9am; thursday between 2 and 4pm; after 5pm last friday"""
    for pattern in (WITHIN, SIDE):
        for found in pattern.finditer(text):
            day = re.sub(r"^(?:on|at) |(?: on| at|,)$", "", f"{text[: found.start()]} {text[found.end() :]}".strip())
            whole = _told(day.strip(" ,") or "today", clock, ahead)
            if whole is None or whole.end - whole.start > timedelta(hours=25) or whole.is_moment:
                continue
            if pattern is SIDE:
                early = found["side"] in BEFORE
                at = _on_day(found["hour"], found["hour"], whole, clock, ends=early)
                if at is not None:
                    return replace(whole, end=at) if early else replace(whole, start=at)
                continue
            first = _on_day(found["first"], found["second"], whole, clock)
            second = _on_day(found["second"], found["second"], whole, clock, ends=True)
            if first is not None and second is not None:
                if not WHOLE_DAY_CLOCK.search(found["first"] + " " + found["second"]):
                    if second <= first and not re.search("[ap]", found["second"]):
                        second += timedelta(hours=12)
                    bare = not re.search("[apn]", found["first"])
                    if bare and second <= first < second + timedelta(hours=12):
                        first -= timedelta(hours=12)  # from 9 to 1pm
                # From 10pm to 2am: the night over.
                return Interval(first, second if second > first else second + timedelta(days=1))
    return None


def _on_day(hour: str, other: str, day: Interval, clock: Clock, ends: bool = False) -> datetime | None:
    """An hour of a day; a bare one has the half of the day that the other end says, or a likely one. A day that is
    asked for until midnight ends with the one behind it."""
    named = {"noon": "12:00", "midday": "12:00", "midnight": "24:00" if ends else "0:00"}.get(hour)
    found = re.fullmatch(r"(\d{1,2})(?::(\d\d))? ?(?:([ap])\.?m\.?)?", named or hour)
    half = found[3] or _half(other) if found else ""
    if not found or int(found[1]) > 24 or int(found[2] or 0) > 59 or (found[3] and not 1 <= int(found[1]) <= 12):
        return None
    at = int(found[1])
    if named is None and half and 1 <= at <= 12:
        at = at % 12 + (12 if half == "p" else 0)
    elif named is None and not half and not found[2] and 1 <= at <= 6:
        at += 12  # between 2 and 4: nobody meets at night
    start = day.start.astimezone(clock.zone).replace(tzinfo=None)
    return clock.instant(datetime.combine(start.date(), time(at % 24, int(found[2] or 0))) + timedelta(days=at // 24))


def _half(hour: str) -> str:
    found = re.search(r"([ap])\.?m", hour)
    return found[1] if found else ""


def _two_ends(text: str, clock: Clock, ahead: bool) -> Interval | None:
    """from monday to wednesday; 1-5 may; march through june 2024"""
    opened = OPENING.match(text)
    plain = text[opened.end() :].strip() if opened else text
    for cut in CUT.finditer(plain):  # the first - of 2024-01-05 to 2024-01-12 parts nothing
        first, second = plain[: cut.start()].strip(), plain[cut.end() :].strip()
        last = _told(second, clock, ahead)
        if last is None and second.isdigit() and (month := re.match(r"([a-z]+) \d", first)):
            last = _told(f"{month[1]} {second}", clock, ahead)  # may 3 to 5
            second = f"{month[1]} {second}"
        if last is None:
            continue
        for start in (_completed(first, second), first):
            begun = _told(start, clock, ahead)
            if begun is not None and begun.start > last.start:
                # From friday to monday: the first one that comes then.
                last = _told(second, replace(clock, now=begun.start), True) or last
            if begun is not None and begun.start <= last.end:
                return Interval(begun.start, last.end)
    return None


def _completed(first: str, second: str) -> str:
    """The month and the year are said once: (1, 5 may) -> 1 may, (march, june 2024) -> march 2024"""
    day = re.fullmatch(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)?", first)
    if day and (rest := re.fullmatch(r"(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? ([a-z]+(?: \d{4})?)", second)):
        return f"{day[1]} {rest[1]}"
    if day and first.isdigit() and re.fullmatch(r"\d{4}", second) is None and second[-2:] in ("st", "nd", "rd", "th"):
        return f"{day[1]}th"
    year = re.search(r"\b(?:19|20)\d\d$", second)
    if year and not re.search(r"\d{4}", first) and re.search("[a-z]", first):
        return f"{first} {year[0]}"
    return first
