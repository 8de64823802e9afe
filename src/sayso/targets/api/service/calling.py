"""How a service is asked: in this process, request by request and without a socket, or over loopback alone."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette

from sayso.core.errors import MachineError
from sayso.targets.api.service.app import Service, application

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes

    def read(self) -> Any:
        """The JSON of it."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Client:
    """Asks an application as an HTTP server would, by its ASGI interface."""

    app: Starlette

    def get(self, url: str, headers: tuple[tuple[str, str], ...] = ()) -> Answer:
        """`/v1.0/me/messages?$top=5`, escaped as it goes over the wire -> the answer; a link to a next page will do."""
        url = url.removeprefix(f"http://{LOOPBACK}")
        path, _, query = url.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(b"host", LOOPBACK.encode()), *((name.encode(), value.encode()) for name, value in headers)],
            "client": (LOOPBACK, 0),
            "server": (LOOPBACK, 80),
        }
        sent: list[MutableMapping[str, Any]] = []

        async def receive() -> MutableMapping[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(message)

        asking = self.app(scope, receive, send)
        try:
            asking.send(None)
        except StopIteration:
            return Answer(int(sent[0]["status"]), b"".join(part.get("body", b"") for part in sent[1:]))
        raise MachineError("the service waits for something, which it never should")


def client_of(service: Service) -> Client:
    return Client(application(service))


@contextmanager
def served(service: Service) -> Iterator[str]:
    """The service on a free port of loopback while the block runs; yields `http://127.0.0.1:PORT`."""
    import uvicorn

    config = uvicorn.Config(application(service), host=LOOPBACK, log_level="critical", lifespan="off", ws="none")
    server = uvicorn.Server(config)
    with socket.socket() as listening:
        listening.bind((LOOPBACK, 0))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            while not server.started:
                if not thread.is_alive():
                    raise MachineError("the service on loopback did not start")
                time.sleep(0.005)
            yield f"http://{LOOPBACK}:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(10)
