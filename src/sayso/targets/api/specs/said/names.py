"""Names that a request says: runs of capitalised words, and codes with the number behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sayso.targets.api.specs.said.span import Span, capital, listed
from sayso.targets.api.specs.words import Token, stop_words


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
