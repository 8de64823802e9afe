"""A call as an HTTP request: address, headers and body, with `$NAME` where a secret belongs; in every shape.

What a value holds stays one value: escaped in the address, JSON in the body, one word of the shell.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from sayso.core.errors import BadInstruction
from sayso.targets.api.requests.shown import OPENER, STAYS, shell_word
from sayso.targets.api.specs.calls import Call, wrong_item
from sayso.targets.api.specs.model import Api, Operation, Scheme

NO_SERVER = "https://api.example"
"""Where a description names no server."""


@dataclass(frozen=True)
class Secret:
    """A key that is needed: how it is sent, and the name of the variable that holds it."""

    variable: str
    scheme: Scheme


@dataclass(frozen=True)
class Http:
    method: str
    url: str
    """Without secrets."""
    headers: tuple[tuple[str, str], ...] = ()
    body: str | None = None
    secrets: tuple[Secret, ...] = ()


def http_of(api: Api, operation: Operation, call: Call) -> Http:
    """The request of a call; raises BadInstruction where a value cannot stand where it belongs."""
    path, query, headers, cookies = operation.path, [], [], []
    values = dict(call.arguments)
    body = values.pop("body", None)
    for slot in operation.slots:
        if slot.where == "body" or slot.path not in values:
            continue
        value = values.pop(slot.path)
        for one in value if isinstance(value, list) else [value]:
            refused = (slot.where == "path" and one in ("", ".", "..")) or (
                slot.where == "header" and isinstance(one, str) and re.search(r"[\r\n\0]", one)
            )
            if refused:
                raise BadInstruction(f"{slot.path}: {wrong_item(slot, one)}")
        if slot.where == "path":
            text = slot.separator.join(map(plain, value)) if isinstance(value, list) else plain(value)
            path = path.replace(f"{{{slot.name}}}", quote(text, safe=""))
        elif slot.where == "query":
            if isinstance(value, list) and slot.exploded:
                query += [(slot.name, plain(one)) for one in value]
            else:
                query.append(
                    (slot.name, slot.separator.join(map(plain, value)) if isinstance(value, list) else plain(value))
                )
        elif slot.where == "header":
            headers.append(
                (slot.name, slot.separator.join(map(plain, value)) if isinstance(value, list) else plain(value))
            )
        else:
            cookies.append(f"{slot.name}={quote(plain(value), safe='')}")
    if values:
        raise BadInstruction(f"{operation.id} takes no {next(iter(values))}")
    if cookies:
        headers.append(("Cookie", "; ".join(cookies)))
    content = None
    if body is not None and operation.body:
        headers.append(("Content-Type", operation.body))
        content = body_text(operation, body)
    server = operation.server or next(iter(api.servers), NO_SERVER)
    if not re.match(r"https?://", server):
        server = NO_SERVER + ("/" + server.lstrip("/") if server.strip("/") else "")
    url = server.rstrip("/") + re.sub(r"\{([^{}]*)\}", r"%7B\1%7D", path)
    if query:
        url += ("&" if "?" in url else "?") + urlencode(query, quote_via=quote)
    return Http(operation.method.upper(), url, tuple(headers), content, secrets_of(api, operation))


def plain(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)


def body_text(operation: Operation, body: Any) -> str:
    if operation.body == "application/x-www-form-urlencoded" and isinstance(body, dict):
        return urlencode([(name, plain(value)) for name, value in body.items()])
    if isinstance(body, str) and "json" not in operation.body:
        return body
    return json.dumps(body, ensure_ascii=False)


def secrets_of(api: Api, operation: Operation) -> tuple[Secret, ...]:
    """The first set of schemes that is wholly known."""
    for names in operation.secured:
        found = [(name, api.schemes[name]) for name in names if name in api.schemes]
        if len(found) == len(names):
            return tuple(Secret(variable_of(api, name, scheme), scheme) for name, scheme in found)
    return ()


def variable_of(api: Api, name: str, scheme: Scheme) -> str:
    """Tidewater Tickets, bearer -> TIDEWATER_TICKETS_TOKEN"""
    ending = {"bearer": "TOKEN", "basic": "LOGIN", "key": "KEY"}.get(scheme.kind, "SECRET")
    stem = re.sub(r"[^A-Z0-9]+", "_", api.title.upper()).strip("_")[:32].strip("_") or "API"
    same = sum(one.kind == scheme.kind for one in api.schemes.values())
    middle = f"_{re.sub(r'[^A-Z0-9]+', '_', name.upper()).strip('_')}" if same > 1 else ""
    return re.sub(r"^(?=\d)", "API_", f"{stem}{middle}_{ending}")


def secret_header(secret: Secret, value: str) -> tuple[str, str] | None:
    """The header of a secret; None where it goes elsewhere or is the caller's own kind."""
    if secret.scheme.kind in ("bearer", "other"):
        return "Authorization", f"Bearer {value}"
    if secret.scheme.kind == "key" and secret.scheme.where == "header":
        return secret.scheme.name, value
    if secret.scheme.kind == "key" and secret.scheme.where == "cookie":
        return "Cookie", f"{secret.scheme.name}={value}"
    return None


def before_variable(text: str, variable: str) -> str:
    """Text and the value of a variable as one word of the shell; names in a description may hold anything."""
    if re.fullmatch(r"[\w.:= -]*", text, re.ASCII):
        return f'"{text}${variable}"'
    return f'{shell_word(text)}"${variable}"'


def query_secrets(http: Http) -> list[Secret]:
    return [one for one in http.secrets if one.scheme.kind == "key" and one.scheme.where == "query"]


def as_url(http: Http) -> str:
    return http.url


def with_queries(http: Http, word: Callable[[str], str]) -> str:
    """The address as a word of the shell, keys that go there behind it in double quotes."""
    text, join = word(http.url), "&" if "?" in http.url else "?"
    for one in query_secrets(http):
        text, join = f'{text}"{join}{quote(one.scheme.name)}=${one.variable}"', "&"
    return text


def as_curl(http: Http) -> str:
    parts = ["curl -sS -g"]
    if http.method != "GET":
        parts.append(f"-X {http.method}")
    for one in http.secrets:
        header = secret_header(one, "")
        if one.scheme.kind == "basic":
            parts.append(f'-u "${one.variable}"')
        elif header:
            parts.append(f"-H {before_variable(f'{header[0]}: {header[1]}', one.variable)}")
    parts += [f"-H {shell_word(f'{name}: {value}')}" for name, value in http.headers]
    if http.body is not None:
        parts.append(f"--data-raw {shell_word(http.body)}")
    return " ".join([*parts, with_queries(http, shell_word)])


SEPARATOR, ESCAPED = re.compile(r"[:;=@]"), r"\\\g<0>"


def httpie_item(name: str, value: str) -> str:
    """A header for httpie, to which `name:=@file` would be a file to send."""
    rest = value.lstrip(":;=@")
    return f"{SEPARATOR.sub(ESCAPED, name)}:{SEPARATOR.sub(ESCAPED, value[: len(value) - len(rest)])}{rest}"


def as_httpie(http: Http) -> str:
    parts = ["http --ignore-stdin"]
    if http.body is not None:
        parts.append(f"--raw {shell_word(http.body)}")
    parts += [f'-a "${one.variable}"' for one in http.secrets if one.scheme.kind == "basic"]
    parts += [http.method, with_queries(http, shell_word)]
    for one in http.secrets:
        header = secret_header(one, "")
        if header:
            parts.append(before_variable(f"{header[0]}:{header[1]}", one.variable))
    parts += [shell_word(httpie_item(name, value)) for name, value in http.headers]
    return " ".join(parts)


def as_python(http: Http) -> str:
    """A program for Python's own library, which would carry a key to wherever it is redirected: it stays."""
    lines = ["import base64, os, sys, urllib.parse, urllib.request", *STAYS]
    lines += [f"url = {http.url!r}", f"headers = {dict(http.headers)!r}"]
    join = "&" if "?" in http.url else "?"
    for one in http.secrets:
        header = secret_header(one, "")
        value = f'os.environ["{one.variable}"]'
        if one.scheme.kind == "basic":
            lines.append(f'headers["Authorization"] = "Basic " + base64.b64encode({value}.encode()).decode()')
        elif header:
            lines.append(f"headers[{header[0]!r}] = {header[1]!r} + {value}")
        else:
            lines.append(f"url += {join + quote(one.scheme.name) + '='!r} + urllib.parse.quote({value}, safe='')")
            join = "&"
    data = "None" if http.body is None else f"{http.body!r}.encode()"
    lines += [
        f"request = urllib.request.Request(url, {data}, headers, method={http.method!r})",
        f"with {OPENER}.open(request, timeout=30) as answer:",
        "    sys.stdout.buffer.write(answer.read())",
    ]
    return "\n".join(lines)


def as_json(http: Http) -> str:
    headers = dict(http.headers)
    for one in http.secrets:
        header = secret_header(one, f"${one.variable}")
        if header:
            headers[header[0]] = header[1]
        elif one.scheme.kind == "basic":
            headers["Authorization"] = f"Basic ${one.variable}"
    url, join = http.url, "&" if "?" in http.url else "?"
    for one in query_secrets(http):
        url, join = f"{url}{join}{quote(one.scheme.name)}=${one.variable}", "&"
    shape = {"method": http.method, "url": url, "headers": headers, "body": http.body}
    return json.dumps(shape, ensure_ascii=False)


SHAPES: Mapping[str, Callable[[Http], str]] = {
    "curl": as_curl,
    "url": as_url,
    "httpie": as_httpie,
    "python": as_python,
    "json": as_json,
}


def every_shape(api: Api, operation: Operation, call: Call) -> dict[str, object]:
    """A call in every shape; where no request can be made of it, `said` has the reason."""
    try:
        http = http_of(api, operation, call)
    except BadInstruction as error:
        return {"said": [f"no request can be made of this: {error.message}"]}
    said = [f"${one.variable} holds your key" for one in http.secrets]
    return {**{name: shape(http) for name, shape in SHAPES.items()}, "said": said}
