"""Whatever a query holds is answered in one line: no traceback, no write, no file, nothing beyond loopback."""

from __future__ import annotations

import json
import socket
import time
import urllib.error
import urllib.request
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("odata_query")
pytest.importorskip("sqlalchemy")
pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from sqlalchemy.exc import DatabaseError

from sayso.targets.api.service.app import ROOT, Service, open_service
from sayso.targets.api.service.calling import LOOPBACK, Answer, Client, client_of, served
from sayso.targets.api.service.model import Row, graph_model

MESSAGES = f"{ROOT}/me/messages"
HOSTILE = {
    "SQL in a value": ("isRead eq false'; DROP TABLE me__messages; --", 400),
    "SQL in a text": ("subject eq '''; DROP TABLE me__messages; --'", 200),
    "a union": ("subject eq 'x' UNION SELECT sql FROM sqlite_master", 400),
    "an attribute of Python": ("__class__ eq 'x'", 400),
    "an attribute of the ORM": ("registry eq 'x'", 400),
    "a table of SQLite": ("sqlite_master eq 'x'", 400),
    "a path too far": ("from/emailAddress/name/__class__ eq 'x'", 400),
    "a slow pattern": ("matchesPattern(subject,'(a+)+$')", 400),
    "a function that reads files": ("readfile('/etc/passwd') eq 'x'", 400),
    "brackets": ("(" * 5_000 + "isRead" + ")" * 5_000, 400),
    "a few brackets": ("(" * 20 + "isRead" + ")" * 20, 200),
    "not": ("not " * 2_000 + "isRead", 400),
    "and": (" and ".join(["isRead"] * 1_100), 400),
    "a list": ("subject in (" + ",".join(["'a'"] * 1_500) + ")", 200),
    "a megabyte": ("subject eq '" + "a" * 1_000_000 + "'", 400),
    "a huge number": ("isRead eq " + "9" * 5_000, 400),
    "a number that is no flag": ("isRead eq 1", 400),
    "a text alone": ("'true'", 400),
    "a value of a collection alone": ("categories/any(x:x)", 400),
    "no condition": ("subject", 400),
    "a value alone": ("true", 200),
    "a time that is none": ("receivedDateTime gt 2026-02-31T00:00:00Z", 400),
    "a time before time": ("receivedDateTime gt 0000-01-01T00:00:00Z", 400),
    "an open quote": ("subject eq 'x", 400),
    "a null character": ("subject eq '\x00'", 400),
    "arithmetic": ("isRead add 1 eq 2", 400),
    "any of what is no collection": ("subject/any(x:x eq 'a')", 400),
    "all without a condition": ("categories/all()", 400),
    "a variable elsewhere": ("categories/any(x:y eq 'a')", 400),
    "a field in a collection": ("categories/any(x:subject eq x)", 200),
    "an item that has no such field": ("toRecipients/any(x:x/password eq 'a')", 400),
    "an item that is no text": ("toRecipients/any(x:x eq 'a')", 400),
    "nothing": (" ", 400),
    "a percent sign": ("contains(subject,'%')", 200),
    "newlines": ("isRead\n eq\r\n\tfalse", 200),
}


@pytest.fixture(scope="module")
def service() -> Service:
    row: Row = {
        "id": "1",
        "subject": "a",
        "isRead": True,
        "receivedDateTime": "2026-05-03T10:00:00Z",
        "categories": ("a",),
    }
    return open_service(graph_model(), {"me/messages": [row]})


@pytest.fixture(scope="module")
def client(service: Service) -> Client:
    return client_of(service)


def one_line(answer: Answer) -> None:
    if answer.status != 200:
        error = answer.read()["error"]
        assert set(error) == {"code", "message"} and error["message"] and len(answer.body) < 1_000
        assert error["message"].isprintable() and "Traceback" not in error["message"]


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_filter_is_answered_in_one_line(client: Client, what: str) -> None:
    text, status = HOSTILE[what]
    started = time.process_time()
    answer = client.get(f"{MESSAGES}?$filter={quote(text, safe='')}")
    assert answer.status == status, answer.body[:300]
    assert time.process_time() - started < 2
    one_line(answer)
    assert client.get(f"{MESSAGES}/$count").body == b"1", "the rows are still there"


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("$top=-1", 400),
        ("$top=99999999999999999999", 400),
        ("$top=1e3", 400),
        ("$skip=x", 400),
        ("$skiptoken='", 400),
        ("$count=maybe", 400),
        ("$top=1&$top=2", 400),
        ("$format=xml", 400),
        ("top=5", 400),
        ("$orderby=subject;drop", 400),
        ("$orderby=subject%20up", 400),
        ("$orderby=categories", 400),
        ("$orderby=", 400),
        ("$select=password", 400),
        ("$expand=../etc", 400),
        ("$search=%22open", 400),
        ("$search=a%20OR%20b", 400),
        ("$search=%22%22", 400),
        ("$filter=%FF%FE", 400),
        ("$filter=" + "%27" * 5_000, 400),
        ("&&&", 400),
        ("$top=1&", 400),
    ],
)
def test_a_bad_option_is_refused(client: Client, query: str, status: int) -> None:
    answer = client.get(f"{MESSAGES}?{query}")
    assert answer.status == status, answer.body[:200]
    one_line(answer)


@pytest.mark.parametrize(
    "path", ["/", "/v1.0/me/passwords", "/v1.0/../../etc/passwd", "/v1.0/me/messages/1/$value", "/v2.0/"]
)
def test_another_address_is_not_found(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status == 404 and answer.read()["error"]["code"] == "NotFound"


@settings(max_examples=80)
@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            ["(", ")", "not ", " and ", " eq ", "'", "a", "isRead", "/any(x:", "1", ",", "contains(", "subject"]
        ),
        max_size=12,
    ).map("".join)
)
def test_no_filter_breaks_the_service(client: Client, text: str) -> None:
    answer = client.get(f"{MESSAGES}?$filter={quote(text.encode('utf-8', 'surrogatepass'), safe='')}")
    assert answer.status in (200, 400), answer.body
    one_line(answer)


@pytest.mark.parametrize(
    "statement", ["DELETE FROM me__messages", "ATTACH '/tmp/x' AS x", "PRAGMA query_only = OFF", "VACUUM INTO '/tmp/x'"]
)
def test_the_rows_can_neither_be_written_nor_left(service: Service, statement: str) -> None:
    with (
        service.engine.connect() as connection,
        pytest.raises(DatabaseError, match=r"not authorized|authorization denied"),
    ):
        connection.exec_driver_sql(statement)


def test_a_query_that_runs_for_long_is_ended(service: Service, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sayso.targets.api.service.tables.STEPS", 1)
    monkeypatch.setattr("sayso.targets.api.service.tables.TURNS", 3)
    answer = client.get(MESSAGES)
    assert (answer.status, answer.read()["error"]["message"]) == (400, "The query takes too long")


def test_over_http_it_listens_on_loopback_alone_and_only_reads(service: Service) -> None:
    with served(service) as root:
        host, _, port = root.removeprefix("http://").partition(":")
        assert host == LOOPBACK == "127.0.0.1"
        with urllib.request.urlopen(f"{root}{MESSAGES}?$filter=isRead%20eq%20true&$count=true", timeout=10) as answer:
            found = json.load(answer)
            assert answer.headers["OData-Version"] == "4.0"
        assert found["@odata.count"] == 1 and found["value"][0]["subject"] == "a"
        for method in ("POST", "DELETE", "PATCH"):
            request = urllib.request.Request(f"{root}{MESSAGES}", b"{}", method=method)
            with pytest.raises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(request, timeout=10)
            assert caught.value.code == 405
            caught.value.close()
        for other in {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {
            LOOPBACK
        }:
            with socket.socket() as knocking, pytest.raises(OSError):
                knocking.settimeout(2)
                knocking.connect((other, int(port)))
    with socket.socket() as knocking, pytest.raises(OSError):
        knocking.connect((LOOPBACK, int(port)))
