"""Who may talk to the page's server: only a browser that was given the link, and only pages that it served itself.

Binding to 127.0.0.1 does not keep other web sites out: they reach it through the browser (CSRF) or through a name of
theirs that resolves to 127.0.0.1 (DNS rebinding). Hence the token, the Host and Origin checks and the strict policy.
The token comes in a header that the page's script sets: a browser sends a cookie to every port of 127.0.0.1.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
ENTER = "/api/enter"
"""Where the page turns what stood behind the # into the token; a link that works once gets it once."""
STOPPED = "this link does not belong to the server that runs now: open the one that `sayso judge` printed"


class Guard:
    """Wraps an ASGI app and answers 403 to whatever it should not see; `open_paths` are files that hold no secret."""

    def __init__(self, app: ASGIApp, port: int, open_paths: Collection[str] = (), token: str = "") -> None:
        self.app = app
        self.open_paths = frozenset(open_paths)
        self.token = token or secrets.token_urlsafe(24)
        self.host = f"127.0.0.1:{port}"
        self.hosts = {self.host, f"localhost:{port}"}
        self.origins = {f"http://{host}" for host in self.hosts}
        self._once: set[str] = set()

    def link(self, once: bool = False) -> str:
        """The address to open. A link that works `once` may stand where other users see it, as in a process list.

        The token is behind the #, which browsers send to nobody; the page's script takes it out of the address bar.
        """
        token = self.token
        if once:
            token = secrets.token_urlsafe(24)
            self._once.add(token)
        return f"http://{self.host}/#{token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        response = self.answer(scope)
        await (response or self.app)(scope, receive, _with_headers(send))

    def answer(self, scope: Scope) -> Response | None:
        """The answer to a request that goes no further, or None."""
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self.hosts:
            return PlainTextResponse("unknown host", 403)
        origin = headers.get("origin")
        is_question = scope["method"] in ("GET", "HEAD")
        if (origin or not is_question) and origin not in self.origins:
            return PlainTextResponse("unknown origin", 403)
        if is_question and scope["path"] in self.open_paths:
            return None
        given = headers.get("authorization", "").removeprefix("Bearer ")
        if scope["path"] == ENTER and not is_question and (self._is_token(given) or self._is_first(given)):
            return JSONResponse({"token": self.token})
        if not self._is_token(given):
            if scope["path"].startswith("/api/"):
                return JSONResponse({"error": STOPPED}, 403)
            return PlainTextResponse(STOPPED, 403)
        return None

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())

    def _is_first(self, given: str) -> bool:
        """Whether this is a link that works once, and has not."""
        known = given in self._once
        self._once.discard(given)
        return known


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
        await send(message)

    return sending
