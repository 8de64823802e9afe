"""A model behind an OpenAI-compatible server as a system: `openai:URL#MODEL`, one request a call, believed in nothing.

Spoken over http or https to the one address that the user names: no redirect is followed and no proxy asked. A key goes
to https or to this machine only and is printed nowhere. An answer has a size, a time and a depth at which it ends.
"""

from __future__ import annotations

import hashlib
import http.client
import ipaddress
import json
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from sayso.core.errors import RunFailed, UserError
from sayso.core.given import parse_json
from sayso.core.types import Candidate, Request, System, Task
from sayso.runs.store import checked

PREFIX = "openai:"
LARGEST, SECONDS, CONNECTING, CHUNK = 1 << 20, 120.0, 30.0, 1 << 14
MOST_FAILURES = 3
"""So many requests in a row without an answer end the run: a server that is down would fail them all."""
LONGEST_CONTEXT = 12_000
"""Characters of a request's context that are sent, the nearest ones."""
WANTED = {
    "bash": "Answer with one Bash command on one line and nothing else.",
    "api": "Answer with the API call as the task's references are written, on one line, and nothing else.",
    "notebook": "Answer with the Python code of the next notebook cell and nothing else.",
}
PLAINLY = "Answer with what is asked for, as plain text, and nothing else."
FENCED = re.compile(r"\A\s*```[\w+-]*\n(.*?)\n?```\s*\Z", re.DOTALL)
CONTROL = re.compile(
    r"\x1b\[[0-9;?]*[A-Za-z]"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""What a terminal would obey, what turns the direction of a line or ends it, and halves of letters, which no file can
hold."""
KEY = re.compile(r"[\x21-\x7e]+")
"""What may stand in a header."""


@dataclass(frozen=True)
class Server:
    """Where a model is asked."""

    secure: bool
    host: str
    port: int
    path: str
    model: str

    @property
    def name(self) -> str:
        return checked("openai-" + re.sub(r"[^A-Za-z0-9._-]+", "-", self.model).strip("-."))

    @property
    def digest(self) -> str:
        told = [self.secure, self.host, self.port, self.path, self.model, WANTED, PLAINLY]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    @property
    def may_be_told_secrets(self) -> bool:
        """Whether nobody between here and there can read along."""
        return self.secure or is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """By its name or number alone: what a name server says today is no promise."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def find_server(given: str) -> Server:
    """ "openai:http://127.0.0.1:8080/v1#tiny" -> where its chat completions are"""
    hint = "for example --system openai:http://127.0.0.1:8080/v1#my-model"
    address, _, model = given.removeprefix(PREFIX).partition("#")
    try:
        url = urlsplit(address)
        port = url.port or (443 if url.scheme == "https" else 80)
    except ValueError as error:
        raise UserError(f"{address} is no address: {error}", hint) from error
    if url.scheme not in ("http", "https") or not url.hostname:
        raise UserError(f"{address} is no address of a server", hint)
    if url.username or url.password:
        raise UserError("the address holds a name or password", "give a key in OPENAI_API_KEY instead")
    if not model or not re.search(r"[A-Za-z0-9]", model):
        raise UserError("which model of that server?", hint)
    path = f"{url.path.rstrip('/')}/chat/completions"
    if re.search(r"[\x00-\x20\x7f]", path + url.hostname):
        raise UserError("the address holds blanks or control characters", hint)
    return Server(url.scheme == "https", url.hostname, port, path, model)


@dataclass
class ChatTranslator:
    """Satisfies `Translator`. A request without an answer has no candidates, and a note says why."""

    server: Server
    target: str
    key: str = field(default="", repr=False)
    notes: list[str] = field(default_factory=list)
    failures: int = 0
    seconds: float = SECONDS
    connecting: float = CONNECTING
    """Of these; a model on a CPU may be silent for longer before it says anything."""

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self.answer(request)[:k] for request in requests]

    def answer(self, request: Request) -> list[Candidate]:
        try:
            found = read_choices(self.ask(request), self.key)
        except (OSError, http.client.HTTPException, ValueError, RunFailed) as error:
            self.failures += 1
            self.notes.append(f"{self.server.name}: {plain(request.text)[:80]}: {said_of(error, self.key)}")
            if self.failures >= MOST_FAILURES:
                raise RunFailed(
                    f"{MOST_FAILURES} requests in a row had no answer, the last for: {said_of(error, self.key)}",
                    "see that the server runs; the same command goes on where this one stopped",
                ) from None
            return []
        self.failures = 0
        return found

    def ask(self, request: Request) -> bytes:
        """The body of one answer, whole, or an error: within a time and a size."""
        if self.key and not KEY.fullmatch(self.key):
            raise RunFailed("the key holds blanks or letters that no header can", "set the key again")
        until = time.monotonic() + self.seconds
        kind: Callable[..., http.client.HTTPConnection] = http.client.HTTPConnection
        more: dict[str, Any] = {}
        if self.server.secure:
            kind, more = http.client.HTTPSConnection, {"context": ssl.create_default_context()}
        connection = kind(self.server.host, self.server.port, timeout=min(self.seconds, self.connecting), **more)
        try:
            headers = {"Content-Type": "application/json", "Accept": "application/json"}
            if self.key and self.server.may_be_told_secrets:
                headers["Authorization"] = f"Bearer {self.key}"
            told = body(self.server.model, self.target, request)
            connection.connect()
            connection.sock.settimeout(self.seconds)
            with hung_up_at(connection.sock, until):
                connection.request("POST", self.server.path, body=told, headers=headers)
                response = connection.getresponse()
                found = read_within(response, until, connection.sock)
            if response.status != 200:
                said = without_key(plain(found.decode(errors="replace")), self.key)
                raise RunFailed(f"the server said {response.status}: {said[:120]}")
            return found
        finally:
            connection.close()


@contextmanager
def hung_up_at(sock: socket.socket, until: float) -> Iterator[None]:
    """Ends a conversation at its time. A timeout of the socket is one of each read: whoever sends a letter now and
    then, or one "100 Continue" after the other, is never late for it."""
    is_late = threading.Event()

    def hang_up() -> None:
        is_late.set()
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(max(0.1, until - time.monotonic()), hang_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    except (OSError, http.client.HTTPException, ValueError):
        if is_late.is_set():
            raise RunFailed("it took too long") from None
        raise
    finally:
        timer.cancel()
    if is_late.is_set():  # what was read until then looks like all there is
        raise RunFailed("it took too long")


def read_within(response: http.client.HTTPResponse, until: float, sock: socket.socket | None) -> bytes:
    """All of it; a server that drips or never ends is left."""
    parts: list[bytes] = []
    size = 0
    while True:
        left = until - time.monotonic()
        if left <= 0:
            raise RunFailed("it took too long")
        if sock is not None and sock.fileno() >= 0:
            sock.settimeout(left)
        part = response.read1(CHUNK)
        if not part:
            return b"".join(parts)
        size += len(part)
        if size > LARGEST:
            raise RunFailed(f"its answer has more than {LARGEST:,} bytes")
        parts.append(part)


def body(model: str, target: str, request: Request) -> bytes:
    context = "\n\n".join(f"[{one.kind}{f' {one.name}' if one.name else ''}]\n{one.text}" for one in request.context)
    asked = f"{context[-LONGEST_CONTEXT:]}\n\n{request.text}" if context else request.text
    messages = [{"role": "system", "content": WANTED.get(target, PLAINLY)}, {"role": "user", "content": asked}]
    return json.dumps({"model": model, "messages": messages, "temperature": 0, "stream": False}).encode()


def read_choices(content: bytes, key: str = "") -> list[Candidate]:
    """The texts of an answer, in its order, each once; an empty one is none. They are kept: a key is not among them."""
    document = parse_json(content)
    choices = document.get("choices") if isinstance(document, dict) else None
    if not isinstance(choices, list):
        raise ValueError("what came is no chat completion")
    texts = []
    for choice in choices:
        message = choice.get("message") if isinstance(choice, dict) else None
        text = message.get("content") if isinstance(message, dict) else None
        if isinstance(text, str):
            texts.append(unfenced(without_key(plain(text, lines=True), key)))
    kept = list(dict.fromkeys(text for text in texts if text))
    return [Candidate(text, 1.0 - rank / len(kept)) for rank, text in enumerate(kept)]


def unfenced(text: str) -> str:
    """What stands between the fences where the whole answer is one block of code."""
    found = FENCED.match(text)
    return (found[1] if found else text).strip()


def plain(text: str, lines: bool = False) -> str:
    """Without what a terminal would obey."""
    kept = CONTROL.sub("", text.replace("\r\n", "\n"))
    return kept if lines else " ".join(kept.split())


def said_of(error: Exception, key: str) -> str:
    """One line; a server may echo the key that it was told."""
    told = plain(error.message if isinstance(error, RunFailed) else str(error) or type(error).__name__)
    return without_key(told, key)[:200]


def without_key(text: str, key: str) -> str:
    """Before anything is cut off, since half a key is one that can be guessed."""
    return text.replace(key, "(key)") if key else text


def open_server(server: Server, task: Task, key: str) -> System:
    return System(ChatTranslator(server, task.target.name, key), bundle=server.digest)
