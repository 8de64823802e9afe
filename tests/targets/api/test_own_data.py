"""The two specs of our own and the requests beside them stay as they were frozen, and every answer fits its spec."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from typing import Any

import pytest

OWN = files("sayso.targets.api") / "data" / "own"
SPECS = {"tickets": 35, "films": 25}
PARTS = ("dev", "test")
RESOURCES = {
    "mail": {"/me/messages"},
    "calendar": {"/me/events"},
    "files": {"/me/drive/root/children", "/me/drive/recent", "/me/drive/sharedWithMe"},
}
# Graph's names, with people and addresses written short (`from.name` is `from/emailAddress/name`).
PROPERTIES = {
    "mail": "subject body.content from from.name from.address sender toRecipients.name ccRecipients.name isRead "
    "isDraft importance hasAttachments receivedDateTime sentDateTime categories flag.flagStatus",
    "calendar": "subject organizer.name attendees.name location start end isAllDay isCancelled isOnlineMeeting "
    "isOrganizer importance hasAttachments showAs sensitivity recurrence type categories responseStatus.response",
    "files": "name size file folder image photo file.mimeType createdDateTime lastModifiedDateTime sharedDateTime "
    "createdBy.name lastModifiedBy.name sharedBy.name",
}
OPERATORS = {"eq", "ne", "gt", "ge", "lt", "le", "contains", "startswith"}
TIMES = {
    "receivedDateTime",
    "sentDateTime",
    "start",
    "end",
    "createdDateTime",
    "lastModifiedDateTime",
    "sharedDateTime",
}
JSON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def lines(name: str) -> list[dict[str, Any]]:
    return [
        json.loads(line) for part in PARTS for line in (OWN / f"{name}.{part}.jsonl").read_text("utf-8").splitlines()
    ]


@cache
def document(name: str) -> dict[str, Any]:
    yaml = pytest.importorskip("yaml", reason="the specs are YAML; PyYAML is not installed")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    read: dict[str, Any] = yaml.load((OWN / f"{name}.yaml").read_text("utf-8"), Loader=loader)
    return read


def followed(spec: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        found = spec
        for step in node["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        node = found
    return node


def operations(spec: dict[str, Any]) -> dict[str, tuple[str, dict[str, Any], dict[str, Any]]]:
    """operationId -> (method, parameters by name, schema of the body or nothing)."""
    found = {}
    for item in spec["paths"].values():
        for method in item.keys() & {"get", "post", "put", "patch", "delete"}:
            operation = item[method]
            listed = [followed(spec, p) for p in (*item.get("parameters", ()), *operation.get("parameters", ()))]
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            assert operation["operationId"] not in found
            found[operation["operationId"]] = (method, {p["name"]: p for p in listed}, body)
    return found


def misfits(spec: dict[str, Any], value: Any, schema: dict[str, Any], at: str, missing: set[str]) -> list[str]:
    """Where a value does not fit its schema, for the keywords that the two specs use."""
    schema = followed(spec, schema)
    wrong = [w for part in schema.get("allOf", ()) for w in misfits(spec, value, part, at, missing)]
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(
        isinstance(value, JSON_TYPES[t]) and (t == "boolean") == isinstance(value, bool) for t in types
    ):
        return [f"{at}: {value!r} is no {types}"]
    if "enum" in schema and value not in schema["enum"]:
        wrong.append(f"{at}: {value!r} is not allowed")
    if isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            wrong.append(f"{at}: {value!r} has another form")
        if schema.get("format") == "date":
            date.fromisoformat(value)
        if schema.get("format") == "date-time" and datetime.fromisoformat(value).tzinfo is None:
            wrong.append(f"{at}: {value!r} has no offset")
    if isinstance(value, int | float) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        wrong.append(f"{at}: {value!r} is out of range")
    if isinstance(value, list):
        wrong += [w for i, each in enumerate(value) for w in misfits(spec, each, schema["items"], f"{at}.{i}", missing)]
    if isinstance(value, dict):
        wrong += [
            f"{at}.{name} is missing"
            for name in schema.get("required", ())
            if name not in value and f"{at}.{name}" not in missing
        ]
        for name, each in value.items():
            inner = schema["properties"].get(name)
            wrong += (
                [f"{at}.{name} is unknown"] if inner is None else misfits(spec, each, inner, f"{at}.{name}", missing)
            )
    return wrong


def problems(name: str, row: dict[str, Any], arguments: dict[str, Any]) -> list[str]:
    spec = document(name)
    _, parameters, body = operations(spec)[row["operation"]]
    missing = set(row.get("missing", ()))
    given = {key for key in arguments if key != "body"} | {f"body.{key}" for key in arguments.get("body", {})}
    wrong = [f"{key} is both given and missing" for key in missing & given]
    required = {key for key, p in parameters.items() if p.get("required")}
    required |= {f"body.{key}" for key in followed(spec, body).get("required", ())}
    wrong += [f"{key} is not required" for key in missing - required]
    wrong += [f"{key} is missing" for key in required - given - missing]
    for key, value in arguments.items():
        if key == "body" and body:
            wrong += misfits(spec, value, body, "body", missing)
        elif key in parameters:
            wrong += misfits(spec, value, parameters[key]["schema"], key, missing)
        else:
            wrong.append(f"{key} is no parameter")
    return wrong


def test_nothing_was_changed_since_it_was_frozen() -> None:
    pairs = (line.split("  ") for line in (OWN / "DIGESTS.txt").read_text("utf-8").splitlines())
    frozen = {name: digest for digest, name in pairs}
    expected = {f"{n}.yaml" for n in SPECS} | {f"{n}.{p}.jsonl" for n in (*SPECS, "strangers") for p in PARTS}
    assert frozen.keys() == expected
    for name, digest in frozen.items():
        assert hashlib.sha256((OWN / name).read_bytes()).hexdigest() == digest, f"{name} was altered"


@pytest.mark.parametrize("name", SPECS)
def test_every_answer_fits_its_spec(name: str) -> None:
    wrong = {
        row["id"]: found
        for row in lines(name)
        if row["operation"] is not None
        for arguments in (row["arguments"], *row["accepted"])
        if (found := problems(name, row, arguments))
    }
    assert not wrong


def test_the_checker_sees_what_does_not_fit() -> None:
    row = {"operation": "logWork", "missing": ["body.minutes"]}
    assert problems("tickets", row, {"key": "OPS-1"}) == []
    assert problems("tickets", {"operation": "logWork"}, {"key": "OPS-1"}) == ["body.minutes is missing"]
    assert problems("tickets", row, {"key": "ops 1"}) == ["key: 'ops 1' has another form"]
    assert problems("tickets", row, {"key": "OPS-1", "body": {"minutes": True}}) == [
        "body.minutes is both given and missing",
        "body.minutes: True is no ['integer']",
    ]
    assert problems("tickets", row, {"key": "OPS-1", "hours": 2}) == ["hours is no parameter"]
    assert problems("films", {"operation": "getGenreChart"}, {"genre": "noir"}) == ["genre: 'noir' is not allowed"]


@pytest.mark.parametrize(("name", "count"), SPECS.items())
def test_counts_are_as_the_readme_says(name: str, count: int) -> None:
    rows = lines(name)
    known = operations(document(name))
    asked = Counter(row["operation"] for row in rows)
    assert len(known) == count and asked.keys() - {None} == known.keys() and min(asked.values()) >= 2
    reads = sum(known[row["operation"]][0] == "get" for row in rows if row["operation"])
    assert (len(rows), reads, asked[None], sum("missing" in row for row in rows)) == (150, 85, 8, 10)
    assert len({row["id"] for row in rows}) == len({row["text"].casefold() for row in rows}) == 150
    for part in PARTS:
        half = (OWN / f"{name}.{part}.jsonl").read_text("utf-8").splitlines()
        assert len(half) == 75 and {json.loads(line)["operation"] for line in half} == asked.keys()


def conditions(filters: list[Any]) -> list[list[Any]]:
    found = []
    for each in filters:
        if isinstance(each, dict):
            (kind,) = each
            found += conditions(each["any"]) if kind == "any" else conditions([each["not"]])
        else:
            found.append(each)
    return found


def test_readings_of_strangers_are_sound() -> None:
    rows = lines("strangers")
    assert Counter(row["domain"] for row in rows) == {"mail": 48, "calendar": 40, "files": 32}
    assert len({row["id"] for row in rows}) == len({row["text"].casefold() for row in rows}) == 120
    assert len((OWN / "strangers.test.jsonl").read_text("utf-8").splitlines()) == 80
    for row in rows:
        known = set(PROPERTIES[row["domain"]].split())
        offset = datetime.fromisoformat(row["now"]).utcoffset()
        for reading in (row["reading"], *row["accepted"]):
            assert reading["resource"] in RESOURCES[row["domain"]], row["id"]
            assert reading.keys() <= {"resource", "filters", "search", "orderby", "top", "select", "count"}, row["id"]
            assert set(reading.get("select", ())) | set(reading.get("orderby", ())[:1]) <= known, row["id"]
            for name, operator, value in conditions(reading["filters"]):
                assert name in known and operator in OPERATORS, row["id"]
                assert name not in TIMES or datetime.fromisoformat(value).utcoffset() == offset, row["id"]
