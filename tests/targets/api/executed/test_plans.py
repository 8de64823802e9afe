"""A plan asks a service that refuses what Graph refuses for nothing that it refuses, and gets the same rows."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("odata_query")
pytest.importorskip("sqlalchemy")
pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from benchmarks.call_mutants import train_calls
from benchmarks.call_plans import Compared, compare

from sayso.core.types import Unscored
from sayso.targets.api.executed.judge import CLOCKS
from sayso.targets.api.executed.seeding import seeded
from sayso.targets.api.requests.client import answer_of
from sayso.targets.api.requests.odata import query_of, url_of
from sayso.targets.api.requests.planner import Restrictions, plan
from sayso.targets.api.service.app import ROOT, open_service
from sayso.targets.api.service.calling import client_of, served
from sayso.targets.api.service.model import graph_model
from sayso.targets.api.service.restricted import as_graph

REFUSED = {
    "GET message SEARCH tax FILTER message.isRead eq False": "SearchWithFilter",
    "GET message SEARCH tax ORDERBY message.receivedDateTime desc TOP 4": "SearchWithOrderBy",
    "GET message SEARCH tax COUNT": "BadRequest",
    "GET message FILTER message.isRead eq False ORDERBY message.receivedDateTime desc TOP 3": "InefficientFilter",
    "GET message FILTER message.subject contains tax": "ErrorInvalidUrlQueryFilter",
    "GET event SEARCH tax FILTER event.importance eq Low TOP 2": "BadRequest",
    "GET event FILTER event.calendar eq Work COUNT": "BadRequest",
    "GET drive.recent FILTER file.fileType eq pdf": "notSupported",
    "GET drive.root.children ORDERBY file.createdDateTime desc TOP 3": "notSupported",
    "GET drive.sharedWithMe COUNT": "invalidRequest",
}
TAKEN = (
    "GET message SEARCH tax TOP 4 SELECT message.subject",
    "GET message FILTER message.receivedDateTime eq today ORDERBY message.receivedDateTime desc COUNT",
    "GET event FILTER event.start gt now FILTER event.location eq Ada's office ORDERBY event.start asc",
    "GET drive.root.children ORDERBY file.size desc TOP 5",
)


@pytest.mark.parametrize("call", REFUSED)
def test_what_graph_refuses_is_rewritten_to_the_same_rows(call: str) -> None:
    assert compare(call) == Compared(plan(query_of(call, CLOCKS[0])).rules, refused=True, same=True)
    strict = client_of(open_service(graph_model(), {}, as_graph))
    answer = strict.get(url_of(query_of(call, CLOCKS[0]), ROOT))
    assert (answer.status, answer.read()["error"]["code"]) == (400, REFUSED[call])


@pytest.mark.parametrize("call", TAKEN)
def test_what_graph_takes_is_left_alone(call: str) -> None:
    assert compare(call) == Compared((), refused=False, same=True)


def test_a_plan_works_over_http_page_by_page() -> None:
    call = "GET drive.recent FILTER file.name eq tax plan ORDERBY file.size desc TOP 6"
    query = query_of(call, CLOCKS[0])
    rows = seeded(query, graph_model(), CLOCKS[0].now, 0)
    assert not isinstance(rows, Unscored)
    asked: list[str] = []

    def get(url: str) -> Mapping[str, Any]:
        asked.append(url)
        with urllib.request.urlopen(url, timeout=10) as answer:
            found: Mapping[str, Any] = json.load(answer)
            return found

    with served(open_service(graph_model(), rows, as_graph, 7)) as root:
        found = answer_of(plan(query), get, root + ROOT)
    whole = client_of(open_service(graph_model(), rows))
    assert found == answer_of(plan(query, Restrictions()), lambda url: whole.get(url).read(), ROOT)
    assert len(found.rows) == 6 and len(asked) == -(-len(rows["me/drive/recent"]) // 7) > 2


def test_real_calls_give_the_same_rows_when_rewritten(corpora: Path) -> None:
    """More of them: `python -m benchmarks.call_plans`."""
    for call in train_calls(corpora, 40):
        found = compare(call)
        assert isinstance(found, Unscored) or (found.same and found.refused == bool(found.rules)), call
