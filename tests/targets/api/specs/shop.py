"""A small API of our own for tests, and a server that behaves badly on demand."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

from sayso.targets.api.specs.documents import Documents
from sayso.targets.api.specs.model import Api
from sayso.targets.api.specs.openapi import read_openapi

SHOP: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Corner Shop"},
    "servers": [{"url": "https://shop.example/v1"}],
    "security": [{"token": []}],
    "paths": {
        "/items": {
            "get": {
                "operationId": "listItems",
                "summary": "List items",
                "parameters": [
                    {"name": "colour", "in": "query", "schema": {"type": "string", "enum": ["red", "green"]}},
                    {"name": "max_price", "in": "query", "schema": {"type": "number"}},
                    {"name": "words", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
                    {"name": "X-Note", "in": "header", "schema": {"type": "string"}},
                ],
            },
            "post": {
                "operationId": "addItem",
                "summary": "Add an item",
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}},
                },
            },
        },
        "/items/{item_id}": {
            "delete": {
                "operationId": "deleteItem",
                "summary": "Delete an item",
                "parameters": [{"name": "item_id", "in": "path", "required": True, "schema": {"type": "string"}}],
            }
        },
    },
    "components": {
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        "schemas": {
            "Item": {
                "type": "object",
                "required": ["title"],
                "properties": {
                    "title": {"type": "string"},
                    "price": {"type": "number"},
                    "maker": {"$ref": "#/components/schemas/Maker"},
                },
            },
            "Maker": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string"}, "best": {"$ref": "#/components/schemas/Item"}},
            },
        },
    },
}


def written(folder: Path, description: object = SHOP, name: str = "shop.json") -> Path:
    path = folder / name
    path.write_text(description if isinstance(description, str) else json.dumps(description), encoding="utf-8")
    return path


def api_at(path: Path) -> Api:
    return read_openapi(Documents(path))


class Bad(BaseHTTPRequestHandler):
    """What it does is said by the path."""

    seen: ClassVar[list[tuple[str, str, dict[str, str]]]] = []

    def do_GET(self) -> None:
        self.seen.append((self.command, self.path, dict(self.headers.items())))
        way = self.path.strip("/").partition("?")[0]
        if way == "hang":
            time.sleep(3)
        elif way in ("drip-headers", "drip-line", "drip-body"):
            self.drip(way)
        elif way == "html":
            self.answer(200, "text/html", b"<html>welcome</html>")
        elif way == "away":
            self.send_response(302)
            self.send_header("Location", "http://elsewhere.invalid/x")
            self.end_headers()
        elif way == "busy" and len(self.seen) < 3:
            self.answer(429, "application/json", b"{}")
        else:
            said = json.dumps({"key": self.headers.get("Authorization", "")}).encode()
            self.answer(200, "application/json", said)

    do_POST = do_GET

    def drip(self, way: str) -> None:
        """A byte or a line now and then, each long before anybody would give up waiting for it."""
        starts = {"drip-line": b"X-A: ", "drip-body": b"Content-Length: 9999\r\n\r\n"}
        with contextlib.suppress(OSError):
            self.wfile.write(b"HTTP/1.1 200 OK\r\n" + starts.get(way, b""))
            for at in range(60):
                self.wfile.write(b"X-%d: 1\r\n" % at if way == "drip-headers" else b"a")
                self.wfile.flush()
                time.sleep(0.05)

    def answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged."""


@contextmanager
def bad_server() -> Iterator[tuple[str, list[tuple[str, str, dict[str, str]]]]]:
    Bad.seen = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Bad)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", Bad.seen
    finally:
        server.shutdown()
        server.server_close()
