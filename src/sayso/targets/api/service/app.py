"""The service on starlette: `$metadata`, sets of rows in pages, their number; it answers GET and changes nothing."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.engine import Engine
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sayso.targets.api.service.filters import condition, order, searched
from sayso.targets.api.service.metadata import metadata
from sayso.targets.api.service.model import Model, Rows, items_shown, nested
from sayso.targets.api.service.options import Options, read_options
from sayso.targets.api.service.refusals import Refused, shown
from sayso.targets.api.service.tables import Mapped, filled, limited, mapped_sets

ROOT = "/v1.0"
PAGE = 1_000
PREFERRED = re.compile(r"odata\.maxpagesize=([1-9][0-9]{0,5})\b")
Restrict = Callable[[str, Options], None]
"""The address of a set and what is asked of it: raises Refused where this service does not answer that."""


def nothing_refused(path: str, options: Options) -> None:
    """OData whole."""


@dataclass(frozen=True)
class Service:
    """Rows that are served; `restrict` makes it refuse what a stricter service does."""

    model: Model
    engine: Engine
    restrict: Restrict = nothing_refused
    page: int = PAGE

    def close(self) -> None:
        self.engine.dispose()


def open_service(model: Model, rows: Rows, restrict: Restrict = nothing_refused, page: int = PAGE) -> Service:
    """Rows are copied into memory: nothing of it outlives `close`."""
    return Service(model, filled(model, rows), restrict, page)


def application(service: Service) -> Starlette:
    """No endpoint waits for anything, so that a caller in this process needs no event loop."""

    async def answer(request: Request) -> Response:
        try:
            return _answer(service, request)
        except Refused as refused:
            return _error(refused.status, refused.code, refused.message)
        except RecursionError:
            return _error(400, "BadRequest", "The query is too deep")
        except OperationalError as error:
            if "interrupted" in str(error.orig):
                return _error(400, "BadRequest", "The query takes too long")
            return _error(500, "InternalServerError", f"The service failed: {error.orig}")
        except SQLAlchemyError as error:
            return _error(500, "InternalServerError", f"The service failed: {type(error).__name__}")

    return Starlette(routes=[Route("/{path:path}", answer, methods=["GET"])])


def _answer(service: Service, request: Request) -> Response:
    path = request.url.path
    if not path.startswith(f"{ROOT}/"):
        raise Refused(f"Resource not found for {shown(path)}; the service is at {ROOT}", "NotFound", 404)
    name = path.removeprefix(f"{ROOT}/").rstrip("/")
    if not name:
        return _json({"@odata.context": f"{ROOT}/$metadata", "value": [_listed(one) for one in service.model.sets]})
    if name == "$metadata":
        return Response(metadata(service.model), media_type="application/xml")
    counted = name.endswith("/$count")
    name = name.removesuffix("/$count")
    one = mapped_sets(service.model).get(name)
    if one is None:
        raise Refused(f"Resource not found for the segment {shown(name)}", "NotFound", 404)
    options = read_options(request.scope["query_string"])
    service.restrict(name, options)
    found = Found(service, one, options)
    if counted:
        return Response(str(found.number()), media_type="text/plain")
    preferred = PREFERRED.search(request.headers.get("prefer", ""))
    return _json(
        found.page(
            str(request.url.replace(query="")), min(service.page, int(preferred[1])) if preferred else service.page
        )
    )


@dataclass(frozen=True)
class Found:
    """What one request asks of one set."""

    service: Service
    one: Mapped
    options: Options

    def conditions(self) -> list[ColumnElement[bool]]:
        asked = self.options
        return [
            *([condition(asked.filter, self.one)] if asked.filter else []),
            *([searched(asked.search, self.one)] if asked.search else []),
        ]

    def number(self) -> int:
        with self.service.engine.connect() as connection:
            _limit(connection.connection.dbapi_connection)
            return self._number(connection, self.conditions())

    def _number(self, connection: Any, conditions: list[ColumnElement[bool]]) -> int:
        return int(connection.execute(select(func.count(self.one.columns["id"])).where(*conditions)).scalar_one())

    def page(self, address: str, size: int) -> Mapping[str, object]:
        asked, fields, conditions = self.options, self.shown_fields(), self.conditions()
        left = max(0, asked.top - asked.skiptoken) if asked.top is not None else None
        wanted = size if left is None else min(size, left)
        plain = [field for field in fields if field not in self.one.collections]
        statement = (
            select(self.one.columns["id"], *(self.one.columns[field] for field in plain))
            .where(*conditions)
            .order_by(*order(asked.orderby, self.one))
            .offset(asked.skip + asked.skiptoken)
            .limit(wanted + 1)
        )
        with self.service.engine.connect() as connection:
            _limit(connection.connection.dbapi_connection)
            found = connection.execute(statement).all()
            rows, more = found[:wanted], len(found) > wanted and left != wanted
            number = self._number(connection, conditions) if asked.count else 0
            held = {field: self._values(connection, field) for field in fields if field in self.one.collections}
        value = [
            nested({field: held[field].get(row[0], []) if field in held else next_of[field] for field in fields})
            for row in rows
            for next_of in (dict(zip(plain, row[1:], strict=True)),)
        ]
        answer: dict[str, object] = {"@odata.context": f"{ROOT}/$metadata#{address.rpartition(ROOT + '/')[2]}"}
        if asked.count:
            answer["@odata.count"] = number
        answer["value"] = value
        if more:
            answer["@odata.nextLink"] = f"{address}?{_link(asked, asked.skiptoken + wanted)}"
        return answer

    def shown_fields(self) -> list[str]:
        """All, or those that `$select` and `$expand` name: a field, or every field of an object."""
        fields, chosen = list(self.one.type.fields), (*self.options.select, *self.options.expand)
        for name in chosen:
            if name != "*" and not any(field == name or field.startswith(f"{name}/") for field in fields):
                raise Refused(f"Could not find a property named {shown(name)} on type {self.one.type.name!r}")
        if not self.options.select or "*" in chosen:
            return fields
        shown_names = ("id", *chosen)
        return [field for field in fields if any(field == one or field.startswith(f"{one}/") for one in shown_names)]

    def _values(self, connection: Any, field: str) -> Mapping[str, list[Any]]:
        table, columns = self.one.collections[field]
        held: dict[str, list[tuple[str, ...]]] = {}
        for owner, *item in connection.execute(select(table.c.owner, *columns.values()).order_by(table.c.number)):
            held.setdefault(owner, []).append(tuple(item))
        kind = self.one.type.fields[field]
        return {owner: items_shown(kind, items) for owner, items in held.items()}


def _limit(raw: object) -> None:
    if isinstance(raw, sqlite3.Connection):
        limited(raw)


def _link(asked: Options, given: int) -> str:
    """The query of the next page: what was asked, and how many rows were given."""
    said = {
        "$filter": asked.filter,
        "$search": asked.search,
        "$orderby": asked.orderby,
        "$top": "" if asked.top is None else str(asked.top),
        "$skip": str(asked.skip) if asked.skip else "",
        "$select": ",".join(asked.select),
        "$expand": ",".join(asked.expand),
        "$count": "true" if asked.count else "",
        "$skiptoken": str(given),
    }
    return "&".join(f"{name}={quote(value, safe='')}" for name, value in said.items() if value)


def _listed(path: str) -> dict[str, str]:
    return {"name": path, "kind": "EntitySet", "url": path}


def _json(value: Mapping[str, object], status: int = 200) -> Response:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Response(text, status, {"OData-Version": "4.0"}, "application/json")


def _error(status: int, code: str, message: str) -> Response:
    return _json({"error": {"code": code, "message": " ".join(message.split())}}, status)
