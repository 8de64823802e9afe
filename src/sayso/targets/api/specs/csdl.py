"""OData metadata documents (CSDL in XML) as an `Api`: list, record and writes of each entity set.

Entities that a document type declares are refused before anything is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as XML

from sayso.core.errors import BadFile
from sayso.targets.api.specs.documents import TYPED_AS
from sayso.targets.api.specs.model import Api, Operation, Slot

KINDS = {
    **dict.fromkeys(("Int16", "Int32", "Int64", "Byte", "SByte"), "integer"),
    **dict.fromkeys(("Double", "Single", "Decimal"), "number"),
    "Boolean": "boolean",
}
FORMATS = {"Date": "date", "DateTimeOffset": "date-time", "Guid": "uuid"}
OPTIONS = (
    Slot("$filter", "$filter", "query", text="Condition that rows must meet."),
    Slot("$search", "$search", "query", text="Words to search for."),
    Slot("$orderby", "$orderby", "query", text="Property to sort by."),
    Slot("$top", "$top", "query", "integer", text="First top number of rows, limit.", least=0),
    Slot("$skip", "$skip", "query", "integer", text="Rows to skip.", least=0),
    Slot("$count", "$count", "query", "boolean", text="Count how many."),
)


def is_csdl(root: Any) -> bool:
    """XML is read as its text; so is YAML that is but a word."""
    return isinstance(root, str) and root.lstrip("\ufeff \t\r\n").startswith("<")


def read_csdl(text: str, path: Path) -> Api:
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise BadFile(f"{path} declares a document type, which no metadata document does", f"give {TYPED_AS}")
    try:
        root = XML.fromstring(text)
    except XML.ParseError as error:
        raise BadFile(f"{path} is not XML: {error}", f"give {TYPED_AS}") from error
    types = {
        f"{schema.get('Namespace')}.{one.get('Name')}": one
        for schema in each(root, "Schema")
        for one in each(schema, "EntityType")
    }
    aliases = {schema.get("Alias"): schema.get("Namespace") for schema in each(root, "Schema") if schema.get("Alias")}
    enums = {
        f"{schema.get('Namespace')}.{one.get('Name')}": tuple(m.get("Name") or "" for m in each(one, "Member"))
        for schema in each(root, "Schema")
        for one in each(schema, "EnumType")
    }
    operations: list[Operation] = []
    for one in each(root, "EntitySet"):
        name, kind = one.get("Name") or "", one.get("EntityType") or ""
        prefix, _, last = kind.rpartition(".")
        entity = types.get(kind, types.get(f"{aliases.get(prefix, prefix)}.{last}"))
        if name and entity is not None:
            operations += operations_of(name, entity, types, enums)
    if not operations:
        raise BadFile(f"{path} names no entity set", f"give {TYPED_AS}")
    container = next(iter(each(root, "EntityContainer")), None)
    title = (container.get("Name") if container is not None else "") or path.stem
    return Api(title, (), tuple(operations), format="OData")


def each(node: XML.Element, tag: str) -> Iterator[XML.Element]:
    return (one for one in node.iter() if one.tag.rpartition("}")[2] == tag)


def operations_of(
    name: str, entity: XML.Element, types: dict[str, XML.Element], enums: dict[str, tuple[str, ...]]
) -> list[Operation]:
    keys = {one.get("Name") for one in each(entity, "PropertyRef")}
    properties = [
        (one.get("Name") or "", one.get("Type") or "", one.get("Nullable") != "false")
        for one in each(entity, "Property")
    ]
    own = [slot_of(prop, kind, enums, required=True) for prop, kind, _ in properties if prop in keys]
    body = [
        slot_of(prop, kind, enums, required=False, where_body=True) for prop, kind, _ in properties if prop not in keys
    ]
    words = " ".join(prop for prop, _, _ in properties)
    one = entity.get("Name") or name
    path = f"/{name}({','.join(f'{{{slot.name}}}' for slot in own)})" if own else f"/{name}"
    found = [
        Operation(
            f"list{name}", "get", f"/{name}", f"List {spaced(name)}", f"Rows with {spaced(words)}", (name,), OPTIONS
        ),
        Operation(
            f"create{one}", "post", f"/{name}", f"Create a {spaced(one)}", "", (name,), tuple(body), "application/json"
        ),
    ]
    if own:
        found += [
            Operation(f"get{one}", "get", path, f"One {spaced(one)}", "", (name,), tuple(own)),
            Operation(
                f"update{one}", "patch", path, f"Change a {spaced(one)}", "", (name,), (*own, *body), "application/json"
            ),
            Operation(f"delete{one}", "delete", path, f"Delete a {spaced(one)}", "", (name,), tuple(own)),
        ]
    return found


def slot_of(name: str, kind: str, enums: dict[str, tuple[str, ...]], required: bool, where_body: bool = False) -> Slot:
    inner = re.fullmatch(r"Collection\((.+)\)", kind)
    last = (inner[1] if inner else kind).rpartition(".")[2]
    return Slot(
        f"body.{name}" if where_body else name,
        name,
        "body" if where_body else "path",
        KINDS.get(last, "string"),
        many=bool(inner),
        required=required,
        format=FORMATS.get(last, ""),
        enum=enums.get(inner[1] if inner else kind, ()),
    )


def spaced(text: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).casefold()
