"""One request sent to the server that a description names, and what came back. Apps ask first; nothing else sends.

No proxy, no other host: a redirect is followed only within the same server, and only for what reads. Secrets are put in
here, stand in no error and are masked in what comes back.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

from sayso.core.errors import RunFailed, UserError
from sayso.targets.api.specs.shapes import NO_SERVER, Http, secret_header

SECONDS = 20.0
LARGEST = 8 << 20
TRIES = 3
REDIRECTS = 3
LONGEST_WAIT = 10.0
MASK = "•••"
LOCAL = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Answer:
    status: int
    kind: str
    """Content type."""
    text: str
    said: tuple[str, ...] = ()


def send(
    request: Http,
    secret: Callable[[str], str | None],
    seconds: float = SECONDS,
    wait: Callable[[float], None] = time.sleep,
) -> Answer:
    """Sends a request; raises UserError where it cannot go out, RunFailed where no answer came."""
    url, headers, values = with_secrets(request, secret)
    said: list[str] = []
    hops = tries = 0
    while True:
        status, got, body = once(request.method, url, headers, request.body, seconds)
        if status in (429, 503) and tries < TRIES - 1:
            pause = min(LONGEST_WAIT, retry_after(got) or 0.5 * 2**tries)
            tries += 1
            said.append(f"the server answered {status}; tried again after {pause:g} s")
            wait(pause)
            continue
        if status in (301, 302, 303, 307, 308) and "location" in got:
            there = urljoin(url, got["location"])
            if origin(there) != origin(url):
                scheme, host, port = origin(there)
                raise RunFailed(
                    f"the server redirects to another host ({scheme}://{host}:{port}); nothing was sent there",
                    "look at `servers` of the description",
                )
            hops += 1
            if request.method not in ("GET", "HEAD") or hops > REDIRECTS:
                raise RunFailed(f"the server redirects a {request.method} ({status}); it was not followed", "")
            url = there
            continue
        break
    text = body.decode("utf-8", "replace")
    for value in values:
        for form in (value, base64.b64encode(value.encode()).decode(), quote(value, safe="")):
            text = text.replace(form, MASK)
    kind = got.get("content-type", "").partition(";")[0].strip().casefold()
    if kind == "text/html":
        said.append("the server answered with a page of HTML, not with data: is this address right?")
    return Answer(status, kind, text, tuple(said))


def origin(url: str) -> tuple[str, str, int]:
    try:
        parts = urlsplit(url)
        return parts.scheme, (parts.hostname or "").casefold(), parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError as error:
        raise RunFailed(f"this is no address to send to: {error}", "look at `servers` of the description") from None


def with_secrets(request: Http, secret: Callable[[str], str | None]) -> tuple[str, dict[str, str], list[str]]:
    if request.url.startswith(NO_SERVER):
        raise UserError("the description names no server", "add `servers` to it")
    url, headers, values = request.url, dict(request.headers), []
    origin(url)
    if urlsplit(url).username or urlsplit(url).password:
        raise UserError("the server's address holds a name or password", "take it out of `servers`")
    for one in request.secrets:
        value = secret(one.variable)
        if not value:
            raise UserError(
                f"${one.variable} is not set", f"export {one.variable}=… or `keyring set sayso {one.variable}`"
            )
        if any(mark in value for mark in "\r\n\0"):
            raise UserError(f"${one.variable} holds a line break", "set it again without")
        if urlsplit(url).scheme != "https" and (urlsplit(url).hostname or "") not in LOCAL:
            raise UserError(
                f"${one.variable} would go over an unencrypted connection to {urlsplit(url).hostname}",
                "use an https server",
            )
        values.append(value)
        header = secret_header(one, value)
        if one.scheme.kind == "basic":
            headers["Authorization"] = "Basic " + base64.b64encode(value.encode()).decode()
        elif header:
            headers[header[0]] = header[1]
        else:
            url += ("&" if "?" in url else "?") + f"{quote(one.scheme.name)}={quote(value, safe='')}"
    return url, headers, values


def once(
    method: str, url: str, headers: Mapping[str, str], body: str | None, seconds: float
) -> tuple[int, dict[str, str], bytes]:
    """One exchange within so many seconds altogether: a server may also send a byte now and then, and never end."""
    scheme, host, port = origin(url)
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    end = time.monotonic() + seconds
    watch: threading.Timer | None = None
    connection: http.client.HTTPConnection
    if scheme == "https":
        connection = http.client.HTTPSConnection(host, port, timeout=seconds, context=ssl.create_default_context())
    else:
        connection = http.client.HTTPConnection(host, port, timeout=seconds)
    try:
        connection.connect()
        watch = threading.Timer(max(0.0, end - time.monotonic()), cut, [connection.sock])
        watch.daemon = True
        watch.start()
        connection.request(
            method,
            path,
            None if body is None else body.encode(),
            {"User-Agent": "sayso", "Accept": "application/json", **headers},
        )
        answer = connection.getresponse()
        got = {name.casefold(): value for name, value in answer.getheaders()}
        parts_read, size = [], 0
        while part := answer.read1(1 << 16):
            size += len(part)
            parts_read.append(part)
            if size > LARGEST:
                raise RunFailed(
                    f"{host} answered with more than {LARGEST:,} bytes; the rest was not read", "ask for less"
                )
        if time.monotonic() > end:  # what was read may be the beginning only
            raise TimeoutError
        return answer.status, got, b"".join(parts_read)
    except (OSError, http.client.HTTPException, ValueError) as error:
        if isinstance(error, TimeoutError) or time.monotonic() > end:
            raise RunFailed(
                f"{host} did not answer within {seconds:g} seconds", "try again, or look whether it is up"
            ) from None
        why = (
            type(error).__name__
            if isinstance(error, http.client.HTTPException | ValueError)
            else (error.strerror or type(error).__name__)
        )
        raise RunFailed(f"{host} cannot be asked: {why}", "is the server up, and the address right?") from None
    finally:
        if watch is not None:
            watch.cancel()
        connection.close()


def cut(connected: socket.socket) -> None:
    """Ends what waits for a connection; beneath TLS, which may be in the middle of a record."""
    with contextlib.suppress(OSError):
        socket.socket.shutdown(connected, socket.SHUT_RDWR)


def retry_after(headers: Mapping[str, str]) -> float:
    text = headers.get("retry-after", "")
    return float(text) if text.isdecimal() and len(text) < 6 else 0.0
