"""A call asked of the mock server of its description, in this process: what the server read, or None if refused."""

from __future__ import annotations

import json
from collections.abc import MutableMapping
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from sayso.core.errors import BadInstruction
from sayso.targets.api.specs.calls import parse_call, written
from sayso.targets.api.specs.mock import mock_app
from sayso.targets.api.specs.model import Api
from sayso.targets.api.specs.shapes import Http, http_of


@lru_cache(maxsize=8)
def app_of(title: str, api: Api) -> Any:
    return mock_app(api)


def read_by_server(api: Api, text: str) -> str | None:
    call = parse_call(text)
    operation = api.find(call.operation)
    if operation is None:
        return None
    try:
        http = http_of(api, operation, call)
    except BadInstruction:
        return None
    status, body = asked(app_of(api.title, api), http)
    if status == 204:
        return text
    if status >= 300:
        return None
    shown = json.loads(body)
    return written(shown["operation"], shown["arguments"])


def asked(app: Any, http: Http) -> tuple[int, bytes]:
    """Status and body of an answer, through ASGI without a socket."""
    parts = urlsplit(http.url)
    sent: list[MutableMapping[str, Any]] = []
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": http.method,
        "scheme": "http",
        "path": parts.path,
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "root_path": "",
        "headers": [
            (b"host", b"127.0.0.1"),
            *((name.lower().encode(), value.encode()) for name, value in http.headers),
        ],
        "client": ("127.0.0.1", 0),
        "server": ("127.0.0.1", 80),
    }

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": (http.body or "").encode(), "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    running = app(scope, receive, send)
    try:
        running.send(None)
    except StopIteration:
        return int(sent[0]["status"]), b"".join(part.get("body", b"") for part in sent[1:])
    raise RuntimeError("the mock server waits for something, which it never should")
