"""The service answers OData as written, in pages, by id where nothing else is said, and one line to what it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("odata_query")
pytest.importorskip("sqlalchemy")
pytest.importorskip("starlette")

from sayso.targets.api.requests.client import holds, sorted_rows
from sayso.targets.api.requests.graph import graph
from sayso.targets.api.requests.planner import graph_restrictions
from sayso.targets.api.requests.tree import All, Any, Compare, Either, Node, Not, filter_text
from sayso.targets.api.service.app import ROOT, open_service
from sayso.targets.api.service.calling import Client, client_of
from sayso.targets.api.service.metadata import CSDL, metadata
from sayso.targets.api.service.model import Row, graph_model

MESSAGES = f"{ROOT}/me/messages"
NAMES = ("Ada Moreau", "O'Brien", "Bo", "Zoë 100%")
ROWS: list[Row] = [
    {
        "id": f"m{n:02}",
        "subject": f"Annual  report {n}" if n % 2 else "lunch",
        "bodyPreview": "see the annual plan" if n % 3 else 'a "quoted" word',
        "from/emailAddress/name": NAMES[n % 4],
        "from/emailAddress/address": f"{n % 4}@example.org",
        "toRecipients": ("Bo Ek <bo@example.org>", "Ada <ada@example.org>") if n % 4 == 0 else ("Bo <b@example.org>",),
        "categories": ("Red", "Work trips") if n % 3 == 0 else ("Blue",) if n % 3 == 1 else (),
        "importance": ("low", "normal", "high")[n % 3],
        "isRead": n % 2 == 0,
        "hasAttachments": n % 5 == 0,
        "sentDateTime": f"2026-05-{n % 7 + 1:02}T10:00:00Z",
        "receivedDateTime": f"2026-05-{20 - n:02}T08:30:00Z",
    }
    for n in range(14)
]


@pytest.fixture(scope="module")
def client() -> Client:
    return client_of(open_service(graph_model(), {"me/messages": ROWS}))


def asked(client: Client, options: Mapping[str, str], path: str = MESSAGES) -> tuple[int, dict[str, object]]:
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in options.items())
    answer = client.get(f"{path}?{query}")
    return answer.status, answer.read()


def ids(client: Client, **options: str) -> list[str]:
    status, found = asked(client, {f"${name}": value for name, value in options.items()})
    assert status == 200, found
    rows = found["value"]
    assert isinstance(rows, list)
    return [row["id"] for row in rows]


@pytest.mark.parametrize(
    ("filter_", "found"),
    [
        ("from/emailAddress/name eq 'o''brien' and isRead eq false", "01 05 09 13"),
        ("categories/any(x:x eq 'work TRIPS') and isRead eq true", "00 06 12"),
        ("not categories/any()", "02 05 08 11"),
        ("toRecipients/any(x:x/emailAddress/name eq 'bo EK') and isRead eq true", "00 04 08 12"),
        ("toRecipients/all(x:startswith(x/emailAddress/address,'b@')) and importance eq 'high'", "02 05 11"),
        ("categories/all(x:x eq 'Blue') and importance eq 'normal'", "01 04 07 10 13"),
        ("receivedDateTime ge 2026-05-18T08:30:00Z", "00 01 02"),
        ("receivedDateTime gt 2026-05-18T10:30:00+02:00", "00 01"),
        ("contains(from/emailAddress/name,'%') and hasAttachments", ""),
        ("startswith(from/emailAddress/name,'ZOË') and endswith(subject,'7')", "07"),
        ("importance in ('low','high') and isRead and not (hasAttachments eq true)", "02 06 08 12"),
        ("subject eq 'lunch' or subject eq 'Annual  report 1'", "00 01 02 04 06 08 10 12"),
    ],
)
def test_filters_find_what_they_say(client: Client, filter_: str, found: str) -> None:
    assert ids(client, filter=filter_) == [f"m{number}" for number in found.split()]


def test_options_sort_cut_count_show_and_search(client: Client) -> None:
    assert ids(client, orderby="sentDateTime desc", top="4") == ["m06", "m13", "m05", "m12"], "ties are broken by id"
    assert ids(client, orderby="importance,sentDateTime desc", top="2", skip="1") == ["m11", "m02"]
    assert ids(client, search='"annual report"', top="2") == ["m01", "m03"]
    assert ids(client, search=r'"a \"quoted\" word" report') == ["m03", "m09"]
    status, found = asked(
        client, {"$filter": "isRead eq true", "$count": "true", "$top": "1", "$select": "from,subject"}
    )
    assert status == 200 and found["@odata.count"] == 7
    sender = {"emailAddress": {"name": "Ada Moreau", "address": "0@example.org"}}
    assert found["value"] == [{"id": "m00", "subject": "lunch", "from": sender}]
    assert client.get(f"{MESSAGES}/$count?$filter=isRead%20eq%20true").body == b"7"


@pytest.mark.parametrize(("top", "skip"), [(None, 0), (9, 0), (5, 3), (0, 0), (50, 12)])
def test_pages_together_are_the_whole(client: Client, top: int | None, skip: int) -> None:
    options = {"$orderby": "sentDateTime desc", "$skip": str(skip), "$count": "true"}
    options |= {"$top": str(top)} if top is not None else {}
    _, whole = asked(client, options)
    url = f"{MESSAGES}?" + "&".join(f"{name}={quote(value)}" for name, value in options.items())
    rows: list[object] = []
    pages = 0
    while url:
        page = client.get(url, (("prefer", "odata.maxpagesize=4"),)).read()
        assert len(page["value"]) <= 4 and page["@odata.count"] == 14
        rows, url, pages = [*rows, *page["value"]], page.get("@odata.nextLink", ""), pages + 1
    assert rows == whole["value"] and pages == max(1, -(-len(rows) // 4))


def test_the_metadata_document_names_every_field_and_set() -> None:
    model = graph_model()
    schema = ElementTree.fromstring(metadata(model)).find(f".//{{{CSDL}}}Schema")
    assert schema is not None
    types = {
        one.get("Name", ""): {part.get("Name", ""): part.get("Type", "") for part in one.findall(f"{{{CSDL}}}Property")}
        for one in schema
        if one.tag != f"{{{CSDL}}}EntityContainer"
    }
    for kind in model.types.values():
        for path in kind.fields:
            place = kind.name
            for name in path.split("/"):
                place = types[place][name].removeprefix(f"{model.namespace}.")
            assert place.startswith(("Edm.", "Collection(Edm.")) or place == f"Collection({model.namespace}.recipient)"
    assert types["recipient_emailAddress"] == {"name": "Edm.String", "address": "Edm.String"}
    assert [one.get("Name") for one in schema.iter(f"{{{CSDL}}}EntitySet")] == list(model.sets)


def test_every_path_of_a_request_is_served_and_searched_as_the_planner_searches() -> None:
    model = graph_model()
    assert {path.strip("/") for path in graph().resources.values()} == set(model.sets)
    fields = {path for kind in model.types.values() for path in kind.fields}
    assert {one.path for one in graph().properties.values()} <= fields
    for path, known in graph_restrictions().items():
        kind = model.sets[path.strip("/")]
        assert [one for one in known.text if one in kind.fields] == list(kind.search)


texts = st.sampled_from([*NAMES, "bo", "", "'", "lunch"])
compares: st.SearchStrategy[Node] = st.one_of(
    st.builds(
        Compare,
        st.sampled_from(["subject", "from/emailAddress/name", "importance"]),
        st.sampled_from(["eq", "ne", "gt", "le", "contains", "startswith", "endswith"]),
        texts,
    ),
    st.builds(Compare, st.sampled_from(["isRead", "hasAttachments"]), st.sampled_from(["eq", "ne"]), st.booleans()),
    st.builds(
        Compare,
        st.sampled_from(["sentDateTime", "receivedDateTime"]),
        st.sampled_from(["eq", "gt", "ge", "lt", "le"]),
        st.integers(1, 20).map(lambda day: datetime(2026, 5, day, 10, tzinfo=UTC)),
    ),
    st.builds(Any, st.just("categories"), st.builds(Compare, st.just(""), st.sampled_from(["eq", "contains"]), texts)),
)
nodes = st.recursive(
    compares,
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: All(tuple(parts))),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: Either(tuple(parts))),
    ),
    max_leaves=5,
)


@settings(max_examples=60)
@given(nodes, st.sampled_from(["", "importance desc", "from/emailAddress/name"]))
def test_any_filter_gives_the_rows_that_it_is_true_of(client: Client, node: Node, order: str) -> None:
    options = {"filter": filter_text(node), **({"orderby": order} if order else {})}
    _, everything = asked(client, {})
    whole = everything["value"]
    assert isinstance(whole, list)
    path, _, way = order.partition(" ")
    kept = [row for row in whole if holds(node, row)]
    wanted = sorted_rows(kept, [(path, way or "asc")]) if order else kept
    assert ids(client, **options) == [row["id"] for row in wanted]
