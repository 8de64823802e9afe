"""Calls as OData queries, and queries as URLs and back, whatever the values hold."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import BadInstruction
from sayso.core.types import Workspace
from sayso.targets.api.corpus.okapi import load_okapi
from sayso.targets.api.requests import Clock
from sayso.targets.api.requests.odata import Query, options_of, query_of, read_url, url_of
from sayso.targets.api.requests.tree import All, Any, Compare, Either, Node, Not, all_of, either_of
from sayso.targets.api.syntax.schema import DOMAINS

CLOCK = Clock(datetime(2026, 11, 16, 11, 30, tzinfo=UTC), ZoneInfo("Europe/Berlin"))
HOSTILE = (
    *("O'Hara", "''", "a&b=c", "x\ny", "100%", "%27", "#1", "Zoë 日本 🦊", "../../etc", "a\\b", 'say "hi"', "$top=9"),
    *("'; DROP TABLE mail; --", "a or 1 eq 1", "x) or (true", "+1 2", "\t", "?", "\x00"),
)

values = st.one_of(
    st.text() | st.sampled_from(HOSTILE),
    st.booleans(),
    st.integers(-(10**9), 10**9),
    st.datetimes(datetime(1900, 1, 1), datetime(2999, 1, 1), timezones=st.just(UTC)),
)
paths = st.sampled_from(["subject", "from/emailAddress/name", "receivedDateTime", "x", "contains"])
compares = st.builds(Compare, paths, st.sampled_from(["eq", "ne", "gt", "ge", "lt", "le"]), values) | st.builds(
    Compare, paths, st.sampled_from(["contains", "startswith", "endswith"]), st.text() | st.sampled_from(HOSTILE)
)
items = st.builds(
    Any, st.just("categories"), st.builds(Compare, st.sampled_from(["", "emailAddress/name"]), st.just("eq"), values)
)
whole = compares | items


def joined(parts: list[Node]) -> Node:
    found = all_of(parts)
    assert found is not None
    return found


trees: st.SearchStrategy[Node] = st.recursive(
    whole,
    lambda inner: (
        st.builds(Not, inner)
        | st.lists(inner, min_size=2, max_size=3).map(joined)
        | st.lists(inner, min_size=2, max_size=3).map(either_of)
    ),
    max_leaves=5,
)
queries = st.builds(
    Query,
    path=st.sampled_from(["/me/messages", "/me/drive/root/children", "/me/drive/root/search(q='a/../b?&#')"]),
    filter=st.none() | trees,
    search=st.text() | st.sampled_from(HOSTILE),
    orderby=st.lists(st.tuples(st.just("start/dateTime"), st.sampled_from(["asc", "desc"])), max_size=2).map(tuple),
    top=st.none() | st.integers(0, 10**9 - 1),
    select=st.sampled_from([(), ("subject",), ("subject", "from")]),
    count=st.booleans(),
    expand=st.sampled_from([(), ("calendar",)]),
)


@given(queries)
def test_every_query_is_read_back_from_its_url(query: Query) -> None:
    url = url_of(query)
    assert read_url(url) == query
    assert url.isascii() and url.isprintable() and not set(" '\"#<>\\^`{|}") & set(url)


@pytest.mark.parametrize("value", HOSTILE)
def test_a_hostile_value_stays_one_value(value: str) -> None:
    query = Query("/me/messages", Compare("subject", "eq", value), search=value)
    parts = urlsplit(url_of(query))
    assert (parts.netloc, parts.path, parts.fragment) == ("graph.microsoft.com", "/v1.0/me/messages", "")
    assert parts.query.count("&") == 1 and parts.query.count("=") == 2
    assert read_url(url_of(query)) == query


@pytest.mark.parametrize(
    ("call", "options"),
    [
        (
            "GET message FILTER message.from eq Anna FILTER message.isRead eq False "
            "ORDERBY message.receivedDateTime desc TOP 5",
            {
                "$filter": "startswith(from/emailAddress/name,'Anna') and isRead eq false",
                "$orderby": "receivedDateTime desc",
                "$top": "5",
            },
        ),
        ("GET message FILTER message.from ne Bo Ek", {"$filter": "from/emailAddress/name ne 'Bo Ek'"}),
        ("GET message FILTER message.from eq a@b.eu", {"$filter": "from/emailAddress/address eq 'a@b.eu'"}),
        ("GET message FILTER message.from ne Bo", {"$filter": "not (startswith(from/emailAddress/name,'Bo'))"}),
        ("GET message FILTER message.importance eq High COUNT", {"$filter": "importance eq 'high'", "$count": "true"}),
        ('GET message SEARCH the "big" one', {"$search": '"the \\"big\\" one"'}),
        (
            "GET message FILTER message.receivedDateTime eq today",
            {"$filter": "receivedDateTime ge 2026-11-15T23:00:00Z and receivedDateTime lt 2026-11-16T23:00:00Z"},
        ),
        (
            "GET event FILTER event.start gt today FILTER event.categories eq it's",
            {"$filter": "start/dateTime ge '2026-11-16T23:00:00' and categories/any(x:x eq 'it''s')"},
        ),
        ("GET event FILTER event.start gt now", {"$filter": "start/dateTime gt '2026-11-16T11:30:00'"}),
        ("GET event FILTER event.start lt Friday", {"$filter": "start/dateTime lt '2026-11-19T23:00:00'"}),
        ("GET event FILTER event.location lacks room", {"$filter": "not (contains(location/displayName,'room'))"}),
        (
            "GET event FILTER event.start ne tomorrow SELECT event.subject SELECT event.start",
            {
                "$filter": "start/dateTime lt '2026-11-16T23:00:00' or start/dateTime ge '2026-11-17T23:00:00'",
                "$select": "subject,start",
            },
        ),
        (
            "GET drive.recent FILTER file.fileType eq doc FILTER file.name eq plan",
            {
                "$filter": "(endswith(name,'.doc') or endswith(name,'.docx')) "
                "and (name eq 'plan' or startswith(name,'plan.'))"
            },
        ),
        (
            "GET drive.root.children FILTER file.name eq plan.txt FILTER file.size gt 1.5 MB",
            {"$filter": "name eq 'plan.txt' and size gt 1572864"},
        ),
        ("GET drive.sharedWithMe FILTER file.sharedWith eq anyone", {"$filter": "shared/scope eq 'anonymous'"}),
    ],
)
def test_a_call_is_what_the_service_is_asked(call: str, options: dict[str, str]) -> None:
    assert options_of(query_of(call, CLOCK)) == options


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("GET folder", "no request asks for folder"),
        ("GET message FILTER message.colour eq red", "no request has a property message.colour"),
        ("GET message FILTER message.isRead eq maybe", "message.isRead is one of true, false"),
        ("GET message FILTER message.isRead gt True", "cannot be compared with gt"),
        ("GET event FILTER event.start eq banana", "'banana' is no time that can be told exactly"),
        ("GET event FILTER event.start contains May", "cannot be compared with contains"),
        ("GET drive.recent FILTER file.size gt big", "compared with a number"),
    ],
)
def test_what_the_service_does_not_have_is_one_line(call: str, message: str) -> None:
    with pytest.raises(BadInstruction, match=message):
        query_of(call, CLOCK)


@pytest.mark.parametrize(
    "rest",
    [
        "?$filter=a%20eq",
        "?$filter=a%20is%201",
        "?$top=x",
        "?$search=a",
        "?$top=1&$top=2",
        "?$skip=1",
        "?$orderby=a%20up",
    ],
)
def test_a_url_that_none_of_ours_is_cannot_be_read(rest: str) -> None:
    with pytest.raises(BadInstruction):
        read_url(f"https://graph.microsoft.com/v1.0/me/messages{rest}")
    with pytest.raises(BadInstruction, match="does not begin with"):
        read_url("https://evil.example/v1.0/me/messages")


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_real_corpus_can_be_asked_for(domain: str, corpora: Path) -> None:
    calls = {one.references[0] for one in load_okapi("length", domain, Workspace(corpora, corpora), "dev")}
    for call in calls:
        query = query_of(call, CLOCK)
        assert read_url(url_of(query)) == query
    assert len(calls) > 10


def test_nothing_is_said_twice() -> None:
    one, other = Compare("a", "eq", 1), Compare("b", "eq", 2)
    assert all_of([All((one, other)), one]) == All((one, other, one))
    assert either_of([Either((one, other)), one]) == Either((one, other, one)) and either_of([one]) == one
    assert all_of([]) is None
