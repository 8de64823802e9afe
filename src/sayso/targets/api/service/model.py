"""What a service serves: types with their fields, and a set of rows for each address, read from `data/service.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

Kind = Literal["text", "time", "local", "flag", "number", "texts"]
KINDS: tuple[Kind, ...] = get_args(Kind)
EDM: Mapping[Kind, str] = {
    "text": "Edm.String",
    "time": "Edm.DateTimeOffset",
    "local": "Edm.String",
    "flag": "Edm.Boolean",
    "number": "Edm.Int64",
    "texts": "Collection(Edm.String)",
}
Value = str | bool | int | tuple[str, ...]
"""Of a field: times are written as `2026-05-03T10:00:00Z`, so that their order is that of their text."""
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


@cache
def graph_model() -> Model:
    """As much of Microsoft Graph as the calls of the three domains reach."""
    table = tomllib.loads((files("sayso.targets.api") / "data" / "service.toml").read_text(encoding="utf-8"))
    types = {
        name: EntityType(name, dict(entry["fields"]), tuple(entry["search"])) for name, entry in table["types"].items()
    }
    return Model(table["namespace"], types, {path: types[name] for path, name in table["sets"].items()})
