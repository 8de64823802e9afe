"""Whether a value is a time: words such as `last Friday` (`data/times.toml`), or the figures of a date or an hour."""

from __future__ import annotations

import re
import tomllib
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from sayso.targets.api.syntax.feasts import names_feast

MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
FIGURES = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTHS}(?:,? \d{{4}})?|{MONTHS} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?"
    rf"|{MONTHS},? \d{{4}}|\d{{1,2}}(?::\d\d){{0,2}} ?[ap]\.?m\b\.?|\d{{1,2}}(?::\d\d){{1,2}}|(?:19|20)\d\d\b"
    r"|\d{1,2}(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
"""3pm, 10:30, 2024, 2024-05-03, 2024-05-03T10:00:00Z, 3rd of May, May 3 2024"""
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+")


def is_time(value: str) -> bool:
    """ "last Friday", "two hours ago", "3 days ago", "2024-05-03" are; "banana", "last modified" and "" are not."""
    text = " ".join(value.split()).strip(".,")
    rest, figures = FIGURES.subn(" ", text)
    words = [word[0].casefold().replace("’", "'") for word in WORD.finditer(rest)]
    times, others = _words()
    known = all(word in times or word in others or word.isdigit() for word in words)
    return (known and bool(figures or any(word in times for word in words))) or names_feast(text)


def near_time(value: str) -> str:
    """The value with its slips mended, "" where that is no time either."""
    times, others = _words()
    words = value.casefold().split()
    known = [word in times or word in others for word in words]
    mended = [
        word if sound else next(iter(get_close_matches(word, sorted(times | others), 1, 0.8)), word)
        for word, sound in zip(words, known, strict=True)
    ]
    return " ".join(mended) if mended != words and is_time(" ".join(mended)) else ""


@cache
def _words() -> tuple[frozenset[str], frozenset[str]]:
    table = tomllib.loads((files("sayso.targets.api") / "data" / "times.toml").read_text(encoding="utf-8"))
    return frozenset(table["times"]), frozenset(table["with"])
