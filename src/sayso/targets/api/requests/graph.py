"""How Microsoft Graph names Okapi's resources and properties, and writes their values: `data/graph.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Mapped:
    path: str
    written: str
    """How a value is written: text, person, flag, word, items, time, wall, stem, ending or number."""
    address: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    """A closed value, case folded -> as the service has it."""
    ahead: bool = False


@dataclass(frozen=True)
class Graph:
    root: str
    resources: Mapping[str, str]
    properties: Mapping[str, Mapped]
    endings: Mapping[str, tuple[str, ...]]


@cache
def graph() -> Graph:
    table = tomllib.loads((files("sayso.targets.api") / "data" / "graph.toml").read_text(encoding="utf-8"))
    properties = {
        name: Mapped(
            entry["path"],
            entry["as"],
            entry.get("address", ""),
            {value.casefold(): other for value, other in entry.get("values", {}).items()},
            entry.get("ahead", False),
        )
        for name, entry in table["properties"].items()
    }
    endings = {name: tuple(each) for name, each in table["endings"].items()}
    return Graph(table["root"], table["resources"], properties, endings)
