"""Words of time as people type them, in the words that the clock tells: yday, tmrw, 48h, 0900, wensday, 2 weeks back.

A long word of time with one slip of the pen is that word; shorter ones are names as well (Marco, Mai) and stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

SHORT = {
    **dict.fromkeys(("yday", "yest", "ystd"), "yesterday"),
    **dict.fromkeys(("tmrw", "tmr", "tmw", "tomo", "2moro", "2morrow"), "tomorrow"),
    **dict.fromkeys(("tonite", "2nite", "2night"), "tonight"),
    **{"nite": "night", "mornin": "morning", "arvo": "afternoon", "wkend": "weekend", "wknd": "weekend"},
    **{"wk": "week", "wks": "weeks", "yr": "year", "yrs": "years", "mth": "month", "mths": "months"},
    **{"hr": "hour", "hrs": "hours", "min": "minute", "mins": "minutes", "nxt": "next", "lst": "last"},
    **{"weds": "wednesday", "thur": "thursday", "thurs": "thursday", "tues": "tuesday"},
}
LONG = (
    *("january", "february", "august", "september", "october", "november", "december"),
    *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    *("yesterday", "tomorrow", "weekend", "morning", "afternoon", "evening"),
)
WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
FORMS = (
    (re.compile(r"\b(\d{1,4}) ?(?:h|hrs?)\b(?!\w)"), r"\1 hours"),
    (re.compile(r"\b(\d{1,4})(d|w)\b"), lambda found: f"{found[1]} {'days' if found[2] == 'd' else 'weeks'}"),
    (re.compile(r"\b(0\d)([0-5]\d)z?\b"), r"\1:\2"),
    (re.compile(r"\b(\d{1,2})\.([0-5]\d)(?= ?[ap]\.?m\b)"), r"\1:\2"),
    (re.compile(r"\b((?:\d{1,4}|[a-z]+) (?:minute|hour|day|week|fortnight|month|quarter|year)s?) back\b"), r"\1 ago"),
    # Saturday the 14th: the date says which one.
    (re.compile(rf"\b{WEEKDAY} (?:the )?(?=\d{{1,2}}(?:st|nd|rd|th)\b)"), ""),
)  # fmt: skip


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
