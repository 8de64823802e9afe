"""Functions and requests for them that weights are learnt from: `data/asked/functions.txt`, written for that alone.

`fn [METHOD] name | what it does | slot; slot`, a slot as `name:kind! description`: s, i, n, b, d, `e(a,b)`, `[s]`, with
`!` where it is required, `=value` for a default and `@` before it where it stands in the path. `> request => slot=x`
belongs to the function above it or to the one that it names; `-` is no call of them.
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.specs.documents import Documents
from sayso.targets.api.specs.model import Api, Operation, Slot
from sayso.targets.api.specs.openapi import read_openapi

KINDS = {"s": "string", "i": "integer", "n": "number", "b": "boolean", "d": "string"}
NOW = re.compile(r"^# .*Now is ([\d:T-]+)Z", re.MULTILINE)
SLOT = re.compile(
    r"(?P<at>@?)(?P<name>[\w.]+):(?P<kind>\[?(?:[sinbd]|e\([^)]*\))\]?)(?P<must>!?)(?:=(?P<default>[\w.-]*\w))?\s*(?P<text>.*)"
)


@dataclass(frozen=True)
class Wanted:
    """A request, the operation that it asks for ("" for none of them) and its values by path of the slot."""

    text: str
    operation: str
    values: dict[str, Any]
    clock: Clock


@dataclass(frozen=True)
class Taught:
    name: str
    api: Api
    wanted: tuple[Wanted, ...]


def taught() -> Iterator[Taught]:
    """Every group of functions with the requests for them, of all files."""
    folder = files("sayso.targets.api") / "data" / "asked"
    yield from taught_in((folder / "functions.txt").read_text(encoding="utf-8"))
    yield from taught_in(lzma.decompress((folder / "blind.txt.xz").read_bytes()).decode("utf-8"))


def taught_more() -> Iterator[Taught]:
    """More groups, by two further writers."""
    place = files("sayso.targets.api") / "data" / "asked" / "more.txt.xz"
    yield from taught_in(lzma.decompress(place.read_bytes()).decode("utf-8"))


def taught_apart() -> Iterator[Taught]:
    """Small groups, with many requests for nothing in them."""
    place = files("sayso.targets.api") / "data" / "asked" / "apart.txt.xz"
    yield from taught_in(lzma.decompress(place.read_bytes()).decode("utf-8"))


def taught_in(text: str) -> Iterator[Taught]:
    """The groups of a text; what it says of now holds for those below."""
    clock = Clock(datetime(2024, 5, 15, 12, tzinfo=UTC), UTC)
    for part in re.split(r"^## ", text, flags=re.MULTILINE):
        name, *lines = part.strip().splitlines()
        functions = [line for line in lines if line.startswith("fn ")]
        if functions:
            api = read_group(name, functions)
            yield Taught(name, api, tuple(requests_of(lines, api, clock)))
        if found := NOW.search(part):
            clock = Clock(datetime.fromisoformat(found[1]).replace(tzinfo=UTC), UTC)


def read_group(name: str, lines: list[str]) -> Api:
    paths: dict[str, Any] = {}
    for line in lines:
        head, told, slots = (part.strip() for part in line[3:].split("|"))
        method, called = called_of(head)
        spots = [found for one in slots.split(";") if (found := SLOT.fullmatch(one.strip()))]
        inside = [one["name"] for one in spots if one["at"]]
        path = called if called.startswith("/") else f"/{called}"
        path += "".join(f"/{{{one}}}" for one in inside if f"{{{one}}}" not in path)
        operation: dict[str, Any] = {"operationId": id_of(method, called), "description": told}
        plain = method in ("GET", "DELETE")
        operation["parameters"] = [
            {"name": one["name"], "in": "path" if one["at"] else "query", "required": bool(one["must"])}
            | {"description": one["text"], "schema": schema_of(one)}
            for one in spots
            if one["at"] or plain
        ]
        if not plain:
            operation["requestBody"] = {
                "required": True,
                "content": {"application/json": {"schema": body_of([one for one in spots if not one["at"]])}},
            }
        paths.setdefault(path, {})[(method or "POST").casefold()] = operation
    here = Path("asked.json").resolve()
    return read_openapi(Documents(here, {here: {"openapi": "3.1.0", "info": {"title": name}, "paths": paths}}))


def called_of(head: str) -> tuple[str, str]:
    """`GET /items/{id}` -> GET, /items/{id}; a name alone is called by POST."""
    method, _, called = head.strip().rpartition(" ")
    return method, called


def id_of(method: str, called: str) -> str:
    """What is called by its path is named after it: getItemsId."""
    if not called.startswith("/"):
        return called
    return method.casefold() + "".join(word[:1].upper() + word[1:] for word in re.findall(r"[^\W_]+", called))


def body_of(spots: list[re.Match[str]]) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": {}, "required": []}
    for one in spots:
        there, (*objects, last) = schema, one["name"].split(".")
        for name in objects:
            there = there["properties"].setdefault(name, {"type": "object", "properties": {}, "required": []})
        there["properties"][last] = {**schema_of(one), "description": one["text"]}
        if one["must"]:
            there["required"].append(last)
    return schema


def schema_of(spot: re.Match[str]) -> dict[str, Any]:
    kind = spot["kind"].strip("[]")
    found: dict[str, Any] = {"type": KINDS.get(kind, "string")}
    if kind == "d":
        found["format"] = "date"
    if kind.startswith("e("):
        found["enum"] = kind[2:-1].split(",")
    if spot["default"]:
        found["default"] = value_of(spot["default"], found["type"])
    return {"type": "array", "items": found} if spot["kind"].startswith("[") else found


def requests_of(lines: list[str], api: Api, clock: Clock) -> Iterator[Wanted]:
    above = ""
    for line in lines:
        if line.startswith("fn "):
            above = id_of(*called_of(line[3:].split("|")[0]))
        elif line.startswith("> "):
            text, _, answer = line[2:].partition(" => ")
            name, colon, rest = answer.partition(": ")
            if answer.strip() == "-":
                yield Wanted(text, "", {}, clock)
                continue
            if not colon or not re.fullmatch(r"\w+", name):
                name, rest = above, answer
            operation = api.find(name)
            assert operation is not None, line
            yield Wanted(text, name, dict(values_of(rest, operation)), clock)


def values_of(text: str, operation: Operation) -> Iterator[tuple[str, Any]]:
    for part in text.split("; "):
        name, _, value = part.partition("=")
        slot = slot_called(operation, name.strip())
        if slot.many:
            yield slot.path, [value_of(one.strip(), slot.kind) for one in value.strip("[]").split(",")]
        else:
            yield slot.path, value_of(value, slot.kind)


def slot_called(operation: Operation, name: str) -> Slot:
    slot = operation.find(name) or operation.find(f"body.{name}")
    assert slot is not None, f"{operation.id} takes no {name}"
    return slot


def value_of(text: str, kind: str) -> Any:
    if kind == "boolean":
        return text == "true"
    if kind in ("integer", "number"):
        return float(text) if "." in text else int(text)
    return text
