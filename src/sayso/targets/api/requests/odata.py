"""A call as an OData v4 query of Microsoft Graph, and the query as a URL, exactly escaped, and back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from sayso.core.errors import BadInstruction
from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.requests.conditions import condition
from sayso.targets.api.requests.graph import graph
from sayso.targets.api.requests.stretches import stretch_of
from sayso.targets.api.requests.tree import Node, all_of, filter_text, read_filter
from sayso.targets.api.syntax.calls import Call, Count, Filter, OrderBy, Search, Select, Top, parse_call

SAFE = "(),:/$@*"
"""Left as they are in an option; a quote is not, so that the whole URL can stand between a shell's quotes."""


@dataclass(frozen=True)
class Query:
    path: str
    """/me/messages"""
    filter: Node | None = None
    search: str = ""
    orderby: tuple[tuple[str, str], ...] = ()
    """(path, asc or desc)"""
    top: int | None = None
    select: tuple[str, ...] = ()
    count: bool = False
    expand: tuple[str, ...] = ()
    """What the planner wants to see beside a thing; no call asks for it."""


def query_of(call: str, clock: Clock) -> Query:
    """A call in our notation as a query; raises BadInstruction where the service has no such thing or no such time."""
    return query_of_call(parse_call(call), clock)


def query_of_call(call: Call, clock: Clock) -> Query:
    if call.resource not in graph().resources:
        raise BadInstruction(f"no request asks for {call.resource}", hint=f"known: {', '.join(graph().resources)}")
    clauses = call.clauses
    tops = [one.number for one in clauses if isinstance(one, Top)]
    return Query(
        path=graph().resources[call.resource],
        filter=all_of(condition(one, clock) for one in clauses if isinstance(one, Filter)),
        search=" ".join(one.value for one in clauses if isinstance(one, Search)),
        orderby=tuple((path_of(one.property), one.direction) for one in clauses if isinstance(one, OrderBy)),
        top=min(tops) if tops else None,
        select=tuple(dict.fromkeys(path_of(one.property).split("/")[0] for one in clauses if isinstance(one, Select))),
        count=any(isinstance(one, Count) for one in clauses),
    )


def times_told(call: str, clock: Clock) -> list[str]:
    """What the words of time in a call stand for: last week is 2026-11-09 00:00 to 2026-11-16 00:00 (Europe/Berlin)"""
    found = []
    for clause in parse_call(call).clauses:
        mapped = graph().properties.get(clause.property) if isinstance(clause, Filter) else None
        if isinstance(clause, Filter) and mapped and mapped.written in ("time", "wall"):
            span = stretch_of(clause.value, clock, mapped.ahead)
            start, end = (one.astimezone(clock.zone).strftime("%Y-%m-%d %H:%M") for one in (span.start, span.end))
            found.append(f"{clause.value} is {start}{'' if span.is_moment else f' to {end}'} ({clock.zone})")
    return list(dict.fromkeys(found))


def path_of(name: str) -> str:
    """event.start -> start/dateTime"""
    if name not in graph().properties:
        raise BadInstruction(f"no request has a property {name}", hint=f"known: {', '.join(graph().properties)}")
    return graph().properties[name].path


def options_of(query: Query) -> dict[str, str]:
    """$filter, $search … as they stand before they are escaped, in the order of the URL."""
    options = {}
    if query.search:
        words = query.search.replace("\\", "\\\\").replace('"', '\\"')
        options["$search"] = f'"{words}"'
    if query.filter is not None:
        options["$filter"] = filter_text(query.filter)
    if query.orderby:
        options["$orderby"] = ",".join(f"{path} {way}" for path, way in query.orderby)
    if query.top is not None:
        options["$top"] = str(query.top)
    if query.select:
        options["$select"] = ",".join(query.select)
    if query.expand:
        options["$expand"] = ",".join(query.expand)
    if query.count:
        options["$count"] = "true"
    return options


def url_of(query: Query, root: str = "") -> str:
    """https://graph.microsoft.com/v1.0/me/messages?$filter=isRead%20eq%20false&$top=5"""
    try:
        parts = [f"{name}={quote(value, safe=SAFE)}" for name, value in options_of(query).items()]
        path = quote(query.path, safe="/$")
    except UnicodeEncodeError as error:
        raise BadInstruction(f"a value holds what is no character ({error.reason})") from error
    return (root or graph().root) + path + ("?" + "&".join(parts) if parts else "")


def read_url(url: str, root: str = "") -> Query:
    """The inverse of `url_of`; raises BadInstruction at what none of ours has."""
    start = root or graph().root
    if not url.startswith(f"{start}/"):
        raise BadInstruction(f"the URL does not begin with {start}", url, 0)
    path, _, rest = url.removeprefix(start).partition("?")
    given: dict[str, str] = {}
    for part in rest.split("&") if rest else ():
        name, equals, value = part.partition("=")
        name = unquote(name)
        if not equals or name in given or name not in OPTIONS:
            raise BadInstruction(
                f"{name[:40]!r} is given twice, has no value or is unknown", url, hint=", ".join(OPTIONS)
            )
        given[name] = unquote(value, errors="strict")
    return Query(
        path=unquote(path),
        filter=read_filter(given["$filter"]) if "$filter" in given else None,
        search=_read_search(given.get("$search", '""')),
        orderby=tuple(_read_order(one) for one in given["$orderby"].split(",")) if "$orderby" in given else (),
        top=_read_number(given["$top"]) if "$top" in given else None,
        select=tuple(given["$select"].split(",")) if "$select" in given else (),
        count=given.get("$count", "false") == "true",
        expand=tuple(given["$expand"].split(",")) if "$expand" in given else (),
    )


OPTIONS = ("$search", "$filter", "$orderby", "$top", "$select", "$expand", "$count")


def _read_search(text: str) -> str:
    found = re.fullmatch(r'"((?:[^"\\]|\\["\\])*)"', text)
    if not found:
        raise BadInstruction("$search: the words stand between double quotes", text, 0)
    return re.sub(r"\\(.)", r"\1", found[1])


def _read_order(text: str) -> tuple[str, str]:
    path, _, way = text.strip().partition(" ")
    if way not in ("", "asc", "desc"):
        raise BadInstruction(f"$orderby: {way!r} is neither asc nor desc", text, 0)
    return path, way or "asc"


def _read_number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise BadInstruction(f"$top: {text[:40]!r} is no number", text, 0)
    return int(text)
