"""What a service serves: types with their fields, and a set of rows for each address, read from `data/service.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Kind = Literal["text", "time", "local", "flag", "number", "texts", "people"]
EDM: Mapping[str, str] = {
    "text": "Edm.String",
    "time": "Edm.DateTimeOffset",
    "local": "Edm.String",
    "flag": "Edm.Boolean",
    "number": "Edm.Int64",
    "texts": "Collection(Edm.String)",
}
ITEMS: Mapping[Kind, tuple[str, ...]] = {"texts": ("",), "people": ("emailAddress/name", "emailAddress/address")}
"""Collection -> the fields of one of its items; "" is the item itself."""
Value = str | bool | int | tuple[str, ...]
"""Of a field: times are written as `2026-05-03T10:00:00Z`, so that their order is that of their text, and
people as `Bo Ek <bo@example.org>`."""
Row = Mapping[str, Value]
"""Field -> value; every row has an `id`."""
Rows = Mapping[str, Sequence[Row]]
"""Address of a set -> its rows."""


@dataclass(frozen=True, eq=False)
class EntityType:
    name: str
    fields: Mapping[str, Kind]
    """Path -> kind: from/emailAddress/name is a field of the object `emailAddress` in the object `from`."""
    search: tuple[str, ...]
    """The fields that `$search` looks through."""


@dataclass(frozen=True, eq=False)
class Model:
    namespace: str
    types: Mapping[str, EntityType]
    sets: Mapping[str, EntityType]
    """Address below the root -> the type of its rows."""


def item_of(kind: Kind, text: str) -> tuple[str, ...]:
    """The fields of an item: ("people", "Bo Ek <bo@example.org>") -> Bo Ek, bo@example.org"""
    name, _, address = text.partition(" <")
    return (name, address.removesuffix(">")) if kind == "people" else (text,)


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """{"from/emailAddress/name": "Bo"} -> {"from": {"emailAddress": {"name": "Bo"}}}"""
    tree: dict[str, Any] = {}
    for path, value in values.items():
        *owners, name = path.split("/")
        place = tree
        for owner in owners:
            place = place.setdefault(owner, {})
        place[name] = value
    return tree


def items_shown(kind: Kind, items: Iterable[tuple[str, ...]]) -> list[Any]:
    """As JSON has them: texts, or objects."""
    if kind != "people":
        return [item[0] for item in items]
    return [nested(dict(zip(ITEMS[kind], item, strict=True))) for item in items]


@cache
def graph_model() -> Model:
    """As much of Microsoft Graph as the calls of the three domains reach."""
    table = tomllib.loads((files("sayso.targets.api") / "data" / "service.toml").read_text(encoding="utf-8"))
    types = {
        name: EntityType(name, dict(entry["fields"]), tuple(entry["search"])) for name, entry in table["types"].items()
    }
    return Model(table["namespace"], types, {path: types[name] for path, name in table["sets"].items()})
