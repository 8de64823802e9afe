"""What a request names, typed: numbers, quoted text, dates, addresses, ids, names, lists, and stretches of plain words.

A span says where it stands and what it could be; which slot takes it is decided elsewhere (`fill.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sayso.core.errors import BadInstruction
from sayso.english.words import numbers
from sayso.targets.api.requests.clock import MONTHS, WEEKDAYS, Clock, interval_of
from sayso.targets.api.specs.likeness import as_values, lexicon, telling
from sayso.targets.api.specs.words import Token, data, stop_words, tokens

if TYPE_CHECKING:
    from sayso.targets.api.specs.likeness import Array


def listed(name: str) -> list[str]:
    return str(data()["spans"][name]).split()


def phrases_of(name: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(phrase.split()) for phrase in " ".join(data()["bounding"][name].split()).split(", "))


QUOTES = re.compile(
    r"\"(?P<a>[^\"]{1,2000})\"|“(?P<b>[^”]{1,2000})”"
    r"|(?<![\w])'(?P<c>[^'\n]{1,400}(?:'\w[^'\n]*)*)'(?!\w)|`(?P<d>[^`]{1,400})`|«(?P<e>[^»]+)»"
)
LONGEST = 7
"""Words of a stretch of plain words."""
LONGEST_TIME = 6
TIMES = frozenset((*WEEKDAYS, *MONTHS, *(one[:3] for one in (*WEEKDAYS, *MONTHS)), *listed("times")))
DECADES = {word: 1920 + 10 * at for at, word in enumerate(listed("decades"))}
ORDINALS = {word: at for at, word in enumerate(listed("ordinals"), 1)}
CLOSERS = frozenset(listed("closers"))


@dataclass(frozen=True)
class Span:
    """Tokens first:last of a request, and the value that they come to."""

    first: int
    last: int
    kind: str
    """number, ordinal, quoted, date, year, decade, email, url, id, name, words, tail or list"""
    value: Any
    text: str
    unit: str = ""
    """The word behind a number."""
    bound: str = ""
    """low or high where a word before it says so: since, at most."""
    counts: bool = False
    """A number of things: 3 films, the first 5."""

    def clashes(self, other: Span) -> bool:
        return self.first < other.last and other.first < self.last


@dataclass(frozen=True)
class Said:
    """A request cut up once, for every operation that it is tried on."""

    text: str
    tokens: tuple[Token, ...]
    spans: tuple[Span, ...]
    clock: Clock

    def part(self, first: int, last: int) -> str:
        return self.text[self.tokens[first].start : self.tokens[last - 1].end]

    @cached_property
    def vectors(self) -> Array:
        """(token, width)"""
        stop = stop_words()
        return lexicon().each(
            [token.low if token.kind == "word" and token.low not in stop else "" for token in self.tokens]
        )

    @cached_property
    def kinds(self) -> Array:
        """(span, kinds): what the words of each are; zeros where nothing is known of them."""
        return as_values(lexicon(), [span_words(span) for span in self.spans])


def span_words(span: Span) -> list[str]:
    if span.kind == "list":
        return [word for one in span.value[1] if isinstance(one, str) for word in telling(one)]
    return telling(span.value)[:6] if isinstance(span.value, str) else []


LOW = phrases_of("low")
HIGH = phrases_of("high")
LOW_AFTER = phrases_of("low_after")
HIGH_AFTER = phrases_of("high_after")


def said(text: str, clock: Clock) -> Said:
    if len(text) > 2 and text[0] == text[-1] and text[0] in "'\"" and text.count(text[0]) == 2:
        text = text[1:-1]  # a request that somebody put in quotes
    found = tokens(text)
    return Said(text, found, tuple(spans_of(text, found, clock)), clock)


def spans_of(text: str, words: Sequence[Token], clock: Clock) -> Iterator[Span]:
    quoted = list(quotes(text, words))
    yield from quoted
    inside = {at for one in quoted for at in range(one.first, one.last)}
    found: list[Span] = []
    for at, token in enumerate(words):
        if at not in inside:
            found += typed(text, words, at, token)
    found += [one for one in times(text, words, clock) if not any(one.clashes(other) for other in quoted)]
    found += names(text, words, inside)
    found += stretches(text, words, inside)
    found += tails(text, words, inside)
    found += hours(text, words, inside)
    found += numbered(text, words, inside)
    found += expressions(text, words, inside)
    yield from found
    yield from lists(text, words, [*quoted, *found])


def quotes(text: str, words: Sequence[Token]) -> Iterator[Span]:
    for one in QUOTES.finditer(text):
        value = next(part for part in one.groups() if part is not None)
        at = [i for i, token in enumerate(words) if token.start >= one.start() and token.end <= one.end()]
        value = value.strip()
        if " " not in value:
            value = value.rstrip(".,;")
        if at and value:
            yield Span(at[0], at[-1] + 1, "quoted", value, value)


def bound_of(words: Sequence[Token], first: int, last: int) -> str:
    low = [token.low for token in words]
    for phrases, side in ((HIGH, "high"), (LOW, "low")):
        for phrase in phrases:
            if first >= len(phrase) and tuple(low[first - len(phrase) : first]) == phrase:
                if side == "low" and any(tuple(low[max(0, first - len(one)) : first]) == one for one in HIGH):
                    continue
                return side
    behind = low[last : last + 3]
    for skip in (0, 1):
        for phrases, side in ((LOW_AFTER, "low"), (HIGH_AFTER, "high")):
            if any(tuple(behind[skip : skip + len(phrase)]) == phrase for phrase in phrases):
                return side
    return ""


def unit_of(words: Sequence[Token], last: int) -> str:
    if last < len(words) and words[last].kind == "word" and words[last].low not in stop_words():
        return words[last].low
    return ""


LASTING = frozenset(("for", "in", "within", "over", "takes", "take", "took", "lasts"))
"""Before an hour or a week that is as long as it is said: for a week."""
TIMES_SAID = {"once": 1, "twice": 2, "thrice": 3}
FIRSTS = frozenset(listed("firsts"))


def is_count(words: Sequence[Token], at: int) -> bool:
    """3 films, five newest reviews, the first 5."""
    if at and words[at - 1].low in FIRSTS:
        return True
    for behind in words[at + 1 : at + 4]:
        if behind.kind != "word" or behind.low in stop_words():
            return False
        if behind.low.endswith("s") and not behind.low.endswith("ss") and len(behind.low) > 3:
            return True
    return False


SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000, "trillion": 10**12}


def whole(number: float) -> float | int:
    return round(number) if abs(number - round(number)) < 1e-9 else number


SUFFIXED = re.compile(r"(?P<n>[-−]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?P<unit>(?:[a-zA-Zµ°]{1,5}(?:/\w+)?)?)")
"""300K, 100g, 1e-9, 20m/s"""


def typed(text: str, words: Sequence[Token], at: int, token: Token) -> Iterator[Span]:
    """What one token is by its form."""
    low = token.low
    if token.kind in ("url", "email"):
        yield Span(at, at + 1, token.kind, token.text.rstrip(".,;"), token.text)
        return
    bound = bound_of(words, at, at + 1)
    if token.kind == "number":
        digits = re.match(r"[-−]?[\d,]+(?:\.\d+)?(?:[eE][-+]?\d+)?", token.text)
        assert digits
        plain = digits[0].replace(",", "").replace("−", "-")
        if plain.startswith("-") and at and words[at - 1].end == token.start and words[at - 1].kind != "mark":
            plain = plain[1:]
        number: float | int = float(plain) if re.search(r"[.eE]", plain) else int(plain[:18])
        kind = "ordinal" if token.text[-1:].isalpha() else "number"
        behind = words[at + 1].low if at + 1 < len(words) else ""
        if kind == "number" and behind in SCALES:
            yield Span(at, at + 2, kind, whole(number * SCALES[behind]), token.text, unit_of(words, at + 2), bound)
            return
        if kind == "number" and behind in ("%", "percent"):
            yield Span(at, at + 2, "percent", number, token.text, "percent", bound)
            return
        yield Span(at, at + 1, kind, number, token.text, unit_of(words, at + 1), bound, is_count(words, at))
        if kind == "number" and isinstance(number, int) and 1800 <= number <= 2200 and len(plain) == 4:
            yield Span(at, at + 1, "year", number, token.text, "", bound)
        return
    if found := re.fullmatch(r"(?:the-)?(\d{3}0)['’]?s", token.text):
        yield Span(at, at + 1, "decade", int(found[1]), token.text)
    elif low in DECADES:
        yield Span(at, at + 1, "decade", DECADES[low], token.text)
    if found := SUFFIXED.fullmatch(token.text):
        number = float(found["n"]) if re.search(r"[.eE]", found["n"]) else int(found["n"])
        yield Span(at, at + 1, "number", number, token.text, found["unit"].casefold(), bound)
    known = numbers()
    if low in known:
        yield Span(
            at, at + 1, "counted", int(known[low]), token.text, unit_of(words, at + 1), bound, is_count(words, at)
        )
    elif low in ("a", "an") and at and words[at - 1].low in LASTING and unit_of(words, at + 1):
        yield Span(at, at + 1, "counted", 1, token.text, unit_of(words, at + 1), bound)
    elif low in ("a", "an", "one") and unit_of(words, at + 1):
        yield Span(at, at + 1, "one", 1, token.text, unit_of(words, at + 1), bound)
    elif low in ("couple", "pair"):
        yield Span(at, at + 1, "counted", 2, token.text, "", bound)
    elif low in TIMES_SAID:
        yield Span(at, at + 1, "counted", TIMES_SAID[low], token.text, "times", bound)
    elif low == "half" and at + 2 < len(words) and words[at + 1].low in ("a", "an"):
        yield Span(at, at + 2, "counted", 0.5, token.text, unit_of(words, at + 2), bound)
    if low in ORDINALS:
        yield Span(at, at + 1, "ordinal", ORDINALS[low], token.text, unit_of(words, at + 1))
    if token.kind == "word" and is_id(token.text):
        yield Span(at, at + 1, "id", token.text, token.text)


def is_id(text: str) -> bool:
    """OPS-142, K7Q2ZD, kino-lux, m.okafor, owner/name: no word of a sentence."""
    plain = text.strip("'’")
    has_digit, has_letter = any(map(str.isdigit, plain)), any(map(str.isalpha, plain))
    return (
        (has_digit and has_letter)
        or bool(re.search(r"\w[-_./:@#]\w", plain))
        or (plain.isupper() and 2 <= len(plain) <= 8)
    )


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


def covered(words: Sequence[Token], start: int, end: int) -> list[int]:
    """Places of the tokens that lie between two characters."""
    return [at for at, token in enumerate(words) if token.start >= start and token.end <= end]


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


def numbered(text: str, words: Sequence[Token], inside: set[int]) -> Iterator[Span]:
    """A name or a code with the number behind it: ICE 77, HH-AB 123, Sprint 43, Rue Haute 3."""
    for at in range(1, len(words)):
        if at in inside or words[at].kind != "number" or words[at].start - words[at - 1].end != 1:
            continue
        first = at
        while first and first - 1 not in inside and capital(words[first - 1]) and at - first < 4:
            first -= 1
        if first < at and (first or at - first > 1):
            yield Span(first, at + 1, "name", text[words[first].start : words[at].end], "", "", "numbered")


EXPRESSION = re.compile(
    r"(?<![\w.^])(?:[\w.]*\([^()\s]{1,40}\)|[\w.]+)(?:\^-?[\w.]+)?"
    r"(?:\s?(?:[*^+]|\*\*|[<>=!]=?|(?<=\s)[-/](?=\s)|(?<=\S)/(?=\S))\s?-?(?:[\w.]*\([^()\s]{1,40}\)|[\w.]+)(?:\^-?[\w.]+)?)+"
    r"|[a-z]{1,8}\([^()\s]{1,20}\)"
)


def expressions(text: str, words: Sequence[Token], inside: set[int]) -> Iterator[Span]:
    """Formulas and conditions: 3x^2 + 1, sin(x), price > 20; of y = x^2 what is behind the sign too."""
    for one in EXPRESSION.finditer(text):
        for start in {
            one.start(),
            *(one.start() + sign.end() for sign in re.finditer(r"(?<![<>=!])=\s*(?!=)", one[0])),
        }:
            value = text[start : one.end()].rstrip(".")
            at = covered(words, start, one.end())
            if at and not inside & set(at) and re.search(r"[*^+<>=(]|\s[-/]\s", value):
                yield Span(at[0], at[-1] + 1, "expression", value, value)


HONORIFICS = frozenset(("dr", "mr", "mrs", "ms", "prof", "st", "jr", "sr"))


def names(text: str, words: Sequence[Token], inside: set[int]) -> Iterator[Span]:
    """Runs of capitalised words: Tilda Swinton, University of Leeds, San Francisco, CA. The first word of a sentence
    counts only where another follows it."""
    at = 0
    while at < len(words):
        if at in inside or not capital(words[at]):
            at += 1
            continue
        last = at + 1
        while last < len(words) and last not in inside:
            if words[last - 1].low.endswith(("'s", "’s")):
                break
            if capital(words[last]) and words[last].start - words[last - 1].end <= 1:
                last += 1
            elif (
                words[last].text == "."
                and words[last - 1].low in HONORIFICS
                and last + 1 < len(words)
                and capital(words[last + 1])
            ) or (
                last + 1 < len(words)
                and words[last].low in ("of", "the", "and", "de", "la", "von", "van", "&", "for")
                and capital(words[last + 1])
                and words[last].low != "and"
            ):
                last += 2
            else:
                break
        first = at
        begins = at == 0 or words[at - 1].text in ".!?"
        if begins and (words[first].low in stop_words() | VERBS or last == first + 1):
            first += 1
        if first < last:
            end = last
            owner = words[last - 1].low.endswith(("'s", "’s"))
            while (
                not owner
                and end < min(len(words), last + 2)
                and words[end].kind == "word"
                and words[end].low not in stop_words()
            ):
                end += 1
                yield Span(first, end, "name", text[words[first].start : words[end - 1].end], "")
            name = text[words[first].start : words[last - 1].end]
            yield Span(first, last, "name", name[:-2] if owner else name, "")
            for start, stop in parts_of(words, first, last):
                part = text[words[start].start : words[stop - 1].end]
                yield Span(start, stop, "name", part.removesuffix("'s").removesuffix("’s"), "", "part")
            if last + 1 < len(words) and words[last].text == "," and capital(words[last + 1]):
                end = last + 2
                while end < len(words) and capital(words[end]) and words[end].start - words[end - 1].end <= 1:
                    end += 1
                yield Span(first, end, "place", text[words[first].start : words[end - 1].end], "")
        at = last


def parts_of(words: Sequence[Token], first: int, last: int) -> Iterator[tuple[int, int]]:
    """Of a run of capitals what stands before and behind a small word, and a long run without its first word."""
    joints = [at for at in range(first, last) if not capital(words[at]) and words[at].kind == "word"]
    for at in joints:
        yield first, at
        yield at + 1, last
    if not joints and last - first > 2:
        yield first + 1, last


VERBS = frozenset(listed("verbs"))


NO_NAMES = frozenset(("I", "I'm", "I'd", "I'll", "I've", "I’m", "A"))


def capital(token: Token) -> bool:
    return token.kind == "word" and token.text[:1].isupper() and token.text not in NO_NAMES


def stretches(text: str, words: Sequence[Token], inside: set[int]) -> Iterator[Span]:
    """Plain words one after another, beginning and ending with one that says something."""
    stop = stop_words()
    for first in range(len(words)):
        if first in inside or words[first].kind == "mark" or words[first].low in stop:
            continue
        for last in range(first + 1, min(first + LONGEST, len(words)) + 1):
            token = words[last - 1]
            if last - 1 in inside or token.kind == "mark":
                break
            if token.low in stop:
                continue
            yield Span(first, last, "words", text[words[first].start : token.end], "")


def tails(text: str, words: Sequence[Token], inside: set[int]) -> Iterator[Span]:
    """What stands behind a colon, up to the end or to the next field: `goal: checkout rewrite`."""
    for at, token in enumerate(words):
        if token.text != ":" or at in inside or at + 1 >= len(words):
            continue
        if at + 1 < len(words):
            whole = text[words[at + 1].start :].strip().rstrip(".") if at + 1 not in inside else ""
            if whole:
                yield Span(at + 1, len(words), "tail", whole, "")
            stop = next((i for i in range(at + 1, len(words)) if words[i].text in ",;" or i in inside), len(words))
            if at + 1 < stop < len(words):
                yield Span(at + 1, stop, "tail", text[words[at + 1].start : words[stop - 1].end], "", "cut")


def lists(text: str, words: Sequence[Token], found: Sequence[Span]) -> Iterator[Span]:
    """Spans of one kind with commas and `and` between them."""
    single = [
        one
        for one in found
        if one.kind in ("number", "quoted", "id", "name", "email")
        or (one.kind == "words" and one.last - one.first <= 3)
    ]
    starts: dict[int, list[Span]] = {}
    for one in single:
        starts.setdefault(one.first, []).append(one)
    joins = {
        (",",),
        ("and",),
        ("or",),
        (",", "and"),
        (",", "or"),
        ("&",),
        (";",),
        ("plus",),
        ("as", "well", "as"),
        ("und",),
    }
    for kind in ("number", "quoted", "id", "email", "name", "words"):
        used: set[int] = set()
        for one in sorted((one for one in single if one.kind == kind), key=lambda span: (span.first, -span.last)):
            if one.first in used:
                continue
            chain = [one]
            while True:
                at = chain[-1].last
                if (
                    kind == "number"
                    and at < len(words)
                    and words[at].kind == "word"
                    and words[at].low not in ("and", "or")
                ):
                    nxt = next_in(words, at + 1, starts, kind, joins)
                    nxt = nxt or next_in(words, at, starts, kind, joins)
                else:
                    nxt = next_in(words, at, starts, kind, joins)
                if nxt is None:
                    break
                chain.append(nxt)
            if len(chain) > 1:
                used.update(span.first for span in chain)
                value = [span.value for span in chain]
                yield Span(chain[0].first, chain[-1].last, "list", (kind, value), "", chain[-1].unit)
    for one in found:
        # from 2015 to 2021, between 3 and 9
        if one.kind == "number" and one.first and words[one.first - 1].low in ("from", "between"):
            at = one.last + (
                one.last < len(words) and words[one.last].kind == "word" and words[one.last].low not in RANGED
            )
            other = next((two for two in found if two.kind == "number" and two.first == at + 1), None)
            if other is not None and at < len(words) and words[at].low in RANGED:
                yield Span(one.first, other.last, "list", ("number", [one.value, other.value]), "", other.unit)
    for bracketed in re.finditer(r"[\[(][^\[\]()]*[\])]", text):
        places = [
            i for i, token in enumerate(words) if token.start >= bracketed.start() and token.end <= bracketed.end()
        ]
        parts = [part.strip().strip("'\"") for part in bracketed[0][1:-1].split(",")]
        if (
            places
            and all(parts)
            and (bracketed[0][0] == "[" or (len(parts) > 1 and not re.search(r"[a-zA-Z]", bracketed[0])))
        ):
            is_number = all(re.fullmatch(r"-?\d+(?:\.\d+)?", part) for part in parts)
            value = [float(part) if "." in part else int(part) for part in parts] if is_number else parts
            yield Span(places[0], places[-1] + 1, "list", ("number" if is_number else "quoted", value), "")


RANGED = ("to", "and", "until", "till", "through", "-", "–")


def next_in(
    words: Sequence[Token], at: int, starts: dict[int, list[Span]], kind: str, joins: set[tuple[str, ...]]
) -> Span | None:
    for length in (3, 2, 1):
        if tuple(token.low for token in words[at : at + length]) in joins:
            there = at + length
            if there < len(words) and words[there].low in ("the", "a", "an"):
                there += 1
            options = [one for one in starts.get(there, ()) if one.kind == kind]
            if options:
                ends = [
                    one
                    for one in options
                    if one.last == len(words) or words[one.last].kind == "mark" or words[one.last].low in CLOSERS
                ]
                return (ends or options)[-1] if kind == "words" else options[0]
    return None
