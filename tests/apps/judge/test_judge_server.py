"""The server over real HTTP: who is let in, what a wrong request is told, and that nothing names a system."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from sayso.apps.judge.items import Item, Option

Serve = Callable[..., Any]


def test_the_page_is_open_and_holds_no_secret(idle_server: Any) -> None:
    server = idle_server
    client = server.client()
    token, client.token = client.token, ""
    for path in ("/", "/app.js", "/api.js", "/judge.css", "/icon.svg"):
        status, content = client.get(path)
        assert status == 200 and token not in content and "set-cookie" not in client.headers
    assert client.headers["content-security-policy"].startswith("default-src 'none'")
    assert "unsafe" not in client.headers["content-security-policy"]
    assert client.headers["x-content-type-options"] == "nosniff"


def test_the_token_is_behind_the_mark_that_browsers_send_to_nobody(idle_server: Any) -> None:
    client = idle_server.client()
    assert idle_server.link == f"http://127.0.0.1:{client.port}/#{client.token}"


@pytest.mark.parametrize("path", ["/api/state?annotator=ada", "/api/hello", "/api/next", "/api/enter", "/nothing"])
def test_without_the_token_every_path_is_closed(idle_server: Any, path: str) -> None:
    server = idle_server
    client = server.client()
    token, client.token = client.token, ""
    tries = ["", "Bearer", "Bearer ", "Bearer wrong", f"Basic {token}", f"Bearer {token}x", "Bearer \xe9"]
    for given in tries:
        status, told = client.get(path, Authorization=given)
        assert status == 403 and "does not belong" in str(told)
        assert "default-src 'none'" in client.headers["content-security-policy"]
    for elsewhere in ({"Cookie": f"token={token}; sayso_judge_{client.port}={token}"}, {"X_Token": token}):
        assert client.get(path, **elsewhere)[0] == 403
    assert client.get(f"{path}{'&' if '?' in path else '?'}token={token}")[0] == 403
    assert client.post("/api/enter", {})[0] == 403


def test_an_order_without_the_token_changes_nothing(idle_server: Any) -> None:
    server = idle_server
    size = server.desk.store.path.stat().st_size
    stranger = server.client()
    stranger.token = ""
    body = {"annotator": "ada", "item": "one", "look": 1, "answer": {"verdicts": []}}
    assert stranger.post("/api/answer", body)[0] == 403
    assert server.desk.store.path.stat().st_size == size


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil:{port}", ""]
)
def test_a_foreign_host_is_refused(idle_server: Any, host: str) -> None:
    client = idle_server.client()
    status, told = client.get("/api/hello", Host=host.format(port=client.port))
    assert (status, told) == (403, "unknown host")
    assert client.get("/api/hello", Host=f"localhost:{client.port}")[0] == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1", ""]
)
def test_a_foreign_origin_is_refused(idle_server: Any, origin: str) -> None:
    client = idle_server.client()
    assert client.post("/api/undo", {"annotator": "ada"}, Origin=origin.format(port=client.port))[0] == 403
    if origin:
        assert client.get("/api/hello", Origin=origin.format(port=client.port))[0] == 403


def test_a_link_for_the_browser_works_once(idle_server: Any) -> None:
    from sayso.apps.judge.server import make_app

    guard = make_app(idle_server.desk, 1)
    token = guard.link(once=True).partition("#")[2]
    assert token and token not in guard.link()
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/enter",
        "query_string": b"",
        "headers": [
            (b"host", b"127.0.0.1:1"),
            (b"origin", b"http://127.0.0.1:1"),
            (b"authorization", f"Bearer {token}".encode()),
        ],
    }
    other = guard.answer({**scope, "path": "/api/undo"})
    first, second = guard.answer(scope), guard.answer(scope)
    assert other and other.status_code == 403, "it opens the page and does nothing else"
    assert first and first.status_code == 200 and json.loads(bytes(first.body)) == {"token": guard.token}
    assert second and second.status_code == 403


def test_a_form_from_elsewhere_cannot_give_orders(idle_server: Any) -> None:
    client = idle_server.client()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert client.post("/api/undo", {"annotator": "ada"}, Content_Type=kind)[0] == 415
    assert client.get("/api/undo?annotator=ada")[0] == 405


def test_three_judges_a_majority_and_nothing_that_names_a_system(serve: Serve, verdicts: list[Item]) -> None:
    server = serve(verdicts)
    client = server.client()
    for path in ("/", "/app.js", "/api/hello"):
        client.get(path)
    for name, command in (("ada", True), ("ben", False), ("cy", True)):
        while item := client.next(name):
            client.judge(name, item, command, True)
    state = client.get("/api/state?annotator=ben")[1]
    assert state["items"] == {"total": 2, "complete": 2, "differ": 2}
    assert state["mine"] == {"done": 2, "left": 0, "second": 2}
    assert [row["first"]["alpha"] is not None for row in state["agreement"]] == [True, False]
    second = client.next("ben", "second")
    assert second["why"] == ["the judges differ"] and second["look"] == 2
    client.judge("ben", second, True, True)
    assert client.get("/api/state?annotator=ben")[1]["items"]["differ"] == 1
    assert client.post("/api/undo", {"annotator": "ben"})[0] == 200
    assert client.post("/api/again", {"annotator": "ada", "item": "one", "why": "x"})[0] == 200
    assert not any("secret" in text for text in client.seen)


@pytest.mark.parametrize(
    ("path", "body", "status", "why"),
    [
        ("/api/answer", {"annotator": "ada", "item": "none", "look": 1, "answer": {}}, 422, "no such item"),
        ("/api/answer", {"annotator": "", "item": "one", "look": 1, "answer": {}}, 422, "a name has"),
        ("/api/answer", {"annotator": 7, "item": "one", "look": 1, "answer": {}}, 422, "annotator must be text"),
        ("/api/answer", {"annotator": "ada", "item": "one", "look": True, "answer": {}}, 422, "a look"),
        ("/api/answer", {"annotator": "ada", "item": "one", "look": 1, "answer": []}, 422, "a value"),
        (
            "/api/answer",
            {"annotator": "ada", "item": "one", "look": 1, "answer": {"verdicts": "x"}},
            422,
            "no verdicts",
        ),
        ("/api/undo", {"annotator": "ada"}, 422, "nothing to take back"),
        ("/api/again", {"annotator": "ada", "item": "one"}, 422, "nobody has answered"),
        ("/api/skip", {"annotator": "ada", "item": "none"}, 422, "no such item"),
        ("/api/undo", b"{", 400, "JSON object"),
        ("/api/undo", b"[]", 400, "JSON object"),
        ("/api/undo", b'"\xff"', 400, "JSON object"),
        ("/api/undo", b'{"annotator": "\\ud800"}', 400, "JSON object"),
        ("/api/undo", b"[" * 200_000, 400, "JSON object"),
        ("/api/undo", b" " * 1_000_001, 413, "too long"),
    ],
)
def test_a_wrong_request_is_answered_in_words(idle_server: Any, path: str, body: Any, status: int, why: str) -> None:
    server = idle_server
    size = server.desk.store.path.stat().st_size
    found, told = server.client().post(path, body)
    assert found == status and why in told["error"]
    assert server.desk.store.path.stat().st_size == size


def test_a_disk_that_refuses_is_said_on_the_page(serve: Serve, verdicts: list[Item]) -> None:
    import os

    server = serve(verdicts)
    client = server.client()
    item = client.next("ada")
    kept, server.desk.store._fd = server.desk.store._fd, os.open(server.desk.store.path, os.O_RDONLY)
    verdict = [{"text": one["text"], "command": True, "template": True} for one in item["options"]]
    body = {"annotator": "ada", "item": item["id"], "look": 1, "answer": {"verdicts": verdict}}
    status, told = client.post("/api/answer", body)
    assert status == 500 and "cannot write" in told["error"]
    os.close(server.desk.store._fd)
    server.desk.store._fd = kept
    assert client.post("/api/answer", body) == (200, {"saved": True, "problems": []}), (
        "the same answer can be sent again"
    )


def test_annotators_at_once_do_not_overwrite_each_other(serve: Serve) -> None:
    items = [Item("verdicts", f"i{n}", f"request {n}", (Option("ls"), Option("dir"))) for n in range(8)]
    server = serve(items)

    def work(name: str) -> int:
        client = server.client()
        done = 0
        while item := client.next(name):
            client.judge(name, item, done % 2 == 0, True)
            done += 1
        return done

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(work, ["ada", "ben", "cy"])) == [8, 8, 8]
    events = [json.loads(line) for line in server.desk.store.path.read_text().splitlines()]
    assert [event["n"] for event in events] == list(range(1, len(events) + 1))
    assert sum(event["event"] == "answer" for event in events) == 24
    assert server.client().get("/api/state?annotator=ada")[1]["items"]["complete"] == 8


def test_a_new_server_over_the_same_store_knows_everything(serve: Serve, verdicts: list[Item], tmp_path: Path) -> None:
    first = serve(verdicts, tmp_path / "kept").client()
    first.judge("ada", first.next("ada"), True, True)
    second = serve([], tmp_path / "kept").client()
    assert second.get("/api/state?annotator=ada")[1]["mine"] == {"done": 1, "left": 1, "second": 0}
    first.judge("ada", first.next("ada"), True, True)
    assert second.next("ada") is None, "two servers over one store see each other"


def test_the_suggested_name_is_offered(serve: Serve, verdicts: list[Item]) -> None:
    assert serve(verdicts, annotator="Ada").client().get("/api/hello") == (200, {"annotator": "Ada"})
