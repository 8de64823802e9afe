"""What a call asks for, resolved: a resource and triples of property, operator and value, as people's requests are
annotated (`data/own/README.md`), and as a query of the service.

Two readings are alike where they say the same in another order: bounds of one property are drawn together, one that
cannot cut anything off (received before now) falls away, and text is compared without regard to case.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sayso.targets.api.requests import tree
from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.requests.conditions import condition
from sayso.targets.api.requests.graph import graph
from sayso.targets.api.requests.odata import Query
from sayso.targets.api.requests.tree import Compare, Either, Node, Not, all_of, either_of
from sayso.targets.api.syntax.calls import Count, Filter, OrderBy, Search, Select, Top, parse_call

PEOPLE = {
    "from": "from/emailAddress", "sender": "from/emailAddress", "organizer": "organizer/emailAddress",
    "createdBy": "createdBy/user", "lastModifiedBy": "lastModifiedBy/user", "sharedBy": "shared/sharedBy/user",
}  # fmt: skip
COLLECTIONS = {"toRecipients": "toRecipients", "ccRecipients": "ccRecipients", "attendees": "attendees"}
SHORT = {
    "location": "location/displayName", "start": "start/dateTime", "end": "end/dateTime",
    "sharedDateTime": "shared/sharedDateTime",
}  # fmt: skip
WALLS = ("start/dateTime", "end/dateTime")
PAST = ("receivedDateTime", "sentDateTime", "createdDateTime", "lastModifiedDateTime", "shared/sharedDateTime")
BOUNDS = {"ge": 0, "gt": 0, "lt": 1, "le": 1}


@dataclass(frozen=True)
class Read:
    """A reading in the one form that readings are compared in."""

    resource: str
    conditions: frozenset[str]
    search: str
    orderby: tuple[str, ...]
    top: int | None
    select: frozenset[str]
    count: bool


def path_of(name: str) -> str:
    """from.name -> from/emailAddress/name; attendees.name -> attendees"""
    first, _, rest = name.partition(".")
    if first in COLLECTIONS:
        return COLLECTIONS[first]
    if first in PEOPLE:
        ends = {"address": "email" if PEOPLE[first].endswith("user") else "address"}
        return f"{PEOPLE[first]}/{ends.get(rest, 'displayName' if PEOPLE[first].endswith('user') else 'name')}"
    return SHORT.get(name, name.replace(".", "/"))


def node_of(part: Any) -> Node:
    """A condition of an annotation: [property, operator, value], {"any": …} or {"not": …}."""
    if isinstance(part, Mapping):
        if "any" in part:
            return either_of(node_of(one) for one in part["any"])
        inside = part["not"]
        return Not(node_of(inside if isinstance(inside[0], str) else inside[0]))
    name, operator, value = part[0], part[1], "" if part[2] is None else part[2]
    path = path_of(name)
    first = name.partition(".")[0]
    if name.endswith("DateTime") or path in WALLS:
        moment = datetime.fromisoformat(value).astimezone(UTC)
        return Compare(path, operator, moment.replace(tzinfo=None).isoformat() if path in WALLS else moment)
    if first in COLLECTIONS:
        each = person("emailAddress/name", "emailAddress/address", operator, value)
        found = tree.Any(path, Compare(each.path, "eq" if each.operator == "ne" else each.operator, each.value))
        return Not(found) if operator == "ne" else found
    if first in PEOPLE:
        return person(path, path_of(f"{first}.address"), operator, value)
    if name == "categories":
        found = tree.Any(path, Compare("", "eq" if operator == "ne" else operator, value))
        return Not(found) if operator == "ne" else found
    return Compare(path, operator, value)


def person(path: str, address: str, operator: str, value: str) -> Compare:
    """As calls have it: an address is an address, and one word is how a name begins."""
    if "@" in value:
        return Compare(address, operator, value)
    return Compare(path, "startswith" if operator == "eq" and " " not in value else operator, value)


def query_of_reading(row: Mapping[str, Any]) -> Query:
    """An annotation as a query of the service."""
    order = row.get("orderby") or []
    return Query(
        path=row["resource"],
        filter=all_of(node_of(part) for part in row.get("filters", [])),
        search=row.get("search") or "",
        orderby=((path_of(order[0]), order[1]),) if order else (),
        top=row.get("top"),
        select=tuple(dict.fromkeys(path_of(name).split("/")[0] for name in row.get("select") or ())),
        count=bool(row.get("count")),
    )


def read_query(query: Query, now: datetime) -> Read:
    """A query as what it is compared by."""
    parts = query.filter.parts if isinstance(query.filter, tree.All) else (query.filter,) if query.filter else ()
    bounds: dict[tuple[str, int], tuple[Any, str]] = {}
    said = set()
    for part in parts:
        if isinstance(part, Compare) and part.operator in BOUNDS and is_time(part.path):
            side = BOUNDS[part.operator]
            key = (part.path, side)
            mine = (moment_of(part.value), part.operator)
            if side and part.path in PAST and mine[0] >= now:
                continue
            held = bounds.get(key)
            bounds[key] = mine if held is None else (min if side else max)(held, mine)
        else:
            said.add(folded(part))
    said |= {f"{path} {operator} {moment.isoformat()}" for (path, _), (moment, operator) in bounds.items()}
    order = tuple(f"{path} {way}" for path, way in query.orderby)
    search = " ".join(query.search.casefold().split())
    return Read(query.path, frozenset(said), search, order, query.top, frozenset(query.select), query.count)


def is_time(path: str) -> bool:
    return path in WALLS or path.endswith("DateTime")


def moment_of(value: tree.Value) -> datetime:
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    return datetime.fromisoformat(str(value)).replace(tzinfo=UTC)


def folded(node: Node) -> str:
    """A condition as text, in one order and without regard to case; an ending is what a name contains."""
    match node:
        case Either(parts):
            return json.dumps(sorted(folded(one) for one in parts))
        case tree.All(parts):
            return json.dumps(["all", *sorted(folded(one) for one in parts)])
        case Not(part):
            return f"not {folded(part)}"
        case tree.Any(path, each):
            return f"{path} any {folded(each)}"
        case Compare(path, "endswith", value) if path == "name":
            return f"name contains {str(value).casefold()}"
        case Compare(path, operator, value):
            return f"{path} {operator} {str(value).casefold()}"


def reading_of_call(text: str, clock: Clock) -> Query:
    """A call in our notation as a query that is compared with annotations: a file's name is the name as it is said,
    and a type is one ending."""
    clauses = parse_call(text).clauses
    order: list[tuple[str, str]] = []
    parts: list[Node] = []
    for one in clauses:
        match one:
            case Filter(name, operator, value) if name == "file.name":
                parts.append(
                    Not(Compare("name", "contains", value)) if operator == "lacks" else Compare("name", operator, value)
                )
            case Filter(name, "eq", value) if name == "file.fileType":
                kinds = value.split(" or ")
                parts.append(either_of(Compare("name", "contains", f".{one_ending(one)}") for one in kinds))
            case Filter():
                parts.append(condition(one, clock))
            case OrderBy(name, way):
                order.append((graph().properties[name].path, way))
            case _:
                pass
    tops = [one.number for one in clauses if isinstance(one, Top)]
    return Query(
        path=graph().resources[parse_call(text).resource],
        filter=all_of(parts),
        search=" ".join(one.value for one in clauses if isinstance(one, Search)),
        orderby=tuple(order),
        top=min(tops) if tops else None,
        select=tuple(
            dict.fromkeys(
                graph().properties[one.property].path.split("/")[0] for one in clauses if isinstance(one, Select)
            )
        ),
        count=any(isinstance(one, Count) for one in clauses),
    )


def one_ending(value: str) -> str:
    """The ending that a type is mostly written with: of word the new one."""
    known: Sequence[str] = graph().endings.get(value.casefold().strip(". "), (value.strip(". "),))
    return max(known, key=len) if len(known) == 2 and known[1].startswith(known[0]) else known[0]
