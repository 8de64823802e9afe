"""One request, whatever its domain: which one it is, how sure the call is, and what to ask back where two are close."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from sayso.core.types import Candidate, Request
from sayso.targets.api.evidence.unused_words import left_out
from sayso.targets.api.language import explain
from sayso.targets.api.request.beyond import beyond, doubted, doubts_of, names_thing
from sayso.targets.api.request.rewording import named_domains, reword
from sayso.targets.api.request.words import looks, split_words
from sayso.targets.api.syntax.calls import Call, Clause, Filter, Top, canonical_call, parse_call
from sayso.targets.api.syntax.schema import DOMAINS, schema
from sayso.targets.api.syntax.times import FIGURES, is_time
from sayso.targets.api.systems.layout import time_properties
from sayso.targets.api.systems.parse import Parser

OTHERWISE = "say it in other words or with fewer conditions"
SURE = 0.35
"""Below this chance of being right there is no answer."""
CLOSE = 0.5
"""Two readings are close when the second has at least this part of the first's chance."""
LATER = re.compile(r"\b(?:tomorrow|tonight|next (?:week|month|year|weekend|\w+day))\b", re.IGNORECASE)
"""Where no domain is named: mails and files have no time that is to come."""
KNOWN = 0.4
"""A request is of a domain when the domain knows at least this share of its words."""
LEFT_OUT = re.compile(
    r"(?:\bnot|n['’]t) (?:(?:sent|created|made|modified|organi[sz]ed|shared) )?(?:from|by|in|about|(?<=shared )with)\b"
    r"|\b(?:except|excluding|other than|apart from|but not)\b",
    re.IGNORECASE,
)
"""Names and subjects compare with eq alone: none of the three schemas can say all but one."""

NAME_TOO = re.compile(r"april|may|june|august|summer|autumn|dawn|easter|christmas|sunday|friday", re.IGNORECASE)
"""Times that people are named after."""
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
    likeliest, named = likely_domain(text, parsers)
    name = domain or likeliest
    candidates, doubts = measured(text, parsers[name], name, bool(named or domain), k)
    if why := why_not(text, domain, name, named, candidates[0].text, parsers[name]):
        return Asked(name, candidates[:k], True, *why)
    candidates = tuple(replace(one, score=doubted(one.score, doubts)) for one in candidates)
    question = ""
    if len(candidates) > 1 and candidates[1].score >= CLOSE * candidates[0].score:
        question = ask_back(parse_call(candidates[0].text), parse_call(candidates[1].text))
    abstained = candidates[0].score < SURE
    reason = f"no reading is likely enough ({candidates[0].score:.0%}); {OTHERWISE}" if abstained else ""
    return Asked(name, candidates[:k], abstained, question, reason)


def likely_domain(text: str, parsers: Mapping[str, Parser]) -> tuple[str, list[str]]:
    """The domain that a request is most likely of, and those that it names."""
    named = named_domains(text)
    if named:
        return named[0], named
    if LATER.search(text):
        return "calendar", named
    return max(zip(domain_chances(text, list(parsers.values())), DOMAINS, strict=True))[1], named


def measured(
    text: str, parser: Parser, name: str, named: bool, k: int
) -> tuple[tuple[Candidate, ...], tuple[float, ...]]:
    """The readings by a domain's parser, two or more where there are, and what there is to doubt in the first."""
    said = reword(text, name)
    candidates = tuple(parser.translate([Request(said)], max(k, 2))[0])
    first = candidates[0].text
    named = named or names_thing(text)
    return candidates, doubts_of(named, len(left_out(said, first, parser.counts)), not parse_call(first).clauses)


def why_not(
    text: str, domain: str, name: str, named: Sequence[str], call: str, parser: Parser
) -> tuple[str, str] | None:
    """A question and a reason where a request has no answer, however sure the parser is."""
    if not domain and len(named) > 1:
        one, other = (schema(each).gloss for each in named[:2])
        return f"Is this about {one} or {other}?", f"it speaks of {one} and {other}"
    if without := LEFT_OUT.search(text):
        return "", f'no call can leave something out ("{without[0]}")'
    if untold := beyond(text, name):
        return "", untold
    if known_words(reword(text, name), parser.vocabulary) < KNOWN:
        return "", f"this does not ask for {', '.join(schema(one).gloss for one in DOMAINS)}"
    if unsound := _unsound(call):
        return "", unsound
    return None


def _unsound(call: str) -> str:
    """Why a call cannot be what was asked for, whatever its chance: calls of train have times in words alone."""
    for clause in parse_call(call).clauses:
        if isinstance(clause, Top) and clause.number == 0:
            return "TOP 0 asks for nothing"
        if isinstance(clause, Filter) and clause.property in PEOPLE_AND_PLACES:
            if FIGURES.fullmatch(clause.value):
                return f"a day or an hour in figures ({clause.value}) cannot be asked for"
            if is_time(clause.value) and not NAME_TOO.fullmatch(clause.value):
                return f"{clause.value} is a time, and was read as a person or a place"
            if not any(letter.isalpha() for letter in clause.value):
                return f"{clause.value} is no person and no place"
        if isinstance(clause, Filter) and clause.property in time_properties() and not is_time(clause.value):
            return f"{clause.value} is no time"
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
