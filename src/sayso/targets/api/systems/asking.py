"""One request, whatever its domain: which one it is, how sure the call is, and what to ask back where two are close."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate, Request
from sayso.targets.api.evidence.unused_words import left_out
from sayso.targets.api.language import explain
from sayso.targets.api.request.around import Lifted, added, joined, lift
from sayso.targets.api.request.beyond import beyond, doubted, doubts_of, names_thing
from sayso.targets.api.request.rewording import QUOTED, named_domains, reword, without_firms
from sayso.targets.api.request.times_said import ANY_DAY, is_exact
from sayso.targets.api.request.words import looks, split_words
from sayso.targets.api.requests.odata import query_of_call, url_of
from sayso.targets.api.syntax.calls import (
    Call,
    Clause,
    Filter,
    Search,
    Top,
    canonical_call,
    parse_call,
    readable,
    reads_back,
)  # fmt: skip
from sayso.targets.api.syntax.schema import DOMAINS, domain_of, schema
from sayso.targets.api.syntax.times import FIGURES, is_time
from sayso.targets.api.systems.layout import TIMES, time_properties
from sayso.targets.api.systems.parse import Parser

OTHERWISE = "say it in other words or with fewer conditions"
SURE = 0.35
"""Below this chance of being right there is no answer."""
CLOSE = 0.5
"""Two readings are close when the second has at least this part of the first's chance."""
LATER = re.compile(r"\b(?:tomorrow|tonight|next (?:week|month|year|weekend|\w+day))\b", re.IGNORECASE)
"""Where no domain is named: mails and files have no time that is to come."""
THINGS = re.compile(
    r"\b(?:(?P<calendar>meetings?|appointments?|agenda)|(?P<email>inbox)|(?P<document>pdfs?|documents?|spreadsheets?|slides"
    r"|presentations?|powerpoints?|images?|photos?|pictures?|archives))\b",
    re.IGNORECASE,
)
"""Where no domain is named by its own word."""
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
PEOPLE = frozenset(one.name for domain in DOMAINS for one in schema(domain).properties.values() if one.type == "person")
PEOPLE_AND_PLACES = PEOPLE | {"event.location"}
OR_WORD = re.compile(r"\b\w+ or (?!so\b|later\b|earlier\b|more\b|less\b|newer\b|older\b)\w+", re.IGNORECASE)
OR = re.compile(r"\s+or\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    domain: str
    candidates: tuple[Candidate, ...]
    """Scores are chances of being right."""
    abstained: bool
    question: str = ""
    reason: str = ""
    plain: str = ""
    """The request without the phrases that were read apart from the parser."""


def ask(text: str, domain: str, k: int, parsers: Mapping[str, Parser]) -> Asked:
    """Ask one domain's parser, or the likeliest domain's where none is named; firms go through it as one word."""
    plain, firms = without_firms(text)
    if not firms:
        return ask_plain(text, domain, k, parsers)
    found = ask_plain(plain, domain, k, parsers)
    candidates = tuple(replace(one, text=with_firms(one.text, firms)) for one in found.candidates)
    return replace(found, candidates=candidates, plain=found.plain and with_words(found.plain, firms))


def with_words(text: str, firms: Mapping[str, str]) -> str:
    for plain, firm in firms.items():
        text = re.sub(rf"\b{re.escape(plain)}\b", firm, text, flags=re.IGNORECASE)
    return text


def with_firms(text: str, firms: Mapping[str, str]) -> str:
    """A call with the firms in its values."""
    call = parse_call(text)
    clauses = tuple(
        replace(one, value=with_words(one.value, firms)) if isinstance(one, Filter | Search) else one
        for one in call.clauses
    )
    return str(canonical_call(Call(call.resource, clauses)))


def ask_plain(text: str, domain: str, k: int, parsers: Mapping[str, Parser]) -> Asked:
    likeliest, named = likely_domain(text, parsers)
    name = domain or likeliest
    lifted = lift(text, name, known_times(parsers[name]))
    candidates, doubts, unsaid = measured(lifted, parsers[name], name, bool(named or domain), k)
    why = ("", unsaid) if unsaid else why_not(lifted, domain, name, named, candidates[0].text, parsers[name])
    if why:
        return Asked(name, candidates[:k], True, *why, plain=lifted.base)
    candidates = tuple(replace(one, score=doubted(one.score, doubts)) for one in candidates)
    question = ""
    if len(candidates) > 1 and candidates[1].score >= CLOSE * candidates[0].score:
        question = ask_back(parse_call(candidates[0].text), parse_call(candidates[1].text))
    abstained = candidates[0].score < SURE
    reason = f"no reading is likely enough ({candidates[0].score:.0%}); {OTHERWISE}" if abstained else ""
    return Asked(name, candidates[:k], abstained, question, reason, lifted.base)


def likely_domain(text: str, parsers: Mapping[str, Parser]) -> tuple[str, list[str]]:
    """The domain that a request is most likely of, and those that it names."""
    named = named_domains(text)
    if named:
        return named[0], named
    if LATER.search(text):
        return "calendar", named
    if thing := THINGS.search(text):
        return next(name for name, found in thing.groupdict().items() if found), named
    return max(zip(domain_chances(text, list(parsers.values())), DOMAINS, strict=True))[1], named


def measured(
    lifted: Lifted, parser: Parser, name: str, named: bool, k: int
) -> tuple[tuple[Candidate, ...], tuple[float, ...], str]:
    """The readings by a domain's parser, two or more where there are, what there is to doubt in the first, and what of
    the request cannot be said."""
    said = [reword(text, name) for text in lifted.texts]
    candidates, *others = parser.translate([Request(text) for text in said], max(k, 2))
    first = parse_call(candidates[0].text)
    clauses, unsaid = added(lifted, name, [first, *(parse_call(one[0].text) for one in others)])
    sure = min([1.0, *(one[0].score for one in others)])
    if clauses:
        whole = [joined(parse_call(one.text), clauses) for one in candidates]
        if not reads_back(whole[0]):
            unsaid = unsaid or "words of it would be read as more of a call"
        candidates = [
            replace(one, text=str(canonical_call(readable(call))), score=min(one.score, sure))
            for one, call in zip(candidates, whole, strict=True)
        ]
    named = named or names_thing(lifted.base)
    doubts = doubts_of(named, len(left_out(said[0], str(first), parser.counts)), not (first.clauses or clauses))
    return tuple(candidates), doubts, unsaid


def known_times(parser: Parser) -> frozenset[str]:
    """What a parser reads as a time as it stands, case folded."""
    return frozenset(value.casefold() for value in parser.values.known.get(TIMES, {}).values())


def why_not(
    lifted: Lifted, domain: str, name: str, named: Sequence[str], call: str, parser: Parser
) -> tuple[str, str] | None:
    """A question and a reason where a request has no answer, however sure the parser is."""
    if not domain and len(named) > 1:
        one, other = (schema(each).gloss for each in named[:2])
        return f"Is this about {one} or {other}?", f"it speaks of {one} and {other}"
    text = lifted.base
    if without := LEFT_OUT.search(text):
        return "", f'no call can leave something out ("{without[0]}")'
    if untold := beyond(text, name):
        return "", untold
    if max(known_words(reword(one, name), parser.vocabulary) for one in lifted.texts) < KNOWN:
        return "", f"this does not ask for {', '.join(schema(one).gloss for one in DOMAINS)}"
    if unsound := _unsound(call) or _dropped_or(text, call):
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
        if isinstance(clause, Filter | Search) and OR.search(clause.value) and not _names_people(clause):
            return f'no call can say or ("{clause.value}")'
        if isinstance(clause, Filter) and clause.property in time_properties() and not _tells_time(clause.value):
            return f"{clause.value} is no time"
    return ""


def _dropped_or(text: str, call: str) -> str:
    """Why a call is not all that was asked for: two things were, and it is about one."""
    found = OR_WORD.search(QUOTED.sub("", text))
    return f'no call can say or ("{found[0]}")' if found and not OR.search(call) else ""


def _tells_time(value: str) -> bool:
    return is_time(value) or is_exact(value)


def _names_people(clause: Clause) -> bool:
    """Of people several can be named: each is a word or two with a capital, or an address."""
    if not isinstance(clause, Filter) or clause.property not in PEOPLE:
        return False
    return all(len(one.split()) <= 3 for one in OR.split(clause.value))


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


def come_to_one(one: Call, other: Call) -> bool:
    """Whether the same is sent for both: for `between May and July`, and for what is not before May and up to July."""
    try:
        return url_of(query_of_call(one, ANY_DAY)) == url_of(query_of_call(other, ANY_DAY))
    except BadInstruction:
        return False


def ask_back(one: Call, other: Call) -> str:
    """What the two readings differ in, as a question: sorted by arrival, or by sending?"""
    if come_to_one(one, other):
        return ""
    first, second = (set(canonical_call(call).clauses) for call in (one, other))
    mine = told(one, [each for each in one.clauses if each not in second])
    theirs = told(other, [each for each in other.clauses if each not in first])
    if one.resource != other.resource:
        mine, theirs = (schema(domain_of(each.resource)).resources[each.resource] for each in (one, other))
    if mine and theirs:
        return f"Which is meant: {mine}, or {theirs}?"
    return f"Is this meant too: {mine or theirs}?"


def told(call: Call, clauses: Sequence[Clause]) -> str:
    return " and ".join(explain(f"GET {call.resource} {clause}")[1].gloss for clause in clauses)
