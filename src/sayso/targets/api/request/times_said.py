"""Times in a request that its parser was not taught, with the words that compare them: since May, in the last 7 days.

A time is what `requests/clock.py` can tell exactly. A bare month or year counts only behind a word such as `in`, or
before what is asked for (`december mails`): categories and rooms have years, and people are called May.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from sayso.core.errors import BadInstruction
from sayso.targets.api.request.rewording import QUOTED
from sayso.targets.api.requests.clock import Clock, interval_of

TOKEN = re.compile(r"[^\s,;?!()]+")
LONGEST = 8
"""Words of a time: the third of may 2024 at 10:30 am"""
ANY_DAY = Clock(datetime(2024, 5, 15, 12, tzinfo=UTC), UTC)
"""Whether words are a time depends on no date."""
BARE = re.compile(
    r"(?:(?:19|20)\d\d|\d{4}-\d\d|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*"
    r"|mon|tues?|wed|thu|thur|thurs|fri|sat|sun|now|\d{1,2}(?:st|nd|rd|th))",
    re.IGNORECASE,
)
"""Words that may be a name, an order or a verb as well."""
THING = r"(?:e-?mails?|mails?|messages?|files?|documents?|events?|meetings?|appointments?|pdfs?|entries|stuff|things)"
TOPIC = re.compile(
    r"\b(?:about|regarding|concerning|called|named|titled|mentioning|mentions?) .+?"
    r"(?= (?:from|by|since|before|after|that|which|sent|received|created|modified|in|on|during|between|until)\b"
    r"|[,;?!]|$)",
    re.IGNORECASE,
)
"""What something is about may be a time: `mails about the Sunday lunch`."""
NEVER_FIRST = frozenset(
    {"the", "in", "on", "at", "of", "for", "over", "within", "during", "from", "since", "and", "to", "s"}
)
DURATION = re.compile(r"(?:\d{1,6}|[a-z]+) (?:minute|hour|day|week|month|quarter|year)s?", re.IGNORECASE)
BETWEEN = re.compile(r"\bbetween (?P<first>.+?) and (?P<second>.+)", re.IGNORECASE)
RANGE = re.compile(r"\bfrom (?P<first>.+?) (?:to|until|till|through|up to) (?P<second>.+)", re.IGNORECASE)
HOUR = r"(?:\d{1,2}(?::\d\d)? ?(?:[ap]\.?m\.?)?|noon|midday|midnight)"
HOURS = re.compile(rf"\s+(?P<word>after|before|since|until|from) (?P<hour>{HOUR})(?=\W|$)", re.IGNORECASE)
HOUR_ALONE = re.compile(r"\d{1,2}(?::\d\d| ?[ap]\.?m\.?|:\d\d ?[ap]\.?m\.?)|noon|midday|midnight", re.IGNORECASE)
"""An hour of no day, which is one of today unless another is named."""
LATER = re.compile(
    r" (?:(?P<later>on|onwards?|(?:or|and) (?:later|newer|after|afterwards))|(?:or|and) (?:earlier|older|before))"
    r"(?=[,;.?!]|$)",
    re.IGNORECASE,
)
"""from July on; 2023 or earlier"""
UNTOUCHED = re.compile(
    r"(?:\b(?:that|which) )?(?:\b(?:were|was|have|has|are|is) ?)?(?:\bnot|n['’]t)(?: been)? "
    r"(?P<verb>modified|changed|edited|touched)\s*$",
    re.IGNORECASE,
)
NOT_A_TIME = re.compile(r" (?:\w+ )?(?:categor|calendar|folder|project|room|building|label|tag)", re.IGNORECASE)
"""`the 2002 category`"""


@dataclass(frozen=True)
class TimeSaid:
    """Characters start:end of a request, and the comparisons that they come to."""

    start: int
    end: int
    compared: tuple[tuple[str, str], ...]
    """(operator, time)"""
    before_noun: bool = False
    kept: str = ""
    """Words of it that tell which time is meant: modified, of `not modified since 2020`."""


def find_times(text: str, known: Collection[str], operators: Collection[str], words: Comparing) -> list[TimeSaid]:
    """Times that a parser with these times and operators does not read, in order, none within another or in quotes."""
    found: list[TimeSaid] = []
    quoted = [one.span() for pattern in (QUOTED, TOPIC) for one in pattern.finditer(text)]
    at = 0
    while at < len(text):
        one = _range_at(text, at) or _time_at(text, at, words)
        if one is None:
            nearest = TOKEN.search(text, at)
            if nearest is None:
                break
            at = nearest.end() if nearest.start() == at else nearest.start()
            continue
        inside = any(start < one.end and one.start < end for start, end in quoted)
        if not inside and not _is_read(one, known, operators):
            found.append(one)
        at = max(one.end, at + 1)
    return found


def _is_read(one: TimeSaid, known: Collection[str], operators: Collection[str]) -> bool:
    (operator, value), *others = one.compared
    said = re.sub(r"^an? ", "one ", value.casefold())
    return not others and said in known and operator in operators


@dataclass(frozen=True)
class Comparing:
    """Words before a time -> its operator, longest first."""

    pattern: re.Pattern[str]
    meaning: tuple[tuple[str, str], ...]

    def operator_before(self, text: str) -> tuple[str, int]:
        """The operator that the end of a text says, and where it begins."""
        found = self.pattern.search(text)
        return (dict(self.meaning)[found[1].casefold()], found.start()) if found else ("", len(text))


def comparing(table: dict[str, list[str]]) -> Comparing:
    meaning = {word: operator for operator, words in table.items() for word in words}
    longest = sorted(meaning, key=len, reverse=True)
    pattern = rf"(?<!\S)({'|'.join(re.escape(one) for one in longest)})(?: the)?\s*$"
    return Comparing(re.compile(pattern, re.IGNORECASE), tuple(meaning.items()))


@lru_cache(maxsize=4096)
def is_exact(phrase: str) -> bool:
    try:
        interval_of(phrase, ANY_DAY)
    except BadInstruction:
        return False
    return True


def is_day(phrase: str) -> bool:
    """Whether words name one whole day."""
    return is_exact(phrase) and not HOUR_ALONE.search(phrase) and is_exact(f"{phrase} at 10:00")


def _longest(text: str, at: int) -> int:
    """The end of the longest time that begins at this character, or -1."""
    tokens: list[re.Match[str]] = []
    for token in TOKEN.finditer(text, at):
        if not tokens and token.start() != at:
            return -1
        tokens.append(token)
        if len(tokens) == LONGEST or text[token.end() : token.end() + 1] in (";", "?", "!", "(", ")"):
            break
    if not tokens or tokens[0][0].casefold() in NEVER_FIRST:
        return -1
    for last in reversed(tokens):
        end = last.end() - (last[0].endswith(".") and not last[0].endswith("m."))
        phrase = re.sub(r"['’]s$", "", text[at:end])
        if is_exact(phrase):
            return at + len(phrase)
    return -1


def _range_at(text: str, at: int) -> TimeSaid | None:
    """between Monday and Wednesday; from 1 jan to 31 march 2026"""
    for pattern in (BETWEEN, RANGE):
        found = pattern.match(text, at)
        if not found or not (is_exact(found["first"]) or found["first"].isdigit()):
            continue
        end = _longest(text, found.start("second"))
        if end > 0:
            first, second = found["first"], text[found.start("second") : end]
            if first.isdigit() and len(first) < 3:
                month = re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)?( .+)", second)
                if not month:
                    continue
                first += month[1]  # said once
            if HOUR_ALONE.fullmatch(first) and (day := re.sub(rf"^{HOUR}", "", second, flags=re.IGNORECASE).strip()):
                first = f"{first} {day}"
            year = re.search(r"\b(?:19|20)\d\d$", second)
            if year and re.fullmatch(r"(?:\d{1,2}(?:st|nd|rd|th)? )?[a-z]+(?: \d{1,2}(?:st|nd|rd|th)?)?", first, re.I):
                first = f"{first} {year[0]}"  # the year is said once
            return TimeSaid(at, end, (("ge", first), ("le", second)))
    return None


def _is_name(text: str, start: int, end: int) -> bool:
    """from May Parker; in the 2002 category"""
    person = re.match(r"(?:from|by|with|of) ", text[start:], re.IGNORECASE) and re.match(r" [A-Z][a-z]", text[end:])
    return bool(person or NOT_A_TIME.match(text[end:]))


def _time_at(text: str, at: int, words: Comparing) -> TimeSaid | None:
    if at and not re.match(r"[\s(,]", text[at - 1]):
        return None
    operator, start = words.operator_before(text[:at])
    if duration := DURATION.match(text, at):
        # older than 30 days: before the last 30 days began
        span = f"last {re.sub(r'^an? ', '1 ', duration[0], flags=re.IGNORECASE)}"
        if (
            operator in ("lt", "gt", "ge")
            and is_exact(span)
            and re.search(r"(?:old|new|young|recent)\w* than$", text[:at].strip(), re.I)
        ):
            return TimeSaid(start, duration.end(), (("lt" if operator == "lt" else "ge", span),))
    end = _longest(text, at)
    if end < 0:
        return None
    phrase = text[at:end]
    noun = re.match(rf"(?:['’]s)? (?:\w+ )?{THING}\b", text[end:], re.IGNORECASE)
    if BARE.fullmatch(phrase) and (not (operator or noun) or _is_name(text, start, end)):
        return None
    if not operator and noun and not re.search(rf"\b{THING}\b", text[:at], re.IGNORECASE):
        return TimeSaid(at, end + (2 if text[end : end + 2] in ("'s", "’s") else 0), (("eq", phrase),), True)
    if operator == "ge" and (untouched := UNTOUCHED.search(text[:start])):
        return TimeSaid(untouched.start(), end, (("lt", phrase),), kept=untouched["verb"])
    if (later := LATER.match(text[end:])) and operator in ("", "eq"):
        return TimeSaid(start, end + later.end(), (("ge" if later["later"] else "le", phrase),))
    if hours := HOURS.match(text[end:]):
        exact = f"{phrase} at {hours['hour']}"
        if is_exact(exact):
            late = hours["word"].casefold() in ("after", "since", "from")
            compared = (("ge", exact), ("le", phrase)) if late else (("ge", phrase), ("lt", exact))
            return TimeSaid(start, end + hours.end(), compared)
    return TimeSaid(start, end, ((operator or "eq", phrase),))
