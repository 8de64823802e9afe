"""What a reader would point at in a call that can be read: the clause, what is wrong with it, and the near misses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sayso.core.types import Finding
from sayso.targets.api.syntax.calls import Filter, OrderBy, Search, Select, Span, Top, read_call
from sayso.targets.api.syntax.schema import DOMAINS, Property, Schema, domain_of, schema
from sayso.targets.api.syntax.times import is_time, near_time

QUOTES = "\"'“”‘’ "
"""Values stand without them, so that what has nothing else is empty."""


def call_findings(text: str) -> list[Finding]:
    """Raises BadInstruction where the call cannot be read at all."""
    resource, spans = read_call(text)
    domain = domain_of(resource)
    if not domain:
        known = [name for one in DOMAINS for name in schema(one).resources]
        start = text.index(resource, text.index("GET") + 3)
        others = near_misses(resource, known) or f"; there are {', '.join(known)}"
        return [Finding(f"no resource {resource}{others}", start, start + len(resource))]
    return [Finding(message, span.start, span.end) for span in spans for message in _wrong(span, spans, schema(domain))]


def _wrong(span: Span, spans: list[Span], offered: Schema) -> Iterator[str]:
    clause = span.clause
    if isinstance(clause, Top):
        if clause.number == 0:
            yield "TOP 0 asks for nothing"
        if not any(isinstance(other.clause, OrderBy) for other in spans):
            yield "TOP without ORDERBY: the first of what order?"  # paper, §3.1.1
        if any(isinstance(other.clause, Top) and other.start < span.start for other in spans):
            yield "a second TOP"
    elif isinstance(clause, Search):
        if not clause.value.strip(QUOTES):
            yield "SEARCH looks for nothing: its value is empty"
    elif isinstance(clause, Filter | OrderBy | Select):
        found = offered.find(clause.property)
        if found is None:
            yield f"{offered.gloss} have no property {clause.property}{_near_property(clause.property, offered)}"
        elif isinstance(clause, Filter):
            yield from _wrong_filter(clause, found)
        elif isinstance(clause, OrderBy) and not (found.sorts or found.also_sorts):
            able = ", ".join(one.name for one in offered.properties.values() if one.sorts)
            yield f"{offered.gloss} cannot be sorted by {clause.property}; they can by {able}"


def _wrong_filter(clause: Filter, found: Property) -> Iterator[str]:
    able = " or ".join((*found.operators, *found.also)) or "nothing"
    if clause.operator not in (*found.operators, *found.also):
        yield f"{clause.property} compares with {able}, not with {clause.operator}"
    if not clause.value.strip(QUOTES):
        yield f"{clause.property} is compared with an empty value"
        return
    folded = {value.casefold(): value for value in found.values}
    if found.values and clause.value.casefold() not in folded:
        yield f"{clause.property} is one of {', '.join(found.values)}, not {clause.value}"
    if found.type == "time" and not is_time(clause.value):
        near = near_time(clause.value)
        yield (
            f"{clause.property} is compared with a time (today, last Friday, 2024-05-03), and {clause.value} is none"
            + (f"; did you mean {near}?" if near else "")
        )


def _near_property(name: str, offered: Schema) -> str:
    """Also finds the property of another domain, and the one whose last part is right."""
    same_end = [one for one in offered.properties if one.rpartition(".")[2] == name.rpartition(".")[2]]
    if same_end:
        return f"; did you mean {same_end[0]}?"
    owner = next((one for one in DOMAINS if name in schema(one).properties), "")
    if owner:
        return f"; that is a property of {schema(owner).gloss}"
    return near_misses(name, offered.properties)


def near_misses(name: str, known: Iterable[str]) -> str:
    """ "; did you mean a or b?", or nothing where nothing is near"""
    from difflib import get_close_matches  # only a wrong name pays for it

    near = get_close_matches(name, sorted(known), n=2, cutoff=0.6)
    return f"; did you mean {' or '.join(near)}?" if near else ""
