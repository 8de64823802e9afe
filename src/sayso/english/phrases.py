"""Constants of several words, and those that only their neighbours settle: 2 GB, five days, Aug 15 2014, mode 755.

One pass from left to right that looks at most three tokens ahead, so the cost stays linear.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sayso.english.constants import SIZE_UNITS, TIME_UNITS, Token, value_of
from sayso.english.words import listed, numbers

_MONTHS = "january february march april may june july august september october november december"

NUMBER_WORDS = numbers()
MONTHS = {name[:length]: n for n, name in enumerate(_MONTHS.split(), 1) for length in (3, len(name))} | {"sept": 9}
# Words of their own in lower case: only a number beside them makes them months.
_UNSURE_MONTHS = ("may", "march", "mar", "jan", "dec", "sep", "oct", "jun")

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
RELATIVE_DAYS = ("today", "yesterday", "tomorrow", *DAYS)
CLOCK_WORDS = {"noon": "12:00", "midnight": "00:00"}

# "one" is a number in "one level down" and a pronoun in "the last one" or "one of them".
_ONE_IS_PRONOUN_AFTER = listed("phrases.one_is_pronoun_after")
_ONE_IS_PRONOUN_BEFORE = listed("phrases.one_is_pronoun_before")

# Before "10m": minutes; after anything else it is a size.
_TIME_CUES = listed("phrases.time_cues")

# Words near which 755 is a mode and not a count.
_MODE_WORDS = listed("phrases.mode_words")
_COUNTED_AFTER = listed("phrases.counted_after")
_COUNTED_BEFORE = listed("phrases.counted_before")
_MODE_REACH = 16

_LAST_WORDS = frozenset(("last", "past", "previous"))
_A_SPAN_AFTER = listed("phrases.a_span_after")
_A_SPAN_BEFORE = frozenset(("ago", "old", "older", "earlier", "back", "before"))

_BEGINNINGS = frozenset(("a", "an", *NUMBER_WORDS, *MONTHS, *RELATIVE_DAYS, *CLOCK_WORDS, *TIME_UNITS))


def join_phrases(tokens: Sequence[Token], text: str) -> list[Token]:
    """Tokens with constants of several words made one; spans still index into the text."""
    joined: list[Token] = []
    at = 0
    while at < len(tokens):
        first = tokens[at]
        if not _may_begin(first):
            joined.append(first)
            at += 1
            continue
        ahead = _run(tokens, at, text)
        kind, value, used = _read(ahead, [token.text.lower() for token in joined[-3:]])
        last = ahead[used - 1]
        joined.append(Token(text[first.start : last.end], kind, first.start, last.end, value))
        at += used
    return _settle_modes(joined)


def _may_begin(token: Token) -> bool:
    """A quick look that spares most tokens the long one."""
    if token.kind == "word":
        return token.text.lower().partition("-")[0] in _BEGINNINGS
    return token.kind in ("number", "size", "time")


def _run(tokens: Sequence[Token], at: int, text: str) -> list[Token]:
    """Up to four tokens from `at` on that only blanks (or, inside a date, a comma) keep apart."""
    run = [tokens[at]]
    for left, right in pairwise(tokens[at : at + 5]):
        gap = text[left.end : right.start]
        if len(gap) > 3 or gap.strip(" \t") or not (gap or right.text == ","):
            break
        run.append(right)
    return run


def _read(ahead: list[Token], behind: list[str]) -> tuple[str, str, int]:
    """(kind, value, how many tokens) of what begins here, after the words `behind`."""
    first = ahead[0]
    found = _date(ahead) or _clock(ahead) or _amount(ahead, behind[-1] if behind else "")
    if found:
        return found
    if first.kind == "size" and first.text[-1] == "m" and _TIME_CUES.intersection(behind):
        return "timespan", first.value[:-1] + "m", 1
    return first.kind, first.value, 1


def _words(ahead: list[Token]) -> list[str]:
    return [token.text.lower() for token in ahead] + [""] * 5


def _amount(ahead: list[Token], before: str) -> tuple[str, str, int] | None:
    """A number in digits or words, with the unit after it if there is one: five days -> timespan 5d."""
    words = _words(ahead)
    if words[0] in ("a", "an") and words[1] in TIME_UNITS and len(words[1]) > 2:
        if before in _A_SPAN_AFTER or words[2] in _A_SPAN_BEFORE:
            return "timespan", "1" + TIME_UNITS[words[1]], 2
        return None
    if before in _LAST_WORDS and len(words[0]) > 2 and words[0] in TIME_UNITS and not words[0].endswith("s"):
        return None if words[1] == "of" else ("timespan", "1" + TIME_UNITS[words[0]], 1)
    number = _number(ahead, before)
    if number is None:
        return None
    value, used = number
    unit, written = words[used], ahead[used].text if used < len(ahead) else ""
    if unit in SIZE_UNITS and (len(unit) > 1 or written in ("B", "K", "k", "M", "G", "T")):
        return "size", value + SIZE_UNITS[unit], used + 1
    if unit in TIME_UNITS and len(unit) > 2:
        return "timespan", value + TIME_UNITS[unit], used + 1
    return "number", value, used


def _number(ahead: list[Token], before: str) -> tuple[str, int] | None:
    first, words = ahead[0], _words(ahead)
    if first.kind == "number":
        scale = {"thousand": 1000, "million": 1_000_000}.get(words[1])
        return (str(int(first.value) * scale), 2) if scale and _is_count(first.value) else (first.value, 1)
    if first.kind != "word":
        return None
    tens, _, ones = words[0].partition("-")
    if tens not in NUMBER_WORDS or (ones and not 0 < NUMBER_WORDS.get(ones, 0) < 10 <= NUMBER_WORDS[tens]):
        return None
    if words[0] == "one" and (before in _ONE_IS_PRONOUN_AFTER or words[1] in _ONE_IS_PRONOUN_BEFORE):
        return None
    total, used = NUMBER_WORDS[tens] + NUMBER_WORDS.get(ones, 0), 1
    while used < len(ahead) and used < 4 and (more := NUMBER_WORDS.get(words[used])) is not None:
        if more >= 100 and total < more:
            total *= more
        elif more < 10 <= total < 100 or more < 100 <= total:
            total += more
        else:
            break
        used += 1
    return str(total), used


def _is_count(value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) < 10


def _date(ahead: list[Token]) -> tuple[str, str, int] | None:
    """Aug 15 2014, 15 Aug 2014, August 15th, 2014, yesterday: ISO where the year is given, as written otherwise."""
    words = _words(ahead)
    if words[0] in RELATIVE_DAYS:
        return "date", words[0], 1
    if ahead[0].kind == "word" and words[0] in MONTHS:
        if len(ahead) < 2 or not (1 <= _small(ahead[1]) <= 31 or len(ahead[1].text) == 4):
            sure = ahead[0].text[0].isupper() and words[0] not in _UNSURE_MONTHS
            return ("date", words[0], 1) if sure else None
        if _is_year(ahead[1]):
            return "date", f"{ahead[1].value}-{MONTHS[words[0]]:02}", 2
        return _with_year(ahead, MONTHS[words[0]], _small(ahead[1]), 2)
    if ahead[0].kind == "number" and 1 <= _small(ahead[0]) <= 31:
        month = 2 if words[1] == "of" else 1
        if words[month] in MONTHS and not (words[month] == "may" and ahead[month].text == "may"):
            return _with_year(ahead, MONTHS[words[month]], _small(ahead[0]), month + 1)
    return None


def _with_year(ahead: list[Token], month: int, day: int, used: int) -> tuple[str, str, int]:
    comma = used < len(ahead) and ahead[used].text == ","
    year = used + comma
    if year < len(ahead) and _is_year(ahead[year]):
        return "date", f"{ahead[year].value}-{month:02}-{day:02}", year + 1
    return "date", f"{month:02}-{day:02}", used


def _small(token: Token) -> int:
    """The number of a token with one or two digits, 0 of any other."""
    value = token.value
    return int(value) if token.kind == "number" and len(value) < 3 and value.isascii() and value.isdigit() else 0


def _is_year(token: Token) -> bool:
    return token.kind == "number" and _is_count(token.text) and 1900 <= int(token.text) <= 2199


def _clock(ahead: list[Token]) -> tuple[str, str, int] | None:
    """10 am, 10:30 pm, noon."""
    words = _words(ahead)
    if words[0] in CLOCK_WORDS:
        return "time", CLOCK_WORDS[words[0]], 1
    half = words[1].replace(".", "")
    if half in ("am", "pm") and (ahead[0].kind == "time" or 1 <= _small(ahead[0]) <= 12):
        return "time", value_of(ahead[0].text + half, "time"), 2
    return None


def _settle_modes(tokens: list[Token]) -> list[Token]:
    """755 beside "permissions" is a mode; in "the first 755 lines" it stays a number."""
    last_mode = -_MODE_REACH - 1
    for at, token in enumerate(tokens):
        if token.kind == "word" and token.text.lower() in _MODE_WORDS:
            last_mode = at
            for back in range(max(0, at - 3), at):
                _settle_mode(tokens, back)
        elif at - last_mode <= _MODE_REACH:
            _settle_mode(tokens, at)
    return tokens


def _settle_mode(tokens: list[Token], at: int) -> None:
    token = tokens[at]
    if token.kind != "number" or len(token.text) not in (3, 4) or not set(token.text) <= set("01234567"):
        return
    before = tokens[at - 1].text.lower() if at else ""
    after = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
    if before not in _COUNTED_BEFORE and after not in _COUNTED_AFTER:
        tokens[at] = token._replace(kind="permission")
