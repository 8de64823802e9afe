"""The metadata document of a service: its types, their fields and its sets in CSDL 4.0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from sayso.targets.api.service.model import EDM, ITEMS, Model, nested

EDMX, CSDL = "http://docs.oasis-open.org/odata/ns/edmx", "http://docs.oasis-open.org/odata/ns/edm"
RECIPIENT = "recipient"
Nested = Mapping[str, Any]


def metadata(model: Model) -> str:
    """The document; a path of fields is written as complex types, named for the path that leads to them."""
    top = Element("edmx:Edmx", {"Version": "4.0", "xmlns:edmx": EDMX})
    schema = SubElement(SubElement(top, "edmx:DataServices"), "Schema", {"Namespace": model.namespace, "xmlns": CSDL})
    for kind in model.types.values():
        entity = SubElement(schema, "EntityType", {"Name": kind.name})
        SubElement(SubElement(entity, "Key"), "PropertyRef", {"Name": "id"})
        _properties(schema, entity, kind.name, nested(kind.fields), model.namespace)
    recipient = SubElement(schema, "ComplexType", {"Name": RECIPIENT})
    _properties(schema, recipient, RECIPIENT, nested(dict.fromkeys(ITEMS["people"], "text")), model.namespace)
    container = SubElement(schema, "EntityContainer", {"Name": "service"})
    for path, kind in model.sets.items():
        SubElement(container, "EntitySet", {"Name": path, "EntityType": f"{model.namespace}.{kind.name}"})
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(top, encoding="unicode")


def _properties(schema: Element, owner: Element, prefix: str, fields: Nested, namespace: str) -> None:
    for name, what in fields.items():
        if isinstance(what, Mapping):
            inner = f"{prefix}_{name}"
            complex_type = SubElement(schema, "ComplexType", {"Name": inner})
            _properties(schema, complex_type, inner, what, namespace)
            kind = f"{namespace}.{inner}"
        else:
            kind = f"Collection({namespace}.{RECIPIENT})" if what == "people" else EDM[what]
        SubElement(owner, "Property", {"Name": name, "Type": kind, "Nullable": "true" if name != "id" else "false"})
