"""Times in words as half-open intervals, against a clock and a time zone: last week, December, the next 3 days.

A week starts on Monday. `last Friday` is the latest one before today, `this Friday` that of this week, `next Friday`
that of the week to come; a bare `Friday`, `March` or `the 3rd` is the nearest one in the direction that a property
looks. `last 7 days` ends now, `next 3 days` begins now. What leaves the time open (`recently`, `spring`) is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from sayso.core.errors import BadInstruction
from sayso.english.words import numbers
from sayso.targets.api.requests.clock_words import as_written
from sayso.targets.api.syntax.feasts import feast

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
UNIT = r"(?P<unit>minute|hour|day|week|fortnight|month|quarter|year)s?"
UNITS = ("day", "week", "month", "quarter", "year")
WAYS = "last|past|previous|next|coming|following"
N = r"(?P<n>\d{1,6}|[a-z]+)"
MONTH = r"(?P<month>[a-z]{3,9})\.?"
DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
YEAR = r"(?P<year>\d{4})"
HOUR = r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?(?::(?P<second>\d\d))? ?(?P<half>[ap])?\.?(?(half)m)\.?"
PARTS = {"morning": (0, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 24)}
PARTS |= {"am": (0, 12), "pm": (12, 24)}
PART = "(?P<part>morning|afternoon|evening|night|am|pm)"
IN_THE = re.compile(r"^in the (?=(?:morning|afternoon|evening)$)")
NEAR = {"this": 0, "last": -1, "yesterday": -1, "today": 0, "tomorrow": 1}
LEADING = re.compile(r"^(?:(?:in|on|at|during|within|over|the|of|for) )+")
SAID_ALOUD = "say it as a date (2024-05-03), a month, a year, or in words (today, last week, next 3 days)"


@dataclass(frozen=True)
class Clock:
    now: datetime
    """With its offset."""
    zone: tzinfo

    @property
    def local(self) -> datetime:
        """What a clock on the wall shows, without zone."""
        return self.now.astimezone(self.zone).replace(tzinfo=None, microsecond=0)

    def instant(self, wall: datetime) -> datetime:
        """A time on the wall in UTC."""
        return wall.replace(tzinfo=self.zone).astimezone(UTC)


@dataclass(frozen=True)
class Interval:
    """From start up to, but without, end, in UTC; one moment where both are the same."""

    start: datetime
    end: datetime

    @property
    def is_moment(self) -> bool:
        return self.start == self.end


def interval_of(words: str, clock: Clock, ahead: bool = False) -> Interval:
    """What words of time stand for; `ahead` where a bare day or month is to come. Raises BadInstruction."""
    try:
        found = _read(_plain(words), clock, ahead)
    except (ValueError, OverflowError):
        found = None
    if found is None:
        raise BadInstruction(f"{words[:60]!r} is no time that can be told exactly", hint=SAID_ALOUD)
    return found


def _plain(words: str) -> str:
    text = " ".join(words.casefold().replace("’", "'").replace(",", " ").split()).strip(". ")
    return re.sub(r"\b(?:a )?couple of\b", "2", LEADING.sub("", as_written(text)))


def _read(text: str, clock: Clock, ahead: bool) -> Interval | None:
    if text in ("now", "right now", "this moment", "moment", "this minute"):
        return Interval(clock.instant(clock.local), clock.instant(clock.local))
    if exact := re.fullmatch(r"\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)?", text):
        at = datetime.fromisoformat(exact[0].upper()).replace(microsecond=0)
        at = at.astimezone(UTC) if at.tzinfo else clock.instant(at)
        return Interval(at, at)
    if found := re.fullmatch(r"(?P<side>start|beginning|end) of (?:the |this )?(?P<rest>.+)", text):
        whole = _days(found["rest"] if found["rest"] not in UNITS else f"this {found['rest']}", clock, ahead)
        edge = None if whole is None else whole.end if found["side"] == "end" else whole.start
        return None if edge is None else Interval(edge, edge)
    return (
        _rolling(text, clock)
        or _part_of_day(text, clock, ahead)
        or _hour(text, clock, ahead)
        or _days(text, clock, ahead)
    )


def _rolling(text: str, clock: Clock) -> Interval | None:
    """Spans that end or begin now, and hours and minutes that are counted from now."""
    now = clock.local
    if found := re.fullmatch(r"(?:this )?(?P<unit>day|week|month|quarter|year) (?:so far|to date)", text):
        begun = _units(found["unit"], 0, now.date())[0]
        return Interval(clock.instant(datetime.combine(begun, time())), clock.instant(now))
    text = re.sub(rf"^(?P<way>{WAYS}) fortnight$", r"\g<way> 14 days", text)
    if found := re.fullmatch(rf"(?P<way>{WAYS}) {N} {UNIT}", text):
        n = _number(found["n"])
        if n is None:
            return None
        there = _moved(clock, found["unit"], n if found["way"] in ("next", "coming", "following") else -n)
        start, end = sorted((clock.instant(now), there))
        return Interval(start, end)
    if found := re.fullmatch(r"(?P<way>last|past|previous|this|current|next|coming) (?P<unit>hour|minute)", text):
        way = {"next": 1, "coming": 1, "this": 0, "current": 0}.get(found["way"], -1)
        size = timedelta(hours=1) if found["unit"] == "hour" else timedelta(minutes=1)
        if way == 0:
            begun = now.replace(minute=0 if found["unit"] == "hour" else now.minute, second=0)
            return Interval(clock.instant(begun), clock.instant(begun) + size)
        start, end = sorted((clock.instant(now), clock.instant(now) + way * size))
        return Interval(start, end)
    if found := re.fullmatch(rf"{N} (?P<unit>minute|hour)s? (?P<way>ago|from now|hence)", text):
        n = _number(found["n"])
        if n is None:
            return None
        size = timedelta(hours=1) if found["unit"] == "hour" else timedelta(minutes=1)
        # `two hours ago` is the hour that began then.
        start = clock.instant(now) + (-n if found["way"] == "ago" else n) * size
        return Interval(start, start + size)
    return None


def _moved(clock: Clock, unit: str, n: int) -> datetime:
    """The moment n units from now; days and longer keep the time on the wall."""
    now = clock.local
    if unit in ("minute", "hour"):
        return clock.instant(now) + n * (timedelta(hours=1) if unit == "hour" else timedelta(minutes=1))
    if unit in ("day", "week", "fortnight"):
        return clock.instant(now + timedelta(days=n * {"day": 1, "week": 7, "fortnight": 14}[unit]))
    first = _month(now.year, now.month + n * {"month": 1, "quarter": 3, "year": 12}[unit])
    last = (_month(first.year, first.month + 1) - timedelta(days=1)).day
    return clock.instant(datetime.combine(first.replace(day=min(now.day, last)), now.time()))


def _part_of_day(text: str, clock: Clock, ahead: bool) -> Interval | None:
    """tomorrow morning, this evening, tonight, last night, friday am, the afternoon of March 3rd"""
    found = _day_and_part(text, clock, ahead)
    if found is None:
        return None
    day, part = found
    begin, end = PARTS[part]
    midnight = datetime.combine(day, time())
    return Interval(clock.instant(midnight + timedelta(hours=begin)), clock.instant(midnight + timedelta(hours=end)))


def _day_and_part(text: str, clock: Clock, ahead: bool) -> tuple[date, str] | None:
    text = "this night" if text == "tonight" else text
    found = re.fullmatch(rf"(?P<rest>.+) {PART}", text) or re.fullmatch(rf"{PART} of (?:the )?(?P<rest>.+)", text)
    if found is None:
        return None
    rest = found["rest"]
    near = rest in NEAR and not text.startswith(f"{found['part']} of ")
    day = clock.local.date() + timedelta(days=NEAR[rest]) if near else _one_day(rest, clock, ahead)
    return None if day is None else (day, found["part"])


def _hour(text: str, clock: Clock, ahead: bool) -> Interval | None:
    """3pm, 10:30, noon, tomorrow at 3pm, 9:15 on Monday, 23:00 last night, 8:30 this evening"""
    text = re.sub(r"\b(?:noon|midday)\b", "12:00", text)
    text = re.sub(r"\bmidnight\b", "0:00", text)
    text = re.sub(r"\b(\d{1,2}) o'clock\b", r"\1:00", text)
    for pattern in (rf"{HOUR}", rf"{HOUR} (?:on )?(?P<rest>\D.*)", rf"(?P<rest>.+?) (?:at )?{HOUR}"):
        found = re.fullmatch(pattern, text)
        if not found:
            continue
        rest = found.groupdict().get("rest")
        within = _day_and_part(IN_THE.sub("this ", rest), clock, ahead) if rest else None
        if not (found["half"] or found["minute"] or within):
            continue
        day = within[0] if within else _one_day(rest, clock, ahead) if rest else clock.local.date()
        hour = int(found["hour"])
        if (found["half"] and not 1 <= hour <= 12) or day is None:
            return None
        if found["half"]:
            hour = hour % 12 + (12 if found["half"] == "p" else 0)
        elif within and within[1] in ("afternoon", "evening", "night", "pm") and 5 <= hour < 12:
            hour += 12
        if within and within[1] == "night" and hour < 6:
            day += timedelta(days=1)  # of last night, two in the morning is today's
        at = clock.instant(datetime.combine(day, time(hour, int(found["minute"] or 0), int(found["second"] or 0))))
        return Interval(at, at)
    return None


def _one_day(text: str, clock: Clock, ahead: bool) -> date | None:
    found = _wall_days(LEADING.sub("", text), clock, ahead)
    return found[0] if found and found[1] - found[0] == timedelta(days=1) else None


def _days(text: str, clock: Clock, ahead: bool) -> Interval | None:
    found = _wall_days(text, clock, ahead)
    if found is None:
        return None
    start, end = (clock.instant(datetime.combine(day, time())) for day in found)
    return Interval(start, end)


def _wall_days(text: str, clock: Clock, ahead: bool) -> tuple[date, date] | None:
    """Whole days, from the first up to the one after the last."""
    today = clock.local.date()
    monday = today - timedelta(days=today.weekday())
    fixed = {
        "today": today, "tomorrow": today + timedelta(days=1), "yesterday": today - timedelta(days=1),
        "day before yesterday": today - timedelta(days=2), "day after tomorrow": today + timedelta(days=2),
    }  # fmt: skip
    if text in fixed:
        return _one(fixed[text])
    if (found := re.fullmatch(r"coming (?P<name>[a-z]+)", text)) and found["name"] not in (*UNITS, "fortnight"):
        return _wall_days(found["name"], clock, ahead=True)  # the coming Friday is the nearest one, the next is not
    text = re.sub(r"\b(past|previous)\b", "last", re.sub(r"\b(coming|following)\b", "next", text))
    text = re.sub(r"\bcurrent\b", "this", text)
    if found := re.fullmatch(r"(?:(?P<way>last|this|next) )?(?P<name>[a-z]+?)s?", text):
        steps = {"last": -1, "this": 0, "next": 1}
        weekday = _name_at(found["name"], WEEKDAYS)
        month = _name_at(found["name"], MONTHS)
        if found["name"] == "weekend":
            near = 0 if ahead or today.weekday() > 4 else -1
            saturday = monday + timedelta(days=5 + 7 * steps.get(found["way"] or "", near))
            return saturday, saturday + timedelta(days=2)
        if weekday is not None:
            return _one(_weekday(weekday, found["way"] or "", today, ahead))
        if month is not None:
            return _named_month(month, found["way"] or "", today, ahead)
        if found["way"] and found["name"] in ("day", "week", "fortnight", "month", "quarter", "year"):
            return _units(found["name"], steps[found["way"]], today)
    if found := re.fullmatch(
        rf"{N} (?P<unit>day|week|fortnight|month|quarter|year)s? (?P<way>ago|from now|hence)", text
    ):
        n = _number(found["n"])
        return None if n is None else _units(found["unit"], -n if found["way"] == "ago" else n, today)
    if found := re.fullmatch(rf"{N} (?P<name>[a-z]+?)s? ago", text):
        n, weekday = _number(found["n"]), _name_at(found["name"], WEEKDAYS)
        if n and weekday is not None:
            return _one(_weekday(weekday, "last", today, ahead) - timedelta(days=7 * n - 7))
    return _dated(text, today, ahead)


def _units(unit: str, steps: int, today: date) -> tuple[date, date]:
    """The whole day, week, month … that lies so many steps from this one."""
    if unit == "day":
        return _one(today + timedelta(days=steps))
    if unit in ("week", "fortnight"):
        monday = today - timedelta(days=today.weekday()) + timedelta(days=steps * (7 if unit == "week" else 14))
        return monday, monday + timedelta(days=7)
    size = {"month": 1, "quarter": 3, "year": 12}[unit]
    first = (today.month - 1) // size * size + 1 + steps * size
    return _month(today.year, first), _month(today.year, first + size)


def _weekday(weekday: int, way: str, today: date, ahead: bool) -> date:
    monday = today - timedelta(days=today.weekday())
    if way == "this":
        return monday + timedelta(days=weekday)
    if way == "next":
        return monday + timedelta(days=7 + weekday)
    if way == "last":
        return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    return (
        today + timedelta(days=(weekday - today.weekday()) % 7)
        if ahead
        else today - timedelta(days=(today.weekday() - weekday) % 7)
    )


def _named_month(month: int, way: str, today: date, ahead: bool) -> tuple[date, date]:
    year = today.year
    if way == "last" or (not way and not ahead):
        year -= month > today.month - (way == "last")
    elif way == "next" or not way:
        year += month < today.month + (way == "next")
    return _month(year, month), _month(year, month + 1)


def _dated(text: str, today: date, ahead: bool) -> tuple[date, date] | None:
    if days := feast(text, today, ahead):
        return days
    if found := re.fullmatch(rf"(?:calendar )?week (?P<n>\d{{1,2}})(?:(?: of)? {YEAR})?", text):
        return _week(int(found["n"]), int(found["year"] or 0), today, ahead)
    if found := re.fullmatch(r"week (?:of|beginning|commencing|starting) (?P<rest>.+)", text):
        held = _wall_days(LEADING.sub("", found["rest"]), Clock(datetime.combine(today, time(), UTC), UTC), ahead)
        monday = held[0] - timedelta(days=held[0].weekday()) if held else None
        return (monday, monday + timedelta(days=7)) if monday else None
    if found := re.fullmatch(
        rf"(?:h(?P<n>[12])|(?P<word>first|second) half of)(?: (?:(?:the|this) year|{YEAR}))?", text
    ):
        half = 1 if found["n"] == "1" or found["word"] == "first" else 2
        year = int(found["year"] or today.year)
        return _month(year, 6 * half - 5), _month(year, 6 * half + 1)
    if found := re.fullmatch(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", text):
        return _one(date(*(int(part) for part in found.groups())))
    if found := re.fullmatch(r"(\d{4})-(\d\d)", text):
        return _month(int(found[1]), int(found[2])), _month(int(found[1]), int(found[2]) + 1)
    if found := re.fullmatch(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})", text):
        first, second, year = (int(part) for part in found.groups())
        if first != second and first <= 12 and second <= 12:
            return None  # the third of May, or the fifth of March
        return _one(date(year, min(first, second), max(first, second)))
    if found := re.fullmatch(r"(?:year )?(?P<year>(?:19|20)\d\d)", text):
        return date(int(found["year"]), 1, 1), date(int(found["year"]) + 1, 1, 1)
    if found := re.fullmatch(
        rf"(?:q(?P<n>[1-4])|(?P<word>first|second|third|fourth) quarter(?: of)?)(?: {YEAR})?", text
    ):
        n = int(found["n"] or 0) or ("first", "second", "third", "fourth").index(found["word"]) + 1
        year = int(found["year"] or 0) or today.year
        return _month(year, 3 * n - 2), _month(year, 3 * n + 1)
    if found := re.fullmatch(rf"{MONTH} {YEAR}", text):
        month = _name_at(found["month"], MONTHS)
        return (_month(int(found["year"]), month), _month(int(found["year"]), month + 1)) if month else None
    named = re.fullmatch(rf"{MONTH} {DAY}(?: {YEAR})?", text) or re.fullmatch(
        rf"{DAY}(?: of)? {MONTH}(?: {YEAR})?", text
    )
    if named:
        month = _name_at(named["month"], MONTHS)
        return _one(_nearest(int(named["year"] or 0), month, int(named["day"]), today, ahead)) if month else None
    if found := re.fullmatch(r"(?P<day>\d{1,2})(?:st|nd|rd|th)", text):
        return _one(_nearest(0, 0, int(found["day"]), today, ahead))
    if found := re.fullmatch(rf"{DAY} of (?:the |(?P<way>this|last|next) )?month", text):
        start = _units("month", {"last": -1, "next": 1}.get(found["way"] or "", 0), today)[0]
        asked = start + timedelta(days=int(found["day"]) - 1)
        return _one(asked) if asked.month == start.month else None  # no month has a 32nd, February no 30th
    if found := COUNTED.fullmatch(text):
        return _counted(found["which"], found["what"], found["month"], today, ahead)
    return None


def _week(n: int, year: int, today: date, ahead: bool) -> tuple[date, date]:
    """The week of a year by its number: of the nearest year on this side, where none is named."""
    for one in (year,) if year else range(today.year, today.year + (8 if ahead else -8), 1 if ahead else -1):
        if n > date(one, 12, 28).isocalendar().week:
            continue  # few years have a 53rd
        monday = date.fromisocalendar(one, n, 1)
        if year or (monday + timedelta(days=7) > today if ahead else monday <= today):
            return monday, monday + timedelta(days=7)
    raise ValueError


COUNTED = re.compile(
    r"(?P<which>first|second|third|fourth|last|1st|2nd|3rd|4th) (?P<what>[a-z]+) (?:of|in) (?P<month>.+)"
)


def _counted(which: str, what: str, month: str, today: date, ahead: bool) -> tuple[date, date] | None:
    """The last Friday of June, the third week of May: its days 15 to 21."""
    months = re.fullmatch(rf"{MONTH}(?: {YEAR})?", month)
    named = _name_at(months["month"], MONTHS) if months else None
    if months and named:
        year = int(months["year"] or 0)
        start = _month(year, named) if year else _named_month(named, "", today, ahead)[0]
    elif way := re.fullmatch(r"(?P<way>the|this|last|next) month", month):
        start = _units("month", {"last": -1, "next": 1}.get(way["way"], 0), today)[0]
    else:
        return None
    end, weekday = _month(start.year, start.month + 1), _name_at(what, WEEKDAYS)
    at = (
        0
        if which == "last"
        else ("first", "second", "third", "fourth").index(which)
        if which.isalpha()
        else int(which[0]) - 1
    )
    if what == "week":
        return (
            (end - timedelta(days=7), end)
            if which == "last"
            else (start + timedelta(days=7 * at), start + timedelta(days=7 * at + 7))
        )
    if weekday is None:
        return None
    first = start + timedelta(days=(weekday - start.weekday()) % 7)
    last = end - timedelta(days=(end.weekday() - weekday - 1) % 7 + 1)
    return _one(last if which == "last" else first + timedelta(days=7 * at))


def _nearest(year: int, month: int, day: int, today: date, ahead: bool) -> date:
    """The day of a month, of a year, or of none: the nearest one on this side of today."""
    if year:
        return date(year, month, day)
    step = 1 if ahead else -1
    for moved in range(0, 49 * step, step):
        first = _month(today.year, today.month + moved)
        if month in (0, first.month):
            try:
                found = first.replace(day=day)
            except ValueError:
                continue  # no 31st
            if found == today or (found > today) == ahead:
                return found
    raise ValueError


def _month(year: int, month: int) -> date:
    """The first of a month, counted on beyond December and back beyond January."""
    return date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


def _one(day: date) -> tuple[date, date]:
    return day, day + timedelta(days=1)


def _name_at(word: str, names: tuple[str, ...]) -> int | None:
    """The place of a name or its beginning, from 0 for weekdays and from 1 for months."""
    for at, name in enumerate(names):
        if word == name or (3 <= len(word) <= 5 and name.startswith(word)):
            return at + (names is MONTHS)
    return None


def _number(word: str) -> int | None:
    if word.isascii() and word.isdigit():
        return int(word)
    return 1 if word in ("a", "an") else numbers(99).get(word)
