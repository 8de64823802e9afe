"""The page over HTTP: files from page/, and a few JSON questions that desk.py answers."""

from __future__ import annotations

import errno
import socket
from collections.abc import Awaitable, Callable
from importlib.resources import files

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from uvicorn import Config, Server

from sayso.apps.judge.desk import Desk, Stale, check_name
from sayso.apps.judge.guard import Guard
from sayso.apps.judge.items import Json, read_object
from sayso.core.errors import SaysoError, UserError

LARGEST_BODY = 1_000_000
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def make_app(desk: Desk, port: int, annotator: str = "") -> Guard:
    """The whole application; `annotator` is the name that the page suggests."""

    def hello(asked: Json) -> Json:
        return {"annotator": annotator}

    def state(asked: Json) -> Json:
        return desk.overview(_name(asked))

    def following(asked: Json) -> Json:
        return desk.next(_name(asked), str(asked.get("queue", "fresh")))

    def answer(asked: Json) -> Json:
        value, look = asked.get("answer"), asked.get("look")
        if not isinstance(value, dict) or type(look) is not int or look < 1:
            raise UserError("an answer has an item, a look and a value")
        return desk.save(_name(asked), _text(asked, "item"), look, value, asked.get("accept") is True)

    def undo(asked: Json) -> Json:
        return desk.undo(_name(asked))

    def again(asked: Json) -> Json:
        return desk.again(_name(asked), _text(asked, "item"), _text(asked, "why"))

    def skip(asked: Json) -> Json:
        return desk.skip(_name(asked), _text(asked, "item"))

    questions = {"hello": hello, "state": state, "next": following}
    orders = {"answer": answer, "undo": undo, "again": again, "skip": skip}
    routes = [
        *(Route(path, _file(name), methods=["GET"]) for path, name in _page_files()),
        *(Route(f"/api/{name}", _question(action), methods=["GET"]) for name, action in questions.items()),
        *(Route(f"/api/{name}", _order(action), methods=["POST"]) for name, action in orders.items()),
    ]
    return Guard(Starlette(routes=routes), port, [path for path, _ in _page_files()])


def bind(port: int) -> socket.socket:
    """A socket on 127.0.0.1, before anything is printed; port 0 takes a free one."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    # A port whose last server has just been stopped can be taken again.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen(64)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise UserError(f"port {port} is in use", "leave --port out to take a free one") from None
        raise UserError(
            f"cannot listen on port {port}: {error.strerror}", "leave --port out to take a free one"
        ) from None
    return listener


def make_server(app: Guard) -> Server:
    """A uvicorn server that says nothing by itself; `run(sockets=[…])` blocks until Ctrl-C."""
    # Date and server name tell a stranger nothing useful; two seconds are enough for an answer that is being saved.
    return Server(
        Config(app, log_config=None, access_log=False, server_header=False, lifespan="off", timeout_graceful_shutdown=2)
    )


Action = Callable[[Json], Json]
Endpoint = Callable[[Request], Awaitable[Response]]


def _question(action: Action) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        return await _answered(action, dict(request.query_params))

    return endpoint


def _order(action: Action) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        # A form on another site cannot send this type without asking first (CORS), and we never say yes.
        if request.headers.get("content-type", "").partition(";")[0] != "application/json":
            return JSONResponse({"error": "expected application/json"}, 415)
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST_BODY:
                return JSONResponse({"error": "that is too long to be saved"}, 413)
        try:
            asked = read_object(bytes(body))
        except (ValueError, UserError):
            return JSONResponse({"error": "expected a JSON object in UTF-8"}, 400)
        return await _answered(action, asked)

    return endpoint


async def _answered(action: Action, asked: Json) -> Response:
    """Disk and locks are waited for in a thread; an error becomes a line that the page shows."""
    try:
        return JSONResponse(await run_in_threadpool(action, asked))
    except Stale as error:
        return JSONResponse({"error": _line(error)}, 409)
    except UserError as error:
        return JSONResponse({"error": _line(error)}, 422)
    except SaysoError as error:
        return JSONResponse({"error": _line(error)}, 500)


def _line(error: SaysoError) -> str:
    return f"{error.message}: {error.hint}" if error.hint else error.message


def _page_files() -> list[tuple[str, str]]:
    names = sorted(entry.name for entry in files("sayso.apps.judge").joinpath("page").iterdir())
    return [("/" if name == "index.html" else f"/{name}", name) for name in names if f".{name.split('.')[-1]}" in TYPES]


def _file(name: str) -> Endpoint:
    content = files("sayso.apps.judge").joinpath("page", name).read_bytes()
    kind = TYPES[f".{name.split('.')[-1]}"]

    async def endpoint(request: Request) -> Response:
        return Response(content, media_type=kind)

    return endpoint


def _name(asked: Json) -> str:
    return check_name(_text(asked, "annotator"))


def _text(asked: Json, name: str) -> str:
    value = asked.get(name, "")
    if not isinstance(value, str):
        raise UserError(f"{name} must be text")
    return value
