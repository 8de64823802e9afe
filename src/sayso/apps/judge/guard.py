"""Who may talk to the page's server: only a browser that was given the link, and only pages that it served itself.

Binding to 127.0.0.1 does not keep other web sites out: they reach it through the browser (CSRF) or through a name of
theirs that resolves to 127.0.0.1 (DNS rebinding). Hence the token, the Host and Origin checks and the strict policy.
"""

from __future__ import annotations

import hmac
import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
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
STOPPED = "this link does not belong to the server that runs now: open the one that `sayso judge` printed"


class Guard:
    """Wraps an ASGI app and answers 403 to whatever it should not see."""

    def __init__(self, app: ASGIApp, port: int, token: str = "") -> None:
        self.app = app
        self.token = token or secrets.token_urlsafe(24)
        # Cookies know no ports: two servers on one machine need two names.
        self.cookie = f"sayso_judge_{port}"
        self.host = f"127.0.0.1:{port}"
        self.hosts = {self.host, f"localhost:{port}"}
        self.origins = {f"http://{host}" for host in self.hosts}
        self._once: set[str] = set()

    def link(self, once: bool = False) -> str:
        """The address to open. A link that works `once` may stand where other users see it, as in a process list."""
        token = self.token
        if once:
            token = secrets.token_urlsafe(24)
            self._once.add(token)
        return f"http://{self.host}/?token={token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        response = self.refuse(scope)
        await (response or self.app)(scope, receive, _with_headers(send))

    def refuse(self, scope: Scope) -> Response | None:
        """The answer to a request that goes no further, or None."""
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self.hosts:
            return PlainTextResponse("unknown host", 403)
        origin = headers.get("origin")
        if (origin or scope["method"] not in ("GET", "HEAD")) and origin not in self.origins:
            return PlainTextResponse("unknown origin", 403)
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        if scope["path"] == "/" and given and (self._is_token(given[0]) or self._is_first(given[0])):
            # The token leaves the address bar, so that it is in no history and in no screenshot.
            answer = RedirectResponse("/", 303)
            answer.set_cookie(self.cookie, self.token, httponly=True, samesite="strict")
            return answer
        if not self._is_token(_cookie(headers.get("cookie", ""), self.cookie)):
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


def _cookie(header: str, name: str) -> str:
    try:
        found = SimpleCookie(header).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
        await send(message)

    return sending
