"""OpenAPI 3.0 and 3.1 and Swagger 2.0 as an `Api`. Lenient: what can be read is used, the rest is a warning.

Bodies are cut into leaves, at most `DEEPEST` levels and `MOST_SLOTS` leaves of an operation. Left out: callbacks,
webhooks, links, and all but the first of `oneOf` and `anyOf`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from sayso.core.errors import BadFile
from sayso.targets.api.specs.documents import TYPED_AS, Documents
from sayso.targets.api.specs.model import Api, Operation, Scheme, Slot, Where

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
DEEPEST = 4
MOST_SLOTS = 60
MOST_OPERATIONS = 50_000
MOST_ENUM = 400
MOST_FIELDS = 30
MOST_LEAVES = 3_000
"""Leaves of one body that are looked at, of which the required ones come first."""
MOST_PARTS = 500
"""Values in an example."""
MOST_ABOVE = 16
"""Schemas that one of an answer stands in."""
JSON = re.compile(r"application/(?:[\w.+-]+\+)?json", re.I)
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
KINDS = ("string", "integer", "number", "boolean", "object")
LONGEST = 1200
"""Characters of a description that are looked at."""


@dataclass
class Reading:
    documents: Documents
    base: Path
    swagger: bool
    cut: int = 0
    """Operations whose body has more leaves than are read."""
    whole: dict[int, tuple[Mapping[str, Any], dict[str, Any]]] = field(default_factory=dict)
    """Schemas that were put together, by their identity: one stands in many operations."""

    def follow(self, node: Any, base: Path) -> tuple[dict[str, Any], Path]:
        found, base = self.documents.follow(node, base)
        return (found if isinstance(found, dict) else {}), base


def read_openapi(documents: Documents) -> Api:
    """Every operation of a description; raises BadFile where it is none."""
    root = documents.root()
    version = str(root.get("openapi") or root.get("swagger") or "") if isinstance(root, dict) else ""
    if not isinstance(root, dict) or not version or not isinstance(root.get("paths") or root.get("webhooks"), dict):
        raise BadFile(f"{documents.first} is no description of an API", f"give {TYPED_AS}")
    if not version.startswith(("3.", "2")):
        documents.warn(f"version {version[:12]} is not known and read as 3.1")
    reading = Reading(documents, documents.first.resolve(), version.startswith("2"))
    operations = named_apart(list(operations_of(reading, root)))
    if not operations:
        documents.warn("no operation was found")
    if reading.cut:
        documents.warn(f"{reading.cut} operations take more than {MOST_SLOTS} values; the first {MOST_SLOTS} are read")
    info = mapping(root.get("info"))
    return Api(
        title=text_of(info.get("title")) or documents.first.stem,
        servers=tuple(servers_of(root, reading.swagger)),
        operations=operations,
        schemes=dict(schemes_of(reading, root)),
        warnings=tuple(documents.warnings),
        format=f"{'Swagger' if reading.swagger else 'OpenAPI'} {version[:12]}",
    )


def mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def listing(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def text_of(value: Any) -> str:
    return " ".join(value[:LONGEST].split()) if isinstance(value, str) else ""


def servers_of(root: Mapping[str, Any], swagger: bool) -> Iterator[str]:
    if swagger:
        host, base = text_of(root.get("host")), text_of(root.get("basePath"))
        schemes = [one for one in listing(root.get("schemes")) if isinstance(one, str)] or ["https"]
        if host:
            yield f"{'https' if 'https' in schemes else schemes[0]}://{host}{base}".rstrip("/")
        return
    for one in listing(root.get("servers")):
        server = mapping(one)
        url = text_of(server.get("url"))
        for name, variable in mapping(server.get("variables")).items():
            url = url.replace(f"{{{name}}}", str(mapping(variable).get("default", "")))
        if url:
            yield url.rstrip("/")


def schemes_of(reading: Reading, root: Mapping[str, Any]) -> Iterator[tuple[str, Scheme]]:
    found = (
        root.get("securityDefinitions") if reading.swagger else mapping(root.get("components")).get("securitySchemes")
    )
    for name, node in mapping(found).items():
        scheme, _ = reading.follow(node, reading.base)
        kind = text_of(scheme.get("type")).casefold()
        if kind == "apikey":
            yield (
                str(name),
                Scheme("key", text_of(scheme.get("in")) or "header", text_of(scheme.get("name")) or str(name)),
            )
        elif kind == "basic" or (kind == "http" and text_of(scheme.get("scheme")).casefold() == "basic"):
            yield str(name), Scheme("basic")
        elif kind in ("http", "oauth2", "openidconnect"):
            yield str(name), Scheme("bearer")
        else:
            yield str(name), Scheme("other")


def secured_by(value: Any) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(str(name) for name in one) for one in listing(value) if isinstance(one, dict))


def operations_of(reading: Reading, root: Mapping[str, Any]) -> Iterator[Operation]:
    everywhere = secured_by(root.get("security"))
    count = 0
    for path, node in mapping(root.get("paths")).items():
        item, base = reading.follow(node, reading.base)
        for method in METHODS:
            if not isinstance(item.get(method), dict):
                continue
            count += 1
            if count > MOST_OPERATIONS:
                reading.documents.warn(f"more than {MOST_OPERATIONS:,} operations; the rest is left out")
                return
            yield operation_of(reading, root, str(path), method, item, base, everywhere)


def operation_of(
    reading: Reading,
    root: Mapping[str, Any],
    path: str,
    method: str,
    item: Mapping[str, Any],
    base: Path,
    everywhere: tuple[tuple[str, ...], ...],
) -> Operation:
    own, base = reading.follow(item[method], base)
    parameters: dict[tuple[str, str], tuple[dict[str, Any], Path]] = {}
    for node in [*listing(item.get("parameters")), *listing(own.get("parameters"))]:
        one, there = reading.follow(node, base)
        if one.get("name") and one.get("in"):
            parameters[(str(one["in"]), str(one["name"]))] = (one, there)
    slots: list[Slot] = []
    media, whole = "", False
    for (where, name), (one, there) in parameters.items():
        if where == "body":
            media, whole = "application/json", is_array(reading, one.get("schema"), there)
            slots += body_slots(reading, one.get("schema"), there, bool(one.get("required")))
        elif where == "formData":
            kinds = [one for one in listing(own.get("consumes") or root.get("consumes")) if one in FORMS]
            media = media or (kinds[0] if kinds else FORMS[0])
            slots.append(leaf(reading, one, there, f"body.{name}", name, "body", one.get("required") is True))
        elif where in ("path", "query", "header", "cookie") and not standard_header(where, name):
            slots.append(parameter_slot(reading, one, there, name, where))
    if isinstance(own.get("requestBody"), dict):
        body, there = reading.follow(own["requestBody"], base)
        media, schema = media_of(mapping(body.get("content")))
        whole = is_array(reading, schema, there)
        slots += body_slots(
            reading, schema, there, body.get("required") is True, example_of(mapping(body.get("content")), media)
        )
    told = {slot.name for slot in slots if slot.where == "path"}
    for name in re.findall(r"\{([^{}]+)\}", path):
        if name not in told:
            slots.append(Slot(name, name, "path", required=True))
    if len(slots) > MOST_SLOTS:
        reading.cut += 1
        slots = sorted(slots, key=lambda slot: slot.where == "body" and not slot.required)[:MOST_SLOTS]
    servers = listing(own.get("servers") or item.get("servers"))
    return Operation(
        id=plain_id(text_of(own.get("operationId"))) or made_id(method, path),
        method=method,
        path=path,
        summary=text_of(own.get("summary")),
        text=text_of(own.get("description")),
        tags=tuple(text_of(tag) for tag in listing(own.get("tags")) if isinstance(tag, str)),
        slots=tuple(apart(slots)),
        body=media,
        body_many=whole,
        secured=secured_by(own["security"]) if "security" in own else everywhere,
        server=next(iter(servers_of({"servers": servers}, False)), ""),
        returns=returned(reading, mapping(own.get("responses")), base),
    )


def returned(reading: Reading, responses: Mapping[str, Any], base: Path) -> str:
    """Words of the answer that means success, and the names of its fields, two levels deep."""
    for status, node in responses.items():
        if not str(status).startswith("2") and str(status) != "default":
            continue
        answer, there = reading.follow(node, base)
        schema = media_of(mapping(answer.get("content")))[1] if "content" in answer else answer.get("schema")
        names = list(dict.fromkeys(field_names(reading, schema, there, 0, (set(), 0))))[:MOST_FIELDS]
        return " ".join([text_of(answer.get("description")), *names])[:LONGEST]
    return ""


def field_names(reading: Reading, schema: Any, base: Path, depth: int, seen: tuple[set[int], int]) -> Iterator[str]:
    """`seen`: schemas that were looked at, once each, and how many stand above."""
    known, above = seen
    if depth > 2 or above > MOST_ABOVE or id(schema) in known:
        return
    known.add(id(schema))
    seen = known, above + 1
    found, there = reading.follow(schema, base)
    for part in (found.get("items"), *listing(found.get("allOf"))):
        if part:
            yield from field_names(reading, part, there, depth + ("items" not in found), seen)
    for name, node in list(mapping(found.get("properties")).items())[:MOST_FIELDS]:
        yield str(name)
        if isinstance(node, dict) and depth < 1:
            yield from field_names(reading, node, there, depth + 1, seen)


def standard_header(where: str, name: str) -> bool:
    """What a client sets by itself, as OpenAPI says."""
    return where == "header" and name.casefold() in ("accept", "content-type", "authorization")


def plain_id(name: str) -> str:
    return re.sub(r"[^\w.:/-]+", "_", name)[:120]


def made_id(method: str, path: str) -> str:
    """get /pets/{petId}/toys -> get_pets_by_petId_toys"""
    parts = [re.sub(r"\{([^{}]+)\}", r"by_\1", part) for part in path.split("/") if part]
    return re.sub(r"\W+", "_", "_".join([method, *parts])).strip("_")[:120]


def named_apart(operations: list[Operation]) -> tuple[Operation, ...]:
    """An id that stands twice gets its method and path."""
    seen: set[str] = set()
    found = []
    for one in operations:
        name, at = one.id, 2
        while name in seen:
            name, at = (made_id(one.method, one.path) if at == 2 else f"{one.id}_{at}"), at + 1
        seen.add(name)
        found.append(one if name == one.id else replace(one, id=name))
    return tuple(found)


def apart(slots: list[Slot]) -> Iterator[Slot]:
    """Arguments are told by name: one that stands in two places is told with its place."""
    seen: set[str] = set()
    for slot in slots:
        path = slot.path
        if path in seen or (path == "body" and slot.where != "body"):
            path = f"{slot.where}:{path}"
        if path not in seen:
            seen.add(path)
            yield slot if path == slot.path else replace(slot, path=path)


def parameter_slot(reading: Reading, one: dict[str, Any], base: Path, name: str, where: str) -> Slot:
    places: dict[str, Where] = {"path": "path", "query": "query", "header": "header", "cookie": "cookie"}
    required = one.get("required") is True or where == "path"
    return leaf(reading, one, base, name, name, places[where], required)


def leaf(
    reading: Reading, one: Mapping[str, Any], base: Path, path: str, name: str, where: Where, required: bool
) -> Slot:
    """A parameter as a slot, whichever version described it."""
    if "schema" in one:
        schema, there = reading.follow(one["schema"], base)
    elif isinstance(one.get("content"), dict):
        schema, there = reading.follow(media_of(one["content"])[1], base)
    else:
        schema, there = dict(one), base
    slot = scalar(reading, merged(reading, schema, there), there, path, name, where, required)
    style, joined = one.get("style"), {"ssv": " ", "pipes": "|", "tsv": "\t"}
    exploded = one.get("explode", style in (None, "form") and not reading.swagger)
    if reading.swagger:
        exploded = one.get("collectionFormat") == "multi"
    separator = joined.get(
        str(one.get("collectionFormat")), {"spaceDelimited": " ", "pipeDelimited": "|"}.get(str(style), ",")
    )
    example = one.get("example", first_example(one.get("examples")))
    return replace(
        slot,
        text=text_of(one.get("description"))
        + (f" {slot.text}" if slot.text and slot.text != text_of(one.get("description")) else ""),
        exploded=exploded is True and where == "query",
        separator=separator,
        example=bounded(example) if example is not None else slot.example,
    )


def first_example(value: Any) -> Any:
    for one in mapping(value).values():
        return mapping(one).get("value") if isinstance(one, dict) else one
    return None


def merged(reading: Reading, schema: Mapping[str, Any], base: Path) -> dict[str, Any]:
    """A schema with `allOf` put together and the first of `oneOf` or `anyOf` taken; nobody changes it."""
    known = reading.whole.get(id(schema))
    if known is None or known[0] is not schema:
        known = reading.whole[id(schema)] = (schema, put_together(reading, schema, base, 0, set()))
    return known[1]


def put_together(reading: Reading, schema: Mapping[str, Any], base: Path, depth: int, seen: set[int]) -> dict[str, Any]:
    """What a part was `seen` to say is there already, so that schemas which hold themselves end."""
    found = dict(schema)
    if depth > 12:
        return found
    fresh = {id(one): one for one in listing(schema.get("allOf")) if id(one) not in seen}
    seen.update(fresh)
    parts = [reading.follow(one, base) for one in fresh.values()]
    for key in ("oneOf", "anyOf"):
        options = [reading.follow(one, base) for one in listing(schema.get(key))]
        whole = [one for one in options if one[0].get("type") != "null"]
        if len(whole) < len(options):
            found["nullable"] = True
        parts += whole[:1]
    for part, there in parts:
        inner = put_together(reading, part, there, depth + 1, seen)
        for key, value in inner.items():
            if key == "properties" and isinstance(value, dict):
                own = {name: (node, there) if not is_placed(node) else node for name, node in value.items()}
                mine = {
                    name: node if is_placed(node) else (node, base)
                    for name, node in mapping(found.get("properties")).items()
                }
                found["properties"] = {**own, **mine}
            elif key == "required" and isinstance(value, list):
                found["required"] = [*listing(found.get("required")), *value]
            elif key not in ("allOf", "oneOf", "anyOf"):
                found.setdefault(key, value)
    return found


def is_placed(node: Any) -> bool:
    return isinstance(node, tuple)


def scalar(
    reading: Reading,
    schema: dict[str, Any],
    base: Path,
    path: str,
    name: str,
    where: Where,
    required: bool,
    under: str = "",
) -> Slot:
    """A schema without parts as a slot; an array of scalars is one too."""
    kinds = [one for one in (schema["type"] if isinstance(schema.get("type"), list) else [schema.get("type")]) if one]
    nullable = "null" in kinds or schema.get("nullable") is True
    kind = next((one for one in kinds if one != "null"), "array" if "items" in schema else "string")
    inner, text = schema, text_of(schema.get("description"))
    many = kind == "array"
    if many:
        items, there = reading.follow(schema.get("items"), base)
        inner = merged(reading, items, there)
        text = " ".join(part for part in (text, text_of(inner.get("description"))) if part)
        kind = inner["type"] if isinstance(inner.get("type"), str) else "string"
    enum = inner["enum"] if isinstance(inner.get("enum"), list) else [inner["const"]] if "const" in inner else []
    examples = listing(schema.get("examples")) or listing(inner.get("examples"))
    return Slot(
        path=path,
        name=name,
        where=where,
        kind=kind if kind in KINDS else "object" if kind == "array" or "properties" in inner else "string",
        many=many,
        required=required,
        under=under,
        text=text,
        enum=tuple(one for one in enum[:MOST_ENUM] if isinstance(one, str | int | float | bool)),
        default=bounded(schema.get("default", inner.get("default"))),
        example=bounded(schema.get("example", examples[0] if examples else inner.get("example"))),
        format=text_of(inner.get("format")),
        pattern=inner["pattern"][:200] if isinstance(inner.get("pattern"), str) else "",
        least=number(inner, "minimum", "exclusiveMinimum"),
        most=number(inner, "maximum", "exclusiveMaximum"),
        nullable=nullable,
    )


def number(schema: Mapping[str, Any], *keys: str) -> float | None:
    for key in keys:
        value = schema.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
    return None


def media_of(content: Mapping[str, Any]) -> tuple[str, Any]:
    """The media type that is sent: JSON where there is some, then forms, then the first."""
    names = [name for name in content if isinstance(name, str)]
    best = next((one for one in names if JSON.match(one)), None) or next((one for one in names if one in FORMS), None)
    chosen = best or (names[0] if names else "")
    return chosen.partition(";")[0].strip(), mapping(content.get(chosen)).get("schema", {})


def example_of(content: Mapping[str, Any], media: str) -> Any:
    node = next((mapping(value) for name, value in content.items() if str(name).startswith(media)), {}) if media else {}
    return node.get("example", first_example(node.get("examples")))


def is_array(reading: Reading, schema: Any, base: Path) -> bool:
    found, _ = reading.follow(schema, base)
    return found.get("type") == "array"


def body_slots(reading: Reading, schema: Any, base: Path, required: bool, example: Any = None) -> list[Slot]:
    """The leaves of a body. A body that is not an object is one slot called `body`."""
    found, there = reading.follow(schema, base)
    whole = merged(reading, found, there)
    if whole.get("type") == "array":
        items, inside = reading.follow(whole.get("items"), there)
        whole, there = merged(reading, items, inside), inside
        if not isinstance(whole.get("properties"), dict):
            slot = scalar(reading, merged(reading, found, base), base, "body", "body", "body", required)
            return [slot]
    if not isinstance(whole.get("properties"), dict):
        return [scalar(reading, whole, there, "body", "body", "body", required)] if whole else []
    under = "" if required else "body"
    slots = list(islice(leaves_of(reading, whole, there, "body", under, 0, ()), MOST_LEAVES))
    return [with_example(slot, example) for slot in slots] if isinstance(example, dict) else slots


def with_example(slot: Slot, example: Any) -> Slot:
    node = example
    for part in slot.path.split(".")[1:]:
        node = mapping(node).get(part.removesuffix("[]"))
        if part.endswith("[]"):
            node = listing(node)[0] if listing(node) else None
    return slot if node is None or slot.example is not None else replace(slot, example=bounded(node))


def bounded(value: Any) -> Any:
    """A value of few parts, else None: by YAML's anchors a short text may hold more than any memory."""
    waiting, count = [value], 0
    while waiting:
        node = waiting.pop()
        count += 1
        if count > MOST_PARTS:
            return None
        if isinstance(node, dict | list):
            waiting += list(node.values() if isinstance(node, dict) else node)[:MOST_PARTS]
    return value


def leaves_of(
    reading: Reading, schema: Mapping[str, Any], base: Path, prefix: str, under: str, depth: int, above: tuple[int, ...]
) -> Iterator[Slot]:
    wanted = {one for one in listing(schema.get("required")) if isinstance(one, str)}
    for name, placed in list(mapping(schema.get("properties")).items())[: 2 * MOST_SLOTS]:
        node, origin = placed if is_placed(placed) else (placed, base)
        target, there = reading.follow(node, origin)
        if target.get("readOnly") is True:
            continue
        path, required = f"{prefix}.{name}", name in wanted
        mark = id(mapping(target.get("properties"))) if target.get("properties") else id(target)
        if mark in above:
            continue
        whole = merged(reading, target, there)
        inner, where, suffix = whole, there, ""
        if whole.get("type") == "array" or ("items" in whole and "type" not in whole):
            items, where = reading.follow(whole.get("items"), there)
            inner, suffix = merged(reading, items, where), "[]"
        if isinstance(inner.get("properties"), dict) and inner["properties"]:
            if depth + 1 >= DEEPEST:
                continue
            above_it = under if required else f"{path}{suffix}"
            yield from leaves_of(reading, inner, where, f"{path}{suffix}", above_it, depth + 1, (*above, mark))
        else:
            yield scalar(reading, whole, there, path, str(name), "body", required, under)
