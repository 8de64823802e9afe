"""Whatever a value holds, the server gets that value: in path, query, header and body, through a shell too."""

from __future__ import annotations

import contextlib
import json
import shlex
import threading
import urllib.error
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.targets.api.specs.shop import api_at, bad_server, written

from sayso.core.errors import BadInstruction
from sayso.targets.api.specs.calls import Call, findings, leaves, nested, parse_call
from sayso.targets.api.specs.mock import pattern_of, read_back
from sayso.targets.api.specs.model import Api, Operation, Scheme, Slot
from sayso.targets.api.specs.shapes import Http, Secret, as_curl, as_json, as_python, every_shape, http_of

HOSTILE = [
    "O'Brien & co",
    'a"b',
    "x; rm -rf /",
    "$(id)",
    "`id`",
    "../../etc",
    "a\nb",
    "' OR 1=1 --",
    "%2e%2e",
    "#?&=",
    "é",
    "\\",
]
TEXT = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12),
)


@cache
def shop() -> Api:
    with TemporaryDirectory() as folder:
        return api_at(written(Path(folder)))


class Asked:
    """What starlette's request has, as far as a mock server looks."""

    def __init__(self, http: Http) -> None:
        self.url = urlsplit(http.url)
        self.headers = dict(http.headers)


def returned(call: Call) -> Call | str:
    operation = shop().find(call.operation)
    assert operation is not None
    http = http_of(shop(), operation, call)
    found = pattern_of("/v1" + operation.path).fullmatch(urlsplit(http.url).path)
    assert found
    request: Any = Asked(http)
    return read_back(operation, found, request, (http.body or "").encode())


@given(TEXT, TEXT, st.lists(TEXT, min_size=1, max_size=3))
def test_a_request_is_read_back_to_the_same_call(title: str, item: str, words: list[str]) -> None:
    for call in (
        Call("addItem", {"body": {"title": title, "maker": {"name": item}}}),
        Call("listItems", {"words": words, "colour": "red", "max_price": 3.5}),
    ):
        assert returned(call) == call
    if item not in (".", ".."):
        assert returned(Call("deleteItem", {"item_id": item})) == Call("deleteItem", {"item_id": item})


@given(TEXT)
def test_a_shell_gives_curl_the_words_that_were_meant(title: str) -> None:
    operation = shop().find("addItem")
    assert operation is not None
    words = shlex.split(as_curl(http_of(shop(), operation, Call("addItem", {"body": {"title": title}}))))
    assert json.loads(words[words.index("--data-raw") + 1]) == {"title": title}
    assert words[-1] == "https://shop.example/v1/items"
    assert "Authorization: Bearer $CORNER_SHOP_TOKEN" in words


@given(TEXT)
def test_the_program_holds_the_value_and_compiles(title: str) -> None:
    operation = shop().find("addItem")
    assert operation is not None
    text = as_python(http_of(shop(), operation, Call("addItem", {"body": {"title": title}})))
    compile(text, "call", "exec")
    assert repr(json.dumps({"title": title}, ensure_ascii=False)) in text


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ('deleteItem {"item_id": ".."}', "cannot stand in a path"),
        ('deleteItem {"item_id": ""}', "cannot stand in a path"),
        ('listItems {"X-Note": "a\\r\\nHost: evil.example"}', "line break"),
        ('listItems {"size": 3}', "takes no size"),
    ],
)
def test_what_cannot_stand_where_it_belongs_is_no_request(call: str, says: str) -> None:
    parsed = parse_call(call)
    operation = shop().find(parsed.operation)
    assert operation is not None
    shapes = every_shape(shop(), operation, parsed)
    assert list(shapes) == ["said"] and says in str(shapes["said"])


def test_findings_name_what_the_server_would_refuse() -> None:
    operation = shop().find("addItem")
    assert operation is not None
    call = parse_call('addItem {"body": {"titel": "x", "price": "3"}}')
    assert [one.message for one in findings(call, operation)] == [
        "addItem takes no body.titel; did you mean body.title?",
        'body.price: "3" is no number',
        "body.title is missing",
    ]


def test_a_body_that_must_be_there_is_missing_though_none_of_its_fields_must() -> None:
    slots = (Slot("body.note", "note", "body"),)
    assert [one.message for one in findings(Call("edit", {}), Operation("edit", "patch", "/x", slots=slots))] == [
        "body is missing"
    ]


@pytest.mark.parametrize("text", ["", "{", 'addItem {"a": }', "addItem 3", 'addItem {"a": 1} x'])
def test_what_is_no_call_is_said(text: str) -> None:
    with pytest.raises(BadInstruction):
        parse_call(text)


@given(st.dictionaries(st.sampled_from(["key", "body.a", "body.b.c", "body.b.d", "body.e[].f"]), st.integers()))
def test_nesting_is_undone(values: dict[str, int]) -> None:
    assert dict(leaves(nested(values))) == values


def test_a_printed_program_carries_no_key_to_where_it_is_redirected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's own library follows a redirect to another host with all headers, the key among them."""
    with bad_server() as (elsewhere, stolen), redirecting(f"{elsewhere}/steal") as (address, seen):
        api = replace(shop(), servers=(address,))
        operation = next(one for one in api.operations if one.id == "listItems")
        program = as_python(http_of(api, operation, Call("listItems", {})))
        monkeypatch.setenv("CORNER_SHOP_TOKEN", "s3cret")
        with pytest.raises(urllib.error.HTTPError, match="302"):
            exec(compile(program, "shown", "exec"), {})
    assert [one["Authorization"] for one in seen] == ["Bearer s3cret"] and not stolen


@contextlib.contextmanager
def redirecting(there: str) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """A server that sends everybody elsewhere."""
    seen: list[dict[str, str]] = []

    class Redirects(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(dict(self.headers.items()))
            self.send_response(302)
            self.send_header("Location", there)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Redirects)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", seen
    finally:
        server.shutdown()
        server.server_close()


def test_a_key_of_the_query_stands_in_the_json_too() -> None:
    """The variable, not what it holds; without it the request lacks its key."""
    key = Secret("SHOP_KEY", Scheme("key", "query", "api key"))
    shown = json.loads(as_json(Http("GET", "https://shop.example/x?a=1", secrets=(key,))))
    assert shown["url"] == "https://shop.example/x?a=1&api%20key=$SHOP_KEY"
