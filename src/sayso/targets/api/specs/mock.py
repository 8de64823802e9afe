"""A server made from a description alone, for trying calls: it checks what comes in and answers with examples.

It keeps nothing: what is created is gone with the answer.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from sayso.targets.api.specs.calls import Call, findings
from sayso.targets.api.specs.model import Api, Operation, Slot

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

LARGEST = 4 << 20


def mock_app(api: Api) -> Starlette:
    """The description as a starlette app: 200, 201 or 204 with an example, 400 with what is wrong, 404, 405."""
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    routes = [(pattern_of(one.path), one) for one in sorted(api.operations, key=lambda one: one.path.count("{"))]
    bases = {urlsplit(server).path.rstrip("/") for server in api.servers}

    async def answer(request: Request) -> Response:
        path = request.scope["raw_path"].decode("latin-1").partition("?")[0]
        for base in sorted(bases, key=len, reverse=True):
            if base and path.startswith(base):
                path = path[len(base) :]
                break
        fitting = [(found, one) for pattern, one in routes if (found := pattern.fullmatch(path))]
        if not fitting:
            return JSONResponse({"error": f"there is no {path}"}, 404)
        match = next(((found, one) for found, one in fitting if one.method.upper() == request.method), None)
        if match is None:
            return JSONResponse({"error": f"{path} does not take {request.method}"}, 405)
        body = await request.body()
        if len(body) > LARGEST:
            return JSONResponse({"error": "the body is too large"}, 413)
        call = read_back(match[1], match[0], request, body)
        if isinstance(call, str):
            return JSONResponse({"error": call}, 400)
        wrong = [one.message for one in findings(call, match[1])]
        if wrong:
            return JSONResponse({"error": "; ".join(wrong)}, 400)
        if request.method == "DELETE":
            return Response(status_code=204)
        shown = {"operation": match[1].id, "arguments": dict(call.arguments)}
        return JSONResponse(shown, 201 if request.method == "POST" else 200)

    methods = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH"]
    return Starlette(routes=[Route("/{rest:path}", answer, methods=methods)])


def pattern_of(path: str) -> re.Pattern[str]:
    parts = re.split(r"(\{[^{}]+\})", path)
    return re.compile("".join("([^/]+)" if part.startswith("{") else re.escape(part) for part in parts))


def read_back(operation: Operation, found: re.Match[str], request: Request, body: bytes) -> Call | str:
    """The call that a request is; a text says what cannot be read."""
    names = re.findall(r"\{([^{}]+)\}", operation.path)
    given = {name: unquote(value) for name, value in zip(names, found.groups(), strict=True)}
    query: dict[str, list[str]] = {}
    for name, value in parse_qsl(request.url.query, keep_blank_values=True):
        query.setdefault(name, []).append(value)
    arguments: dict[str, Any] = {}
    for slot in operation.slots:
        texts: list[str] | None = None
        if slot.where == "path" and slot.name in given:
            texts = [given[slot.name]]
        elif slot.where == "query" and slot.name in query:
            texts = query[slot.name]
        elif slot.where == "header" and slot.name in request.headers:
            texts = [request.headers[slot.name]]
        if texts is not None:
            parts = (
                [part for text in texts for part in text.split(slot.separator)]
                if slot.many and not slot.exploded
                else texts
            )
            arguments[slot.path] = [typed(slot, part) for part in parts] if slot.many else typed(slot, parts[0])
    if body and operation.body:
        try:
            is_form = operation.body == "application/x-www-form-urlencoded"
            arguments["body"] = form_of(operation, body) if is_form else json.loads(body)
        except ValueError as error:
            return f"the body is not JSON: {error}"
    return Call(operation.id, arguments)


def form_of(operation: Operation, body: bytes) -> dict[str, Any]:
    slots = {slot.name: slot for slot in operation.slots if slot.where == "body"}
    pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)
    return {name: typed(slots[name], value) if name in slots else value for name, value in pairs}


def typed(slot: Slot, text: str) -> Any:
    """A text of an address as the kind of value that it should be; what is not, stays text."""
    try:
        if slot.kind == "integer":
            return int(text)
        if slot.kind == "number":
            return float(text) if "." in text else int(text)
    except ValueError:
        return text
    if slot.kind == "boolean" and text in ("true", "false"):
        return text == "true"
    return text
