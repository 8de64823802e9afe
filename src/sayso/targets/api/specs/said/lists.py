"""Things of one kind with commas and `and` between them, ranges, and what stands in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sayso.targets.api.specs.said.span import CLOSERS, RANGED, Span
from sayso.targets.api.specs.words import Token


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
