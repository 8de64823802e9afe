"""A call as what is learnt of its request: which words are values, how each compares, and what is chosen.

Values are spans of the request, tagged by property; an operator is told for every span. The rest is chosen: what is
asked for (or why nothing is), flags, types of files, the order, what is shown and counted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sayso.targets.api.request.words import Word, split_words
from sayso.targets.api.syntax.calls import OPERATORS, Call, Clause, Count, Filter, OrderBy, Search, Select, Top
from sayso.targets.api.syntax.schema import DOMAINS, Property, domain_of, schema
from sayso.targets.api.systems.align import find_number, find_value
from sayso.targets.api.systems.wording.sizes import read_size

SEARCH, TOP = "SEARCH", "TOP"
RESOURCE, BY, WAY, COUNT, FIRST, COMING = "GET", "ORDERBY by", "ORDERBY way", "COUNT", "TOP 1", "now"
TYPE, SELECT = "file.fileType ", "SELECT "
COMING_VALUE = "now"
NOTHING = ("deed", "off", "beyond")
"""Why a request has no call: something is to be done, it is about other things, or no call can say it."""
TYPES = (
    *("pdf", "doc", "docx", "xlsx", "xls", "pptx", "ppt", "txt", "csv", "zip", "image", "video", "audio"),
    *("jpg", "jpeg", "png", "gif", "mp3", "mp4"),
)
"""Kinds of files that are said in words of their own; another is the ending that is said."""
OR = re.compile(r"\s+or\s+", re.IGNORECASE)
LONGEST_SIZE = 5


@cache
def spans() -> tuple[str, ...]:
    """What words may be values of."""
    return (*(one.name for one in properties() if not one.values), SEARCH, TOP)


@cache
def properties() -> tuple[Property, ...]:
    return tuple(one for name in DOMAINS for one in (*schema(name).properties.values(), *schema(name).beside.values()))


@cache
def kinds() -> Mapping[str, str]:
    """property -> text, person, time, number or closed"""
    return {one.name: one.type for one in properties()}


@cache
def choices() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Slots and their values; saying nothing is choice 0."""
    resources = tuple(name for domain in DOMAINS for name in schema(domain).resources)
    able = [one for one in properties() if one.sorts or one.also_sorts]
    return (
        (RESOURCE, (*resources, *NOTHING)),
        *((one.name, one.values) for one in properties() if one.values),
        *((TYPE + one, ("eq", "ne")) for one in TYPES),
        (BY, tuple(one.name for one in able)),
        (WAY, ("asc", "desc")),
        (COUNT, ("yes",)),
        (FIRST, ("yes",)),
        (COMING, ("gt", "lt")),
        *((SELECT + one.name, ("yes",)) for one in properties()),
    )


def domain_of_slot(slot: str) -> str:
    """The domain that a slot belongs to, "" where it is of all."""
    name = slot.removeprefix(SELECT).split()[0]
    return next((one for one in DOMAINS if schema(one).find(name)), "calendar" if slot == COMING else "")


@dataclass(frozen=True)
class Lesson:
    words: tuple[str, ...]
    tags: tuple[int, ...]
    """0 outside, 2i + 1 the first and 2i + 2 a further word of a value of span i."""
    operators: tuple[int, ...]
    """At the first word of a value its operator, elsewhere -1."""
    choices: tuple[int, ...]
    whole: bool
    """Whether the call says nothing but this."""


def lesson_of(request: str, call: Call | None, nothing: str = "") -> Lesson:
    """What is to be learnt of a request with its call, or with the reason why it has none."""
    words = split_words(request)
    tags, operators = [0] * len(words), [-1] * len(words)
    picked: dict[str, str] = {RESOURCE: call.resource if call else nothing}
    whole = True
    clauses = sorted(call.clauses, key=_length, reverse=True) if call else []
    for one in clauses:
        for value in _parts(one):
            found = _choice(one, value)
            if found is not None:
                slot, pick = found
                whole &= picked.setdefault(slot, pick) == pick
                if isinstance(one, OrderBy):
                    picked[WAY] = one.direction
                continue
            name, operator = _span_of(one)
            place = _find(words, tags, name, value)
            if place is None:
                whole = False
                continue
            tag = 2 * spans().index(name) + 1
            tags[place[0] : place[1]] = [tag, *([tag + 1] * (place[1] - place[0] - 1))]
            operators[place[0]] = OPERATORS.index(operator)
    numbers = []
    for slot, values in choices():
        pick = picked.pop(slot, "")
        whole &= not pick or pick in values
        numbers.append(values.index(pick) + 1 if pick in values else 0)
    return Lesson(tuple(one.text for one in words), tuple(tags), tuple(operators), tuple(numbers), whole and not picked)


def _length(clause: Clause) -> int:
    """Long values are found first, so that a short one cannot take a word out of them."""
    return len(clause.value) if isinstance(clause, Filter | Search) else 0


def _parts(clause: Clause) -> list[str]:
    """Ann or Bo Ek -> Ann, Bo Ek"""
    match clause:
        case Filter(name, _, value) if kinds().get(name) == "person" or name == "file.fileType":
            return OR.split(value)
        case Filter(_, _, value) | Search(value):
            return [value]
        case Top(number):
            return [str(number)]
        case _:
            return [""]


def _choice(clause: Clause, value: str) -> tuple[str, str] | None:
    """The slot and the value of what is chosen; None for what is copied."""
    match clause:
        case Filter("file.fileType", operator, _) if value.casefold() in TYPES:
            return TYPE + value.casefold(), operator
        case Filter("event.start", operator, value) if value == COMING_VALUE:
            return COMING, operator
        case Filter(name, _, _) if kinds().get(name) == "closed":
            closed = {one.casefold(): one for one in next(each for each in properties() if each.name == name).values}
            return name, closed.get(value.casefold(), value)
        case OrderBy(name, _):
            return BY, name
        case Count():
            return COUNT, "yes"
        case Select(name):
            return SELECT + name, "yes"
        case Top(1):
            return FIRST, "yes"
        case _:
            return None


def _span_of(clause: Clause) -> tuple[str, str]:
    if isinstance(clause, Filter):
        return clause.property, clause.operator
    return (SEARCH if isinstance(clause, Search) else TOP), "eq"


def _find(words: Sequence[Word], tags: Sequence[int], name: str, value: str) -> tuple[int, int] | None:
    if name not in spans():
        return None
    if name == TOP:
        return find_number(words, tags, int(value))
    if kinds().get(name) == "number":
        return _find_size(words, tags, value)
    return find_value(words, tags, value)


def _find_size(words: Sequence[Word], tags: Sequence[int], value: str) -> tuple[int, int] | None:
    """The words that come to this size, the fewest there are."""
    wanted = read_size(value)
    for length in range(1, LONGEST_SIZE + 1):
        for at in range(len(words) - length + 1):
            said = " ".join(word.text for word in words[at : at + length])
            if not any(tags[at : at + length]) and wanted is not None and read_size(said) == wanted:
                return at, at + length
    return None


@dataclass(frozen=True)
class Span:
    """A value as it is read: of what, how it compares, and the characters that say it."""

    name: str
    operator: str
    value: str
    start: int
    end: int


def call_of(picked: Mapping[str, str], found: Sequence[Span], text: str) -> Call:
    """The call that these come to. Persons who are joined by `or` are one value."""
    clauses: list[Clause] = []
    held: dict[tuple[str, str], Span] = {}
    for one in sorted(found, key=lambda one: one.start):
        if one.name == SEARCH:
            clauses.append(Search(one.value))
        elif one.name == TOP:
            clauses.append(Top(int(one.value)))
        else:
            before = held.get((one.name, one.operator))
            last = clauses[-1] if clauses else None
            if before and isinstance(last, Filter) and is_or(before, one, text):
                clauses[-1] = Filter(one.name, one.operator, f"{last.value} or {one.value}")
            else:
                clauses.append(Filter(one.name, one.operator, one.value))
            held[one.name, one.operator] = one
    clauses += _chosen(picked, has_top=any(isinstance(one, Top) for one in clauses))
    return Call(picked[RESOURCE], tuple(clauses))


def is_or(before: Span, one: Span, text: str) -> bool:
    between = text[before.end : one.start]
    return kinds().get(one.name) == "person" and re.search(r"\bor\b|,\s*$", between, re.IGNORECASE) is not None


def _chosen(picked: Mapping[str, str], has_top: bool) -> list[Clause]:
    clauses: list[Clause] = []
    types: dict[str, list[str]] = {}
    for slot, value in picked.items():
        if slot.startswith(TYPE):
            types.setdefault(value, []).append(slot.removeprefix(TYPE))
        elif slot.startswith(SELECT):
            clauses.append(Select(slot.removeprefix(SELECT)))
        elif slot == BY:
            clauses.append(OrderBy(value, picked[WAY]))
        elif slot == COUNT:
            clauses.append(Count())
        elif slot == FIRST and not has_top:
            clauses.append(Top(1))
        elif slot == COMING:
            clauses.append(Filter("event.start", value, COMING_VALUE))
        elif kinds().get(slot) == "closed":
            clauses.append(Filter(slot, "eq", value))
    for operator, values in types.items():
        if operator == "eq":
            clauses.append(Filter("file.fileType", "eq", " or ".join(values)))
        else:
            clauses += [Filter("file.fileType", operator, one) for one in values]
    return clauses


def domain_of_resource(resource: str) -> str:
    return "" if resource in NOTHING else domain_of(resource)
