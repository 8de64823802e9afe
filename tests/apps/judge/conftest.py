"""A real server on a free port, and a client that speaks plain HTTP to it."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from sayso.apps.judge.desk import Desk
from sayso.apps.judge.items import Item, Option
from sayso.apps.judge.store import Store

REQUESTS = {
    "one": (
        "delete all empty folders under /srv/uploads",
        ["find /srv/uploads -type d -empty -delete", "rmdir /srv/uploads/*"],
    ),
    "two": ("show the five largest files here", ["ls -S | head -5", "ls -s | head -5"]),
}


def two_requests() -> list[Item]:
    return [
        Item(
            "verdicts", name, text, tuple(Option(c, c.split()[0], ("secret-alpha", "secret-beta")) for c in candidates)
        )
        for name, (text, candidates) in REQUESTS.items()
    ]


@pytest.fixture
def verdicts() -> list[Item]:
    """Two requests with two candidates each, pooled from two systems whose names must never be seen."""
    return two_requests()


@dataclass
class Client:
    """One browser's worth of HTTP: keeps the token, sends the headers that the page sends."""

    port: int
    token: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)
    """Every body and header that came back, for tests of what must not be in them."""

    def send(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        sent = {"Host": f"127.0.0.1:{self.port}"}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        if method == "POST":
            sent |= {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            raw = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
            connection.request(method, path, raw, sent)
            response = connection.getresponse()
            text = response.read().decode()
        finally:
            connection.close()
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.seen.append(f"{self.headers} {text}")
        assert "set-cookie" not in self.headers
        is_json = self.headers.get("content-type", "").startswith("application/json")
        return response.status, json.loads(text) if is_json else text

    def get(self, path: str, **headers: str) -> tuple[int, Any]:
        return self.send("GET", path, **headers)

    def post(self, path: str, body: object, **headers: str) -> tuple[int, Any]:
        return self.send("POST", path, body, **headers)

    def next(self, annotator: str, queue: str = "fresh") -> Any:
        status, answer = self.get(f"/api/next?annotator={annotator}&queue={queue}")
        assert status == 200, answer
        return answer["item"]

    def judge(self, annotator: str, item: Any, command: bool, template: bool) -> Any:
        """The same verdict on every candidate of an item."""
        verdicts = [{"text": one["text"], "command": command, "template": template} for one in item["options"]]
        body = {"annotator": annotator, "item": item["id"], "look": item["look"], "answer": {"verdicts": verdicts}}
        status, answer = self.post("/api/answer", body)
        assert status == 200 and answer["saved"], answer
        return answer


@dataclass
class Running:
    link: str
    port: int
    desk: Desk

    def client(self) -> Client:
        return open_link(self.link)


def open_link(link: str) -> Client:
    """A client that has opened the link."""
    port, _, token = link.removeprefix("http://127.0.0.1:").partition("/#")
    client = Client(int(port), token)
    status, answer = client.post("/api/enter", {})
    assert status == 200
    client.token = answer["token"]
    return client


@pytest.fixture
def client_of() -> Callable[[str], Client]:
    return open_link


@contextmanager
def running(items: list[Item], folder: Path, annotator: str = "") -> Iterator[Running]:
    from sayso.apps.judge.server import bind, make_app, make_server

    with Store(folder) as store:
        desk = Desk(store, items)
        listener = bind(0)
        port = listener.getsockname()[1]
        app = make_app(desk, port, annotator)
        server = make_server(app)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield Running(app.link(), port, desk)
        finally:
            server.should_exit = True
            thread.join(10)
            listener.close()
            assert not thread.is_alive()


Serve = Callable[..., Running]


@pytest.fixture(scope="module")
def idle_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One server over two requests for all tests of a module that change nothing."""
    with running(two_requests(), tmp_path_factory.mktemp("store")) as server:
        yield server


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """serve(items, annotator=…) starts a server over a fresh store; the test's end stops it."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        yield lambda items, folder=None, annotator="": stack.enter_context(
            running(items, folder or tmp_path / "store", annotator)
        )
