"""One request, whatever its domain: which one it is, how sure the call is, and what to ask back where two are close."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from sayso.core.types import Candidate, Request
from sayso.targets.api._calls import Call, Clause, Filter, Top, canonical_call, parse_call
from sayso.targets.api._schema import DOMAINS, schema
from sayso.targets.api.language import explain
from sayso.targets.api.parser.parse import Parser
from sayso.targets.api.parser.rewording import named_domains, reword
from sayso.targets.api.parser.words import looks, split_words

SURE = 0.35
"""Below this chance of being right there is no answer."""
CLOSE = 0.5
"""Two readings are close when the second has at least this part of the first's chance."""
KNOWN = 0.4
"""A request is of a domain when the domain knows at least this share of its words."""
LEFT_OUT = re.compile(
    r"(?:\bnot|n['’]t) (?:(?:sent|created|made|modified|organi[sz]ed|shared) )?(?:from|by|in|about|(?<=shared )with)\b"
    r"|\b(?:except|excluding|other than|apart from|but not)\b",
    re.IGNORECASE,
)
"""Names and subjects compare with eq alone: none of the three schemas can say all but one."""

MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
CLOCK = re.compile(
    rf"\d{{1,2}}(?::\d\d)? ?[ap]\.?m\.?|\d{{1,2}}:\d\d|(?:19|20)\d\d|\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTHS}(?:,? \d{{4}})?|{MONTHS} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?",
    re.IGNORECASE,
)
PEOPLE_AND_PLACES = frozenset(
    one.name
    for domain in DOMAINS
    for one in schema(domain).properties.values()
    if one.type == "person" or one.name.endswith(".location")
)


@dataclass(frozen=True)
class Asked:
    domain: str
    candidates: tuple[Candidate, ...]
    """Scores are chances of being right."""
    abstained: bool
    question: str = ""
    reason: str = ""


def ask(text: str, domain: str, k: int, parsers: Mapping[str, Parser]) -> Asked:
    """Ask one domain's parser, or the likeliest domain's where none is named."""
    named = named_domains(text)
    shares = domain_chances(text, list(parsers.values()))
    likeliest = max(zip(shares, DOMAINS, strict=True))[1]
    name = domain or (named[0] if named else likeliest)
    parser = parsers[name]
    said = reword(text, name)
    candidates = tuple(parser.translate([Request(said)], max(k, 2))[0])
    if not domain and len(named) > 1:
        one, other = (schema(each).gloss for each in named[:2])
        return Asked(name, candidates[:k], True, f"Is this about {one} or {other}?", f"it speaks of {one} and {other}")
    if without := LEFT_OUT.search(text):
        return Asked(name, candidates[:k], True, reason=f'no call can leave something out ("{without[0]}")')
    if known_words(said, parser.vocabulary) < KNOWN:
        offers = ", ".join(schema(one).gloss for one in DOMAINS)
        return Asked(name, candidates[:k], True, reason=f"this does not ask for {offers}")
    if unsound := _unsound(candidates[0].text):
        return Asked(name, candidates[:k], True, reason=unsound)
    question = ""
    if len(candidates) > 1 and candidates[1].score >= CLOSE * candidates[0].score:
        question = ask_back(parse_call(candidates[0].text), parse_call(candidates[1].text))
    abstained = candidates[0].score < SURE
    reason = f"no reading is likely enough ({candidates[0].score:.0%})" if abstained else ""
    return Asked(name, candidates[:k], abstained, question, reason)


def _unsound(call: str) -> str:
    """Why a call cannot be what was asked for, whatever its chance: calls of train have times in words alone."""
    for clause in parse_call(call).clauses:
        if isinstance(clause, Top) and clause.number == 0:
            return "TOP 0 asks for nothing"
        if isinstance(clause, Filter) and clause.property in PEOPLE_AND_PLACES and CLOCK.fullmatch(clause.value):
            return f"a day or an hour in figures ({clause.value}) cannot be asked for"
    return ""


def domain_chances(text: str, parsers: Sequence[Parser]) -> list[float]:
    """Naive Bayes over the words that are no values, each domain as likely as the other."""
    words = [looks(word.text) for word in split_words(text)]
    scores = []
    for parser in parsers:
        total = sum(parser.counts.values()) + 1.0
        scores.append(sum(math.log((parser.counts.get(word, 0) + 0.5) / total) for word in words))
    top = max(scores)
    weights = [math.exp(max(score - top, -50.0)) for score in scores]
    return [weight / sum(weights) for weight in weights]


def known_words(text: str, vocabulary: Container[str]) -> float:
    words = [looks(word.text) for word in split_words(text) if word.text[0].isalpha()]
    return sum(word in vocabulary for word in words) / len(words) if words else 0.0


def ask_back(one: Call, other: Call) -> str:
    """What the two readings differ in, as a question: sorted by arrival, or by sending?"""
    first, second = (set(canonical_call(call).clauses) for call in (one, other))
    mine = told(one, [each for each in one.clauses if each not in second])
    theirs = told(other, [each for each in other.clauses if each not in first])
    if one.resource != other.resource:
        offered = schema(next(domain for domain in DOMAINS if one.resource in schema(domain).resources)).resources
        mine, theirs = offered[one.resource], offered[other.resource]
    if mine and theirs:
        return f"Which is meant: {mine}, or {theirs}?"
    return f"Is this meant too: {mine or theirs}?"


def told(call: Call, clauses: Sequence[Clause]) -> str:
    return " and ".join(explain(f"GET {call.resource} {clause}")[1].gloss for clause in clauses)
