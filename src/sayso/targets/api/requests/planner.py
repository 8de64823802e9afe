"""What a service refuses of a query, as data, and the query rewritten: a part for the server, the rest for this side.

Graph refuses `$search` beside `$filter` or `$orderby` on messages, wants what is sorted by to lead `$filter` there,
does not search events, and filters nothing of a drive (`data/graph_restrictions.toml`).
"""

from __future__ import annotations

import tomllib
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files

from sayso.targets.api.requests.odata import Query
from sayso.targets.api.requests.tree import FUNCTIONS, All, Any, Compare, Either, Node, Not, all_of, paths_of

EARLIEST = datetime(1900, 1, 1, tzinfo=UTC)
RULES = {
    "search-alone": "$search takes neither $filter nor $orderby nor $count beside it",
    "orderby-leads": "what $orderby sorts by must lead $filter",
    "not-searched": "this is not searched by the server",
    "not-filtered": "this is not filtered by the server",
    "not-sorted": "this is not sorted so by the server",
    "not-counted": "this is not counted by the server",
}
"""What a plan may have been rewritten by."""


@dataclass(frozen=True)
class Restrictions:
    """Of one path; with nothing said, a service that refuses nothing."""

    searches: bool = True
    beside: tuple[str, ...] = ("filter", "orderby", "top", "select", "count")
    filters: tuple[str, ...] = ("*",)
    unfiltered: tuple[str, ...] = ()
    functions: tuple[str, ...] = FUNCTIONS
    leads: bool = False
    sorts: tuple[str, ...] = ("*",)
    counts: bool = True
    expands: Mapping[str, str] = field(default_factory=dict)
    text: tuple[str, ...] = ("subject", "bodyPreview", "name")
    page: int = 100
    most_found: int = 0
    """So many results a search gives at most; 0: all."""


@dataclass(frozen=True)
class Keep:
    """Keeps the rows of which this is true."""

    node: Node


@dataclass(frozen=True)
class Find:
    """Keeps the rows that have these words, as they stand and whatever their case, in one of these properties."""

    words: str
    paths: tuple[str, ...]


@dataclass(frozen=True)
class Number:
    """Counts the rows."""


@dataclass(frozen=True)
class Sort:
    """By each path in turn, ties by id."""

    by: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class First:
    n: int


@dataclass(frozen=True)
class Show:
    """Leaves only these properties."""

    names: tuple[str, ...]


Step = Keep | Find | Number | Sort | First | Show


@dataclass(frozen=True)
class Plan:
    server: Query
    client: tuple[Step, ...] = ()
    """What is done on this side, in order, with all pages of the answer."""
    said: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    """Those of `RULES` that had to be kept."""
    page: int = 100


def plan(query: Query, restrictions: Restrictions | None = None) -> Plan:
    """The query as the server takes it; without restrictions, those of Graph for its path."""
    known = graph_restrictions().get(query.path, Restrictions()) if restrictions is None else restrictions
    rules: list[str] = []
    said: list[str] = []

    def rule(name: str, what: str) -> None:
        rules.extend([name] if name not in rules else [])
        said.append(what)

    server, client = query, list[Step]()
    kept, searched = query.filter, False
    if query.search and not known.searches:
        rule("not-searched", f"{query.path} has no $search: {query.search!r} is looked for on this side")
        server, searched = replace(server, search=""), True
    alone = bool(server.search)
    if alone and kept is not None and "filter" not in known.beside:
        rule("search-alone", "$search takes no $filter beside it: filtered on this side")
        server = replace(server, filter=None)
    elif kept is not None:
        able, unable = _parted(kept, known)
        if unable:
            rule("not-filtered", f"{query.path} does not filter by {', '.join(_names(unable))}: filtered on this side")
        server, kept = replace(server, filter=all_of(able)), all_of(unable)
    if kept is not None:
        client.append(Keep(kept))
    if searched:
        client.append(Find(query.search, known.text))
    fewer = bool(client)
    if query.count and (fewer or not known.counts or (alone and "count" not in known.beside)):
        if not fewer:
            rule("search-alone" if alone and known.counts else "not-counted", "counted on this side")
        client.append(Number())
        server = replace(server, count=False)
    if query.orderby and (why := _unsorted(query.orderby, known, alone)):
        refused = "$search takes no $orderby beside it" if alone else f"{query.path} does not sort so"
        rule(why, f"{refused}: sorted on this side")
        client.append(Sort(query.orderby))
        server = replace(server, orderby=())
    if query.top is not None and client:
        # The server would cut before this side has looked.
        client.append(First(query.top))
        server = replace(server, top=None)
    if known.leads and server.filter is not None and server.orderby:
        led = _led(server.filter, [path for path, _ in server.orderby])
        if led != server.filter:
            rule("orderby-leads", "what is sorted by leads $filter, as the server wants it")
            server = replace(server, filter=led)
    server, client = _shown(server, client, known)
    if client:
        said.append("what is left to this side needs every page of the answer, by @odata.nextLink")
        if server.search and known.most_found:
            said.append(f"the server finds {known.most_found:,} at most")
    return Plan(server, tuple(client), tuple(said), tuple(rules), known.page)


def _unsorted(order: Sequence[tuple[str, str]], known: Restrictions, alone: bool) -> str:
    """The rule that keeps this order from the server, or ""."""
    if alone and "orderby" not in known.beside:
        return "search-alone"
    return "" if "*" in known.sorts or all(path in known.sorts for path, _ in order) else "not-sorted"


def _parted(node: Node, known: Restrictions) -> tuple[list[Node], list[Node]]:
    """What must all hold, parted by whether the server can tell."""
    parts = node.parts if isinstance(node, All) else (node,)
    able = [one for one in parts if _able(one, known)]
    return able, [one for one in parts if one not in able]


def _able(node: Node, known: Restrictions) -> bool:
    match node:
        case Compare(path, operator):
            return (
                _listed(path, known)
                and path not in known.expands
                and (operator not in FUNCTIONS or operator in known.functions)
            )
        case Any(path, each):
            return _listed(path, known) and (each.operator not in FUNCTIONS or each.operator in known.functions)
        case Not(part):
            return _able(part, known)
        case All(parts) | Either(parts):
            return all(_able(one, known) for one in parts)


def _listed(path: str, known: Restrictions) -> bool:
    return ("*" in known.filters or path in known.filters) and path not in known.unfiltered


def _names(nodes: Sequence[Node]) -> list[str]:
    return list(dict.fromkeys(path for node in nodes for path in paths_of(node)))


def _led(node: Node, paths: Sequence[str]) -> Node:
    """Conditions on what is sorted by first, in its order; one that is always true where there is none."""
    parts = list(node.parts) if isinstance(node, All) else [node]
    first: list[Node] = []
    for path in paths:
        mine = [one for one in parts if isinstance(one, Compare) and one.path == path]
        first += mine or [Compare(path, "ge", EARLIEST if path.endswith("DateTime") else "")]
        parts = [one for one in parts if one not in mine]
    found = all_of([*first, *parts])
    assert found is not None
    return found


def _shown(server: Query, client: list[Step], known: Restrictions) -> tuple[Query, list[Step]]:
    """Asks for what this side looks at, and hides it again where it was not asked for."""
    looked = [path for step in client for path in _looked_at(step)]
    beside = tuple(dict.fromkeys(known.expands[path] for path in looked if path in known.expands))
    server = replace(server, expand=(*server.expand, *beside))
    if not server.select or not looked:
        return server, client
    wanted = (*server.select, *(path.split("/")[0] for path in looked), "id")
    more = tuple(one for one in dict.fromkeys(wanted) if one not in beside)
    return replace(server, select=more), [*client, Show(server.select)]


def _looked_at(step: Step) -> tuple[str, ...]:
    match step:
        case Keep(node):
            return paths_of(node)
        case Find(_, paths):
            return paths
        case Sort(by):
            return tuple(path for path, _ in by)
        case _:
            return ()


@cache
def graph_restrictions() -> dict[str, Restrictions]:
    """By path."""
    table = tomllib.loads((files("sayso.targets.api") / "data" / "graph_restrictions.toml").read_text(encoding="utf-8"))
    return {path: _restrictions(entry) for path, entry in table.items()}


def _restrictions(entry: dict[str, typing.Any]) -> Restrictions:
    lists = ("beside", "filters", "unfiltered", "functions", "sorts", "text")
    return Restrictions(**{**entry, **{name: tuple(entry[name]) for name in lists if name in entry}})
