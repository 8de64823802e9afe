"""What a request names, typed: numbers, quoted text, dates, addresses, ids, names, lists, and stretches of plain words.

A span says where it stands and what it could be; which slot takes it is decided elsewhere (`fill.py`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.specs.said.lists import lists
from sayso.targets.api.specs.said.names import names, numbered
from sayso.targets.api.specs.said.quantities import (
    ENDINGS,
    SUFFIXED,
    digits_value,
    is_count,
    quantity,
    unit_of,
    whole,
)
from sayso.targets.api.specs.said.span import Span, bound_of, covered, listed
from sayso.targets.api.specs.said.times import hours, shared_months, times
from sayso.targets.api.specs.said.whole import is_torn, wholes
from sayso.targets.api.specs.slots.likeness import as_values, lexicon, telling
from sayso.targets.api.specs.words import Token, stop_words, tokens

if TYPE_CHECKING:
    from sayso.targets.api.specs.slots.likeness import Array


QUOTES = re.compile(
    r"\"(?P<a>[^\"]{1,2000})\"|“(?P<b>[^”]{1,2000})”"
    r"|(?<![\w])'(?P<c>[^'\n]{1,400}(?:'\w[^'\n]*)*)'(?!\w)|`(?P<d>[^`]{1,400})`|«(?P<e>[^»]+)»"
)
LONGEST = 7
"""Words of a stretch of plain words."""
DECADES = {word: 1920 + 10 * at for at, word in enumerate(listed("decades"))}
ORDINALS = {word: at for at, word in enumerate(listed("ordinals"), 1)}


@dataclass(frozen=True)
class Said:
    """A request cut up once, for every operation that it is tried on."""

    text: str
    tokens: tuple[Token, ...]
    spans: tuple[Span, ...]
    clock: Clock

    def part(self, first: int, last: int) -> str:
        return self.text[self.tokens[first].start : self.tokens[last - 1].end]

    def is_torn(self, first: int, last: int, names: Collection[str] = ()) -> bool:
        """Whether these tokens are but a part of what stands between two blanks."""
        return is_torn(self.text, self.tokens[first].start, self.tokens[last - 1].end, names)

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
    dated = [one for one in times(text, words, clock) if not any(one.clashes(other) for other in quoted)]
    found += [*dated, *shared_months(text, words, dated, clock)]
    found += names(text, words, inside)
    found += stretches(text, words, inside)
    found += tails(text, words, inside)
    found += hours(text, words, inside)
    found += numbered(text, words, inside)
    found += expressions(text, words, inside)
    found += wholes(text, words, inside)
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


LASTING = frozenset(("for", "in", "within", "over", "takes", "take", "took", "lasts"))
"""Before an hour or a week that is as long as it is said: for a week."""
TIMES_SAID = {"once": 1, "twice": 2, "thrice": 3}


def typed(text: str, words: Sequence[Token], at: int, token: Token) -> Iterator[Span]:
    """What one token is by its form."""
    low = token.low
    if token.kind in ("url", "email"):
        yield Span(at, at + 1, token.kind, token.text.rstrip(".,;"), token.text)
        return
    bound = bound_of(words, at, at + 1)
    much = quantity(words, at)
    if token.kind == "number":
        if much is None:
            number = digits_value(words, at)
            yield Span(at, at + 1, "ordinal", number, token.text, unit_of(words, at + 1), bound)
            return
        behind = words[much.last].low if much.last < len(words) else ""
        if behind in ("%", "percent"):
            yield Span(at, much.last + 1, "percent", much.value, token.text, "percent", bound)
            return
        unit = unit_of(words, much.last)
        yield Span(at, much.last, "number", much.value, token.text, unit, bound, is_count(words, at, much.last))
        if isinstance(much.value, int) and 1800 <= much.value <= 2200 and len(token.text) == 4:
            yield Span(at, at + 1, "year", much.value, token.text, "", bound)
        return
    if found := re.fullmatch(r"(?:the-)?(\d{3}0)['’]?s", token.text):
        yield Span(at, at + 1, "decade", int(found[1]), token.text)
    elif low in DECADES:
        yield Span(at, at + 1, "decade", DECADES[low], token.text)
    if found := SUFFIXED.fullmatch(token.text):
        number = float(found["n"]) if re.search(r"[.eE]", found["n"]) else int(found["n"])
        unit = found["unit"].casefold()
        yield Span(at, at + 1, "number", number, token.text, unit, bound)
        if unit in ENDINGS:
            yield Span(at, at + 1, "number", whole(number * ENDINGS[unit]), token.text, unit_of(words, at + 1), bound)
    if much is not None:
        unit = unit_of(words, much.last)
        if unit == "percent":
            yield Span(at, much.last + 1, "percent", much.value, token.text, unit, bound)
        else:
            counts = is_count(words, at, much.last)
            yield Span(at, much.last, "counted", much.value, token.text, unit, bound, counts)
    elif low in ("a", "an") and at and words[at - 1].low in LASTING and unit_of(words, at + 1):
        yield Span(at, at + 1, "counted", 1, token.text, unit_of(words, at + 1), bound)
    elif low in ("a", "an", "one") and unit_of(words, at + 1):
        yield Span(at, at + 1, "one", 1, token.text, unit_of(words, at + 1), bound)
    elif low in TIMES_SAID:
        yield Span(at, at + 1, "counted", TIMES_SAID[low], token.text, "times", bound)
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
