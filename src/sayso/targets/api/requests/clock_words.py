"""Words of time as people type them, in the words that the clock tells: yday, tmrw, 48h, 0900, wensday, 2 weeks back.

A long word of time with one slip of the pen is that word; shorter ones are names as well (Marco, Mai) and stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sayso.english.words import numbers

SHORT = {
    **dict.fromkeys(("yday", "yest", "ystd"), "yesterday"),
    **dict.fromkeys(("tmrw", "tmr", "tmw", "tomo", "2moro", "2morrow"), "tomorrow"),
    **dict.fromkeys(("tonite", "2nite", "2night"), "tonight"),
    **{"nite": "night", "mornin": "morning", "arvo": "afternoon", "wkend": "weekend", "wknd": "weekend"},
    **{"wk": "week", "wks": "weeks", "yr": "year", "yrs": "years", "mth": "month", "mths": "months"},
    **{"hr": "hour", "hrs": "hours", "min": "minute", "mins": "minutes", "nxt": "next", "lst": "last"},
    **{"trailing": "last", "rolling": "last", "upcoming": "coming"},
    **{"mo": "month", "mos": "months", "ytd": "year to date", "mtd": "month to date"},
    **{"weds": "wednesday", "thur": "thursday", "thurs": "thursday", "tues": "tuesday"},
}
LONG = (
    *("january", "february", "august", "september", "october", "november", "december"),
    *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    *("yesterday", "tomorrow", "weekend", "morning", "afternoon", "evening"),
)
WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
NTH = {
    **{"first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th"},
    **{"seventh": "7th", "eighth": "8th", "ninth": "9th", "tenth": "10th"},
}
HOURS = {word: number for word, number in numbers(12).items() if 1 <= number <= 12 and word != "dozen"}
FORMS = (
    (re.compile(r"\b(\d{1,4}) ?(?:h|hrs?)\b(?!\w)"), r"\1 hours"),
    (re.compile(r"\b(\d{1,4})(d|w)\b"), lambda found: f"{found[1]} {'days' if found[2] == 'd' else 'weeks'}"),
    (re.compile(r"\b(0\d)([0-5]\d)z?\b"), r"\1:\2"),
    (re.compile(r"\b(\d{1,2})\.([0-5]\d)(?= ?[ap]\.?m\b)"), r"\1:\2"),
    (re.compile(r"\b((?:\d{1,4}|[a-z]+) (?:minute|hour|day|week|fortnight|month|quarter|year)s?) back\b"), r"\1 ago"),
    # Saturday the 14th: the date says which one.
    (re.compile(rf"\b{WEEKDAY} (?:the )?(?=\d{{1,2}}(?:st|nd|rd|th)\b)"), ""),
    (re.compile(r"\b(?:the )?(week|month|quarter|year) before last\b"), r"2 \1s ago"),
    (re.compile(r"\b(?:the )?(week|month|quarter|year) after next\b"), r"2 \1s from now"),
    (re.compile(r"\bhalf an hour\b|(?<=last |past |next )half hour\b"), "30 minutes"),
    (re.compile(r"^(?:the )?(?:all of|all day|(?:whole|entire)(?: of)?) "), ""),
    (re.compile(r"^so far this (day|week|month|quarter|year)$"), r"\1 so far"),
    (re.compile(r"\bfrom today$"), "from now"),
    (re.compile(r"\bthis (?=(?:coming|past|last|next|previous|following)\b)"), ""),
    (re.compile(r"\b(?:kw|cw) ?(?=\d)|\bweek no\.? ?(?=\d)"), "week "),
    (re.compile(rf"\b({'|'.join(NTH)})(?= of\b)"), lambda found: NTH[found[1]]),
    (
        re.compile(rf"\b(half past|quarter past|quarter to) (\d{{1,2}}|{'|'.join(HOURS)})\b"),
        lambda found: _quarters(found[1], found[2]),
    ),
)  # fmt: skip


def _quarters(side: str, hour: str) -> str:
    """(quarter to, nine) -> 8:45"""
    at = HOURS.get(hour) or int(hour)
    return f"{at - 1 or 12}:45" if side == "quarter to" else f"{at}:{'30' if side == 'half past' else '15'}"


def as_written(text: str) -> str:
    """A time in small letters, in the words of the clock."""
    text = " ".join(SHORT.get(word) or meant(word) for word in text.split())
    for pattern, plain in FORMS:
        text = pattern.sub(plain, text)
    return text


@lru_cache(maxsize=4096)
def meant(word: str) -> str:
    """The word that a slip of the pen made this one of, else itself."""
    return next((one for one in LONG if word != one and word in slips(one)), word)


@lru_cache(maxsize=64)
def slips(word: str) -> frozenset[str]:
    return frozenset(each_slip(word)) - frozenset(LONG)


def each_slip(word: str) -> Iterator[str]:
    """A letter lost, doubled, changed with its neighbour or for another, behind the first; none more at the end."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    for at in range(1, len(word)):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at] + word[at:]
        yield word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
        yield from (word[:at] + other + word[at + 1 :] for other in letters)
