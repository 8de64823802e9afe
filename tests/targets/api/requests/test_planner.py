"""A plan asks the server for what it takes, does the rest on this side, and gives what a whole service would."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.api.requests import Clock
from sayso.targets.api.requests.client import answer_of, done, holds, sorted_rows
from sayso.targets.api.requests.odata import Query, options_of, query_of, read_url
from sayso.targets.api.requests.planner import (
    RULES,
    Find,
    First,
    Keep,
    Number,
    Plan,
    Restrictions,
    Show,
    Sort,
    Step,
    graph_restrictions,
    plan,
)
from sayso.targets.api.requests.tree import Compare, Node, all_of

CLOCK = Clock(datetime(2026, 11, 16, 11, 30, tzinfo=UTC), UTC)


def planned(call: str) -> Plan:
    return plan(query_of(call, CLOCK))


def test_a_search_stands_alone_and_the_rest_is_done_here() -> None:
    found = planned(
        "GET message FILTER message.isRead eq False SEARCH tax ORDERBY message.sentDateTime asc TOP 3 "
        "SELECT message.subject"
    )
    assert options_of(found.server) == {"$search": '"tax"', "$select": "subject,isRead,sentDateTime,id"}
    assert [type(step) for step in found.client] == [Keep, Sort, First, Show]
    assert found.rules == ("search-alone",)
    assert any("$filter" in line for line in found.said) and any("1,000 at most" in line for line in found.said)


@pytest.mark.parametrize(
    ("call", "filter_text"),
    [
        (
            "GET message FILTER message.isRead eq False ORDERBY message.receivedDateTime desc",
            "receivedDateTime ge 1900-01-01T00:00:00Z and isRead eq false",
        ),
        (
            "GET message FILTER message.isRead eq False FILTER message.receivedDateTime gt 2023 "
            "ORDERBY message.receivedDateTime desc",
            "receivedDateTime ge 2024-01-01T00:00:00Z and isRead eq false",
        ),
    ],
)
def test_what_is_sorted_by_leads_the_filter_of_messages(call: str, filter_text: str) -> None:
    found = planned(call)
    assert options_of(found.server)["$filter"] == filter_text
    assert (found.rules, found.client) == (("orderby-leads",), ())


@pytest.mark.parametrize(
    ("call", "rules", "steps"),
    [
        ("GET message FILTER message.receivedDateTime eq today ORDERBY message.receivedDateTime desc", (), ()),
        ("GET message FILTER message.subject contains tax", ("not-filtered",), (Keep,)),
        ("GET message SEARCH tax TOP 5", (), ()),
        ("GET message SEARCH tax COUNT", ("search-alone",), (Number,)),
        ("GET event SEARCH tax FILTER event.importance eq Low TOP 2", ("not-searched",), (Find, First)),
        ("GET event FILTER event.calendar eq Work COUNT", ("not-filtered",), (Keep, Number)),
        ("GET drive.root.children ORDERBY file.size desc TOP 5", (), ()),
        ("GET drive.root.children ORDERBY file.createdDateTime desc TOP 5", ("not-sorted",), (Sort, First)),
        ("GET drive.recent COUNT", ("not-counted",), (Number,)),
        ("GET drive.recent FILTER file.name eq a ORDERBY file.name asc", ("not-filtered", "not-sorted"), (Keep, Sort)),
    ],
)
def test_each_restriction_moves_what_it_must(call: str, rules: tuple[str, ...], steps: tuple[type[Step], ...]) -> None:
    found = planned(call)
    assert found.rules == rules and tuple(type(step) for step in found.client) == steps
    assert bool(found.said) == bool(rules) and set(found.rules) <= set(RULES)


def test_a_calendar_by_name_is_asked_for_beside_its_events() -> None:
    found = planned("GET event FILTER event.calendar eq Work FILTER event.importance eq High")
    assert options_of(found.server) == {"$filter": "importance eq 'high'", "$expand": "calendar"}


texts = st.sampled_from(["a", "B", "ab", "ä", ""])
rows = st.lists(
    st.fixed_dictionaries(
        {"size": st.integers(0, 3), "name": texts | st.none(), "isRead": st.booleans()},
        optional={"subject": texts, "from": st.fixed_dictionaries({"name": texts})},
    ),
    max_size=8,
).map(lambda found: [{**row, "id": str(at)} for at, row in enumerate(found)])
nodes: st.SearchStrategy[Node] = st.one_of(
    st.builds(Compare, st.sampled_from(["name", "from/name"]), st.sampled_from(["eq", "ne", "contains"]), texts),
    st.builds(Compare, st.just("size"), st.sampled_from(["eq", "gt", "le"]), st.integers(0, 3)),
    st.builds(Compare, st.just("isRead"), st.just("eq"), st.booleans()),
)
queries = st.builds(
    Query,
    path=st.just("/things"),
    filter=st.lists(nodes, max_size=3).map(all_of),
    search=st.sampled_from(["", "a", "b"]),
    orderby=st.sampled_from([(), (("size", "desc"),), (("size", "asc"), ("name", "desc"))]),
    top=st.none() | st.integers(0, 4),
    select=st.sampled_from([(), ("name",)]),
    count=st.booleans(),
)
limits = st.builds(
    Restrictions,
    searches=st.booleans(),
    beside=st.sampled_from([("top", "select"), ("filter", "orderby", "top", "select", "count")]),
    filters=st.sampled_from([("*",), (), ("size", "from/name")]),
    functions=st.sampled_from([(), ("contains",)]),
    sorts=st.sampled_from([("*",), (), ("size",)]),
    counts=st.booleans(),
    text=st.just(("subject", "name")),
)


class Server:
    """A service that does all of OData, two rows a page, and refuses what `limits` has."""

    def __init__(self, rows: list[dict[str, object]], limits: Restrictions) -> None:
        self.rows, self.limits = rows, limits

    def get(self, url: str) -> Mapping[str, object]:
        address, _, skip = url.partition("&skip=")
        query = read_url(address)
        self.refuse(query)
        steps: list[Step] = [Keep(query.filter)] if query.filter else []
        steps += [Find(query.search, ("subject", "name"))] if query.search else []
        steps += [Number(), Sort(query.orderby)]
        steps += [First(query.top)] if query.top is not None else []
        steps += [Show(query.select)] if query.select else []
        found, count = done(steps, self.rows)
        at = int(skip or 0)
        page: dict[str, object] = {"value": found[at : at + 2]}
        if query.count:
            page["@odata.count"] = count
        return {**page, "@odata.nextLink": f"{address}&skip={at + 2}"} if at + 2 < len(found) else page

    def refuse(self, query: Query) -> None:
        assert not query.search or self.limits.searches
        if query.search and "filter" not in self.limits.beside:
            assert not (query.filter or query.orderby or query.count)
        assert self.limits.counts or not query.count


@given(rows, queries, limits)
def test_the_rewritten_query_returns_the_same_rows(
    rows: list[dict[str, object]], query: Query, limits: Restrictions
) -> None:
    whole = answer_of(plan(query, Restrictions(text=("subject", "name"))), Server(rows, Restrictions()).get)
    rewritten = plan(query, limits)
    found = answer_of(rewritten, Server(rows, limits).get)
    assert [row["id"] for row in found.rows] == [row["id"] for row in whole.rows]
    assert found.count == whole.count and found.rows == whole.rows
    assert plan(rewritten.server, limits).server == rewritten.server


def test_rows_compare_as_graph_compares_them() -> None:
    row = {"id": "1", "start": {"dateTime": "2026-11-16T09:00:00.0000000"}, "name": "ZOË", "size": 3}
    assert holds(Compare("start/dateTime", "ge", "2026-11-16T09:00:00"), row)
    assert not holds(Compare("start/dateTime", "gt", "2026-11-16T09:00:00"), row)
    assert holds(Compare("name", "eq", "zoë"), row) and holds(Compare("gone", "ne", "x"), row)
    assert not holds(Compare("size", "eq", "3"), row) and not holds(Compare("gone", "lt", 4), row)
    tied = [{"id": one, "size": 1} for one in "bca"]
    assert [row["id"] for row in sorted_rows(tied, (("size", "desc"),))] == ["a", "b", "c"]


def test_every_path_of_a_call_has_restrictions() -> None:
    from sayso.targets.api.requests.graph import graph

    assert set(graph_restrictions()) == set(graph().resources.values())
