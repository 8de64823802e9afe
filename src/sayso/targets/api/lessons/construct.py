"""Calls made from a specification (Okapi §3.1.1): every sensible combination of clauses, then values for each.

An outline is a call without values: what `template` tells apart. All outlines of up to so many parameters are listed,
and calls are drawn evenly over them. A range of two comparisons on one property is left out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations, product
from random import Random
from typing import Any

from sayso.core.errors import UnknownName
from sayso.targets.api.lessons.utterance import canonical_sentence, language
from sayso.targets.api.syntax.calls import Call, Clause, Count, Filter, OrderBy, Search, Select, Top, canonical_call
from sayso.targets.api.syntax.schema import DOMAINS, Property, schema

ENGLISH = "english"
ONLY_FIRST = 0.25
"""So many people are called by one name alone."""


@dataclass(frozen=True)
class Outline:
    """A call without its values. Empty text: no such clause."""

    resource: str
    filters: tuple[str, ...] = ()
    search: bool = False
    order: str = ""
    top: bool = False
    select: str = ""
    count: bool = False

    @property
    def parameters(self) -> int:
        """The resource and the clauses, as the paper's tables count them."""
        return 1 + len(self.filters) + sum(map(bool, (self.search, self.order, self.top, self.select, self.count)))


@dataclass(frozen=True)
class Plan:
    """What is made."""

    parameters: int = 4
    select: bool = False
    """Also calls with SELECT, which the paper has and the release has not."""
    seed: int = 0
    values: str = ENGLISH
    """Whose words fill the clauses: english, or a table of data/construct.toml."""


# Okapi §3.1.1: "simple rules can be used to make sure the combination of query options are reasonable".
RULES: Mapping[str, Callable[[Outline], bool]] = {
    "asks for something": lambda one: one.parameters > 1,
    "TOP wants an order": lambda one: bool(one.order) or not one.top,
    "a number has no order and shows nothing": lambda one: not (one.count and (one.order or one.top or one.select)),
    "what is fixed is not shown": lambda one: one.select not in one.filters,
    "what is fixed is not sorted by": lambda one: one.order not in one.filters or _is_time(one.order),
}


def is_sensible(outline: Outline) -> bool:
    return all(holds(outline) for holds in RULES.values())


@cache
def outlines(domain: str, parameters: int = 4, select: bool = False) -> tuple[Outline, ...]:
    """Every sensible outline of a domain with at most so many parameters, short ones first."""
    if domain not in DOMAINS:
        raise UnknownName("domain", domain, DOMAINS)
    offered = schema(domain)
    filters = [one.name for one in offered.properties.values() if one.operators]
    orders = ["", *(one.name for one in offered.properties.values() if one.sorts)]
    selects = ["", *offered.properties] if select else [""]
    searches = (False, True) if _table()["domains"][domain].get("search") else (False,)
    both = (False, True)
    rest = list(product(searches, orders, both, selects, both))
    found = (
        Outline(resource, chosen, *others)
        for size in range(min(parameters, len(filters) + 1))
        for chosen in combinations(filters, size)
        for others in rest
        if 1 + size + sum(map(bool, others)) <= parameters
        for resource in offered.resources
    )
    return tuple(sorted(filter(is_sensible, found), key=lambda one: one.parameters))


@dataclass(frozen=True)
class Constructed:
    """Calls, each with its sentence, and how many outlines they were drawn over."""

    calls: tuple[tuple[Call, str], ...]
    outlines: int


def constructed(domain: str, plan: Plan, n: int) -> Constructed:
    """Up to n calls of a domain in the language of the plan."""
    language(plan.values)  # a wrong name is told first
    known = len(outlines(domain, plan.parameters, plan.select))
    calls = tuple((call, canonical_sentence(call, plan.values)) for call in draw_calls(domain, plan, n))
    return Constructed(calls, known)


def draw_calls(domain: str, plan: Plan, n: int) -> Iterator[Call]:
    """Up to n distinct canonical calls: one of each outline in shuffled order, then a second of each, and so on."""
    order = list(outlines(domain, plan.parameters, plan.select))
    Random(f"{plan.seed} {domain}").shuffle(order)
    seen: set[Call] = set()
    lap, idle = 0, 0
    # Outlines of closed values alone run dry; eight laps without anything new end it.
    while len(seen) < n and idle < 8:
        before = len(seen)
        for outline in order:
            if len(seen) == n:
                return
            call = canonical_call(fill(outline, plan.values, Random(f"{plan.seed} {lap} {outline}")))
            if call not in seen:
                seen.add(call)
                yield call
        lap, idle = lap + 1, 0 if len(seen) > before else idle + 1


def fill(outline: Outline, values: str, random: Random) -> Call:
    """One call with this outline; operators and directions are drawn as well."""
    properties = schema(_domain(outline)).properties
    clauses: list[Clause] = []
    for name in outline.filters:
        operator = random.choice(properties[name].operators)
        clauses.append(Filter(name, operator, draw_value(properties[name], operator, values, random)))
    if outline.search:
        clauses.append(Search(_text("SEARCH", values, random)))
    if outline.order:
        clauses.append(OrderBy(outline.order, random.choice(("asc", "desc"))))
    if outline.top:
        clauses.append(Top(random.choice(_own("numbers", values))))
    if outline.select:
        clauses.append(Select(outline.select))
    if outline.count:
        clauses.append(Count())
    return Call(outline.resource, tuple(clauses))


def draw_value(one: Property, operator: str, values: str, random: Random) -> str:
    """Something that a property may be compared with."""
    if one.values:
        return random.choice(one.values)
    if one.type == "person":
        people = _own("people", values)
        first = str(random.choice(people["first"]))
        alone = random.random() < _table().get(values, {}).get("only_first", ONLY_FIRST) or not first[0].isupper()
        return first if alone else f"{first} {random.choice(people['last'])}"
    if one.type == "time":
        kind, times = _table()["domains"][_owner(one.name)]["times"], _own("times", values)
        return str(random.choice([*times[kind], *(times.get(f"{kind}_compared", []) if operator != "eq" else [])]))
    return _text(one.name, values, random)


def _text(name: str, values: str, random: Random) -> str:
    own = _table()[values] if values != ENGLISH else _table()
    drawn = str(random.choice(own["text"].get(name) or _table()["text"][name]))
    if drawn == "topic":
        topics = own["topics"]
        return f"{random.choice(topics['first'])}{topics['join']}{random.choice(topics['last'])}"
    return drawn.replace("{n}", str(random.randint(1, 400)))


def _own(name: str, values: str) -> Any:
    """What fills clauses: of these values where they have it, else the usual ones."""
    return _table().get(values, {}).get(name) or _table()[name]


def outline_of(call: Call) -> Outline:
    """The inverse of `fill`, for a call that has each clause at most once."""
    kinds = {type(clause): clause for clause in call.clauses}
    order, select = kinds.get(OrderBy), kinds.get(Select)
    offered = list(schema(_domain(call)).properties)
    names = {clause.property for clause in call.clauses if isinstance(clause, Filter)}
    return Outline(
        call.resource,
        tuple(sorted(names, key=offered.index)),
        Search in kinds,
        order.property if isinstance(order, OrderBy) else "",
        Top in kinds,
        select.property if isinstance(select, Select) else "",
        Count in kinds,
    )


def _domain(one: Outline | Call) -> str:
    return next(domain for domain in DOMAINS if one.resource in schema(domain).resources)


def _owner(name: str) -> str:
    return next(domain for domain in DOMAINS if name in schema(domain).properties)


def _is_time(name: str) -> bool:
    """A day is a range: what came in today can still be sorted."""
    return schema(_owner(name)).properties[name].type == "time"


@cache
def _table() -> dict[str, dict]:  # type: ignore[type-arg]
    return tomllib.loads((files("sayso.targets.api") / "data" / "construct.toml").read_text(encoding="utf-8"))
