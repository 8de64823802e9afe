"""The language of Okapi's API calls: canonical form, template, grains, risk, check, explain. Pure functions of text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sayso.core.errors import BadInstruction
from sayso.core.types import Draft, Finding, Grain, Note, Risk
from sayso.english.grains import from_subtokens, to_subtokens
from sayso.targets.api.review.validate import call_findings
from sayso.targets.api.syntax.calls import (
    KEYWORDS,
    OPERATORS,
    WORD,
    Call,
    Clause,
    Count,
    Filter,
    OrderBy,
    Search,
    Select,
    Top,
    canonical_call,
    kind_rank,
    parse_call,
    read_call,
)
from sayso.targets.api.syntax.schema import Schema, domain_of, known_names, schema

RUN = re.compile(r"\S+|\s+")
COMPARISONS = {
    "eq": "is", "ne": "is not", "gt": "is after", "ge": "is not before", "lt": "is before", "le": "is up to",
    "contains": "contains", "lacks": "does not contain", "startswith": "starts with", "endswith": "ends with",
}  # fmt: skip


def normalise(text: str) -> str:
    """GET message TOP 5 COUNT -> the same call with its clauses in one order, each once; raises BadInstruction."""
    return str(canonical_call(parse_call(text)))


def fold(text: str) -> str:
    """The canonical form without regard to case, as people type names and categories."""
    call = parse_call(text)
    folded = tuple(_folded(clause) for clause in call.clauses)
    return str(canonical_call(Call(call.resource, folded)))


def _folded(clause: Clause) -> Clause:
    if isinstance(clause, Filter):
        return Filter(clause.property, clause.operator, clause.value.casefold())
    return Search(clause.value.casefold()) if isinstance(clause, Search) else clause


def clauses(text: str) -> list[str]:
    """The resource and every clause, case folded: the items of clause precision and recall."""
    call = parse_call(text)
    return [call.resource, *sorted({str(_folded(clause)) for clause in call.clauses})]


def template(text: str) -> str:
    """Parameters and their properties alone, in one order: GET message FILTER message.from _ TOP _

    Okapi §3.2 leaves open whether operators and directions count; without them the counts are nearest to table 5's.
    """
    call = parse_call(text)
    parts = sorted({(kind_rank(clause), _without_value(clause)) for clause in call.clauses})
    return " ".join(["GET", call.resource, *(part for _, part in parts)])


def _without_value(clause: Clause) -> str:
    match clause:
        case Filter(name) | OrderBy(name):
            return f"{'FILTER' if isinstance(clause, Filter) else 'ORDERBY'} {name} _"
        case Search():
            return "SEARCH _"
        case Top():
            return "TOP _"
        case Select() | Count():
            return str(clause)


def split(text: str, grain: Grain) -> list[str]:
    """Words parted by single blanks; any other gap is a token of its own, so that `join` gives the text back."""
    if grain == "char":
        return list(text)
    found = RUN.findall(text)
    tokens = [run for at, run in enumerate(found) if run != " " or at in (0, len(found) - 1)]
    return tokens if grain == "token" else to_subtokens(tokens, _stays_whole)


def join(parts: Sequence[str], grain: Grain) -> str:
    """The inverse of `split`."""
    if grain == "char":
        return "".join(parts)
    text, after_word = "", False
    for token in parts if grain == "token" else from_subtokens(parts):
        text += f" {token}" if after_word and not token.isspace() else token
        after_word = not token.isspace()
    return text


def _stays_whole(token: str) -> bool:
    """Keywords, operators and the names of a schema are no constants."""
    return token in KEYWORDS or token in OPERATORS or token.isspace() or token in known_names()


def risk(text: str) -> Risk:
    """A GET reads; what cannot be read is never called safe."""
    try:
        parse_call(text)
    except BadInstruction:
        return Risk("unknown", ())
    return Risk("reads", ())


def check(text: str) -> list[Finding]:
    """Unknown properties with near misses, TOP without ORDERBY, values of the wrong type; the error of a bad call."""
    try:
        return call_findings(text)
    except BadInstruction as error:
        return [Finding(error.message, max(error.offset, 0), max(error.offset, 0))]


def drafts(texts: Sequence[str]) -> list[Draft]:
    """The `draft` of the target."""
    return [draft(text) for text in texts]


def draft(text: str) -> Draft:
    try:
        call = parse_call(text)
    except BadInstruction as error:
        return Draft(text, text.strip(), Risk("unknown"), tuple(check(text)), error.message)
    return Draft(text, str(canonical_call(call)), Risk("reads"), tuple(check(text)), tree=call)


def explain(text: str) -> list[Note]:
    """Clause by clause, in words; a call that cannot be read has no notes."""
    try:
        resource, spans = read_call(text)
    except BadInstruction:
        return []
    first, second = list(WORD.finditer(text))[:2]
    domain = domain_of(resource)
    offered = schema(domain) if domain else None
    what = offered.resources[resource] if offered else "a resource that is not known"
    head = Note(text[first.start() : second.end()], f"asks for {what}", first.start(), second.end())
    return [head, *(Note(text[one.start : one.end], _gloss(one.clause, offered), one.start, one.end) for one in spans)]


def _gloss(clause: Clause, offered: Schema | None) -> str:
    def called(name: str) -> str:
        found = offered.find(name) if offered else None
        return found.gloss if found else name

    match clause:
        case Filter(name, operator, value):
            return f"keeps those whose {called(name)} {COMPARISONS[operator]} {value}"
        case Search(value):
            return f"keeps those that speak of {value}"
        case OrderBy(name, direction):
            return f"sorts by {called(name)}, {'lowest or oldest' if direction == 'asc' else 'highest or newest'} first"
        case Top(number):
            return f"keeps the first {number}"
        case Select(name):
            return f"shows only the {called(name)}"
        case Count():
            return "counts instead of listing"
