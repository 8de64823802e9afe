"""A model behind a real server on this machine: what it is asked, what is believed, and what ends a run."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from sayso.core.errors import RunFailed, UserError
from sayso.core.types import Piece, Request
from sayso.runs import chat
from sayso.runs.chat import ChatTranslator, find_server, open_server, read_choices
from sayso.runs.evaluate import evaluate

if TYPE_CHECKING:
    from tests.runs.conftest import Toy

KEY = "sk-not-to-be-seen"


@dataclass
class Listening:
    """A server whose answers a test writes; it keeps what it heard."""

    answer: Callable[[dict[str, Any]], bytes | Iterator[bytes]] = lambda asked: completion("ls")
    status: int = 200
    heard: list[tuple[str, dict[str, str], dict[str, Any]]] = field(default_factory=list)
    port: int = 0

    @property
    def system(self) -> str:
        return f"openai:http://127.0.0.1:{self.port}/v1#tiny-model"

    def translator(self, **settings: Any) -> ChatTranslator:
        return ChatTranslator(find_server(self.system), "bash", **settings)


def completion(*texts: str) -> bytes:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}} for text in texts]}).encode()


@pytest.fixture
def server() -> Iterator[Listening]:
    told = Listening()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            told.heard.append((self.path, dict(self.headers), asked))
            answer = told.answer(asked)
            self.send_response(told.status)
            self.end_headers()
            try:
                for part in [answer] if isinstance(answer, bytes) else answer:
                    self.wfile.write(part)
                    self.wfile.flush()
            except OSError:
                pass  # we hung up

        def log_message(self, format: str, *args: Any) -> None:
            pass

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.daemon_threads = True
    told.port = listening.server_port
    thread = threading.Thread(target=listening.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield told
    listening.shutdown()
    listening.server_close()
    thread.join()


def test_a_split_is_asked_and_scored(server: Listening, toy: Toy) -> None:
    server.answer = lambda asked: completion(f"```text\n{asked['messages'][1]['content'][::-1]}\n```")
    found = find_server(server.system)
    report = evaluate(
        toy.subject(found.name), open_server(found, toy.task, ""), toy.workspace, toy.results, toy.settings
    )
    assert report.scores[0].value == 1.0
    path, headers, asked = server.heard[0]
    assert path == "/v1/chat/completions"
    assert asked["model"] == "tiny-model" and asked["temperature"] == 0 and not asked["stream"]
    assert "Authorization" not in headers
    assert toy.results.stored("toy/reverse", "openai-tiny-model", "dev").is_file()


def test_context_is_sent_before_the_request(server: Listening) -> None:
    server.translator().translate([Request("count rows", (Piece("code", "df = 1", "cell"),))])
    assert server.heard[0][2]["messages"][1]["content"] == "[code cell]\ndf = 1\n\ncount rows"


def test_a_key_goes_to_this_machine_and_is_shown_nowhere(server: Listening) -> None:
    server.status = 401
    server.answer = lambda asked: f'{{"error": "no such key {KEY}"}}'.encode()
    translator = server.translator(key=KEY)
    assert translator.translate([Request("a")]) == [[]]
    assert server.heard[0][1]["Authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(translator) and KEY not in str(translator.notes)
    assert "401" in translator.notes[0]


def test_a_key_is_never_sent_in_the_open() -> None:
    assert not find_server("openai:http://example.com/v1#m").may_be_told_secrets
    assert not find_server("openai:http://127.0.0.1.example.com/v1#m").may_be_told_secrets
    assert find_server("openai:https://example.com/v1#m").may_be_told_secrets
    assert find_server("openai:http://[::1]:8080/v1#m").may_be_told_secrets


def test_what_a_terminal_would_obey_is_taken_out() -> None:
    (found,) = read_choices(completion("ls \x1b[31m-l\x07\u202e\r\n# done"))
    assert found.text == "ls -l\n# done"


def test_equal_and_empty_answers_are_left_out_and_order_is_kept() -> None:
    found = read_choices(completion("ls", "", "ls", "pwd"))
    assert [one.text for one in found] == ["ls", "pwd"]
    assert found[0].score > found[1].score


@pytest.mark.parametrize("body", [b"", b"[]", b'{"choices": 3}', b"<html>", b"[" * 100_000, b'{"a": NaN}'])
def test_what_is_no_completion_is_no_answer(server: Listening, body: bytes) -> None:
    server.answer = lambda asked: body
    translator = server.translator()
    assert translator.translate([Request("a")]) == [[]]
    assert translator.notes


def test_a_model_may_think_for_longer_than_its_server_takes_to_connect(server: Listening) -> None:
    def think(asked: dict[str, Any]) -> bytes:
        time.sleep(0.4)
        return b'{"choices": [{"message": {"content": "ls"}}]}'

    server.answer = think
    [found] = server.translator(seconds=5.0, connecting=0.2).translate([Request("a")])
    assert [one.text for one in found] == ["ls"]


def test_a_server_that_drips_is_left(server: Listening) -> None:
    def drip(asked: dict[str, Any]) -> Iterator[bytes]:
        for _ in range(100):
            yield b" "
            time.sleep(0.05)

    server.answer = drip
    translator = server.translator(seconds=0.3)
    began = time.monotonic()
    assert translator.translate([Request("a")]) == [[]]
    assert time.monotonic() - began < 2
    assert "too long" in translator.notes[0] or "timed out" in translator.notes[0]


@pytest.mark.parametrize("part", [b"a", b"HTTP/1.1 100 Continue\r\n\r\n"])
def test_a_server_that_never_comes_to_its_answer_is_left(part: bytes) -> None:
    """No single read is late: only the whole is."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            with suppress(OSError), listening.accept()[0] as conversation:
                for _ in range(100):
                    conversation.sendall(part)
                    time.sleep(0.05)

        threading.Thread(target=drip, daemon=True).start()
        address = f"openai:http://127.0.0.1:{listening.getsockname()[1]}/v1#m"
        translator = ChatTranslator(find_server(address), "bash", seconds=0.3)
        began = time.monotonic()
        assert translator.translate([Request("a")]) == [[]]
        assert time.monotonic() - began < 2
        assert "too long" in translator.notes[0]


def test_no_half_of_a_key_is_shown_either(server: Listening) -> None:
    server.status = 401
    for length in range(90, 130):
        server.answer = lambda asked, length=length: b"x" * length + KEY.encode()  # type: ignore[misc]
        translator = server.translator(key=KEY)
        translator.translate([Request("a")])
        assert KEY[:8] not in translator.notes[0]


def test_a_key_that_comes_back_as_an_answer_is_not_kept(server: Listening) -> None:
    server.answer = lambda asked: completion(f"echo {KEY}")
    ((found,),) = server.translator(key=KEY).translate([Request("a")])
    assert found.text == "echo (key)"


@pytest.mark.parametrize("key", ["sk-not\nseen", "sk-not seen", "sk-not\u2026seen"])
def test_a_key_that_no_header_can_hold_is_not_told(server: Listening, key: str) -> None:
    translator = server.translator(key=key)
    assert translator.translate([Request("a")]) == [[]]
    assert not server.heard and "sk-not" not in translator.notes[0]


def test_half_a_letter_is_taken_out() -> None:
    (found,) = read_choices(b'{"choices": [{"message": {"content": "ls \\ud800a\\u2028b"}}]}')
    assert found.text == "ls ab"


def test_an_endless_answer_is_left(server: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "LARGEST", 10_000)
    server.answer = lambda asked: (b"x" * 4096 for _ in range(1000))
    translator = server.translator()
    translator.translate([Request("a")])
    assert "more than 10,000 bytes" in translator.notes[0]


def test_a_redirect_is_not_followed(server: Listening) -> None:
    server.status = 302
    translator = server.translator()
    assert translator.translate([Request("a")]) == [[]]
    assert "302" in translator.notes[0]


def test_a_server_that_is_down_ends_the_run() -> None:
    translator = ChatTranslator(find_server("openai:http://127.0.0.1:9/v1#m"), "bash")
    with pytest.raises(RunFailed, match="3 requests in a row"):
        translator.translate([Request(str(at)) for at in range(9)])


@pytest.mark.parametrize(
    "given",
    [
        "openai:",
        "openai:127.0.0.1#m",
        "openai:ftp://a#m",
        "openai:http://a",
        "openai:http://u:p@a#m",
        "openai:http://a:x#m",
    ],
)
def test_addresses_that_cannot_be_are_refused(given: str) -> None:
    with pytest.raises(UserError):
        find_server(given)
