"""When a date in a command is: `2013-04-18`, `Nov 22`, `20130418`, `3 days ago`; coarse, as fixtures are."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from sayso.english.constants import word_set

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
SPANS = {"sec": 1.0, "min": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0, "fortnight": 1209600.0,
         "month": 30 * 86400.0, "year": 365 * 86400.0}  # fmt: skip
WORDS = {"now": 0.0, "today": 0.0, "yesterday": -86400.0, "tomorrow": 86400.0}
FIRST_YEAR, LAST_YEAR = 1971, 2037
ISO = re.compile(r"(\d{4})[-/](\d\d?)[-/](\d\d?)")
COMPACT = re.compile(r"\b(\d{4})(\d\d)(\d\d)\b")
AMERICAN = re.compile(r"\b(\d\d?)/(\d\d?)/(\d{4}|\d\d)\b")
MONTH_FIRST = re.compile(rf"\b({'|'.join(MONTHS)})[a-z]*\.?\s+(\d\d?)(?:st|nd|rd|th)?\b(?:,?\s+(\d{{4}}))?", re.I)
DAY_FIRST = re.compile(rf"\b(\d\d?)(?:st|nd|rd|th)?[\s-]+({'|'.join(MONTHS)})[a-z]*\b(?:[\s-]+(\d{{4}}))?", re.I)
SPAN = re.compile(rf"([-+]?\d+|last|next)\s*({'|'.join(SPANS)})[a-z]*(\s+ago)?", re.I)
NOISE = word_set("edt est utc gmt")


def moment(text: str, now: float) -> float | None:
    """Seconds since 1970 of a date that `find -newermt` or `touch -d` would read, None where it is none."""
    plain = " ".join(word for word in text.lower().split() if word not in NOISE)
    for pattern, order in ((ISO, "ymd"), (COMPACT, "ymd"), (AMERICAN, "mdy"), (MONTH_FIRST, "mdy"), (DAY_FIRST, "dmy")):
        if found := pattern.search(plain):
            parts = dict(zip(order, found.groups(), strict=True))
            return _time(parts["y"], parts["m"], parts["d"], now)
    if found := SPAN.search(plain):
        count = {"last": -1, "next": 1}.get(found[1])
        count = int(found[1]) if count is None else count
        return now + SPANS[found[2].lower()] * (-count if found[3] else count)
    return now + WORDS[plain] if plain in WORDS else None


def _time(year: str | None, month: str, day: str, now: float) -> float | None:
    """A year that is not said is this one."""
    number = int(month) if month.isdecimal() else MONTHS.index(month[:3]) + 1
    years = int(year) if year else datetime.fromtimestamp(now, UTC).year
    years += 2000 if years < 70 else 1900 if years < 100 else 0
    if not FIRST_YEAR <= years <= LAST_YEAR:
        return None
    try:
        return datetime(years, number, int(day), tzinfo=UTC).timestamp()
    except ValueError:
        return None
