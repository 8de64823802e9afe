"""What each domain offers: resources, properties, operators, value types and closed values, read from `data/*.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

DOMAINS = ("document", "email", "calendar")


@dataclass(frozen=True)
class Property:
    name: str
    type: str
    """text, person, time, number or closed"""
    gloss: str
    operators: tuple[str, ...]
    sorts: bool = False
    values: tuple[str, ...] = ()
    """Every value there is, of a closed one."""
    also: tuple[str, ...] = ()
    """Operators that the release does not have: nothing is learnt of them, and requests may say them."""
    also_sorts: bool = False

    @property
    def short(self) -> str:
        """file.createdBy -> createdBy"""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True)
class Schema:
    domain: str
    gloss: str
    resources: Mapping[str, str]
    """resource -> what it holds, in words"""
    properties: Mapping[str, Property]
    """What the release has; parsers and lessons know of nothing else."""
    beside: Mapping[str, Property]
    """What the service has beside."""

    def find(self, name: str) -> Property | None:
        return self.properties.get(name) or self.beside.get(name)


@cache
def schema(domain: str) -> Schema:
    """The schema of one of `DOMAINS`."""
    table = tomllib.loads((files("sayso.targets.api") / "data" / f"{domain}.toml").read_text(encoding="utf-8"))
    properties = {name: _property(name, entry) for name, entry in table["properties"].items()}
    beside = {name: _property(name, entry) for name, entry in table.get("beside", {}).items()}
    return Schema(domain, table["gloss"], table["resources"], properties, beside)


def _property(name: str, entry: Mapping[str, object]) -> Property:
    values, operators, also = entry.get("values", ()), entry["operators"], entry.get("also", ())
    assert isinstance(values, list | tuple) and isinstance(operators, list) and isinstance(also, list | tuple)
    return Property(
        name=name,
        type=str(entry.get("type", "closed")),
        gloss=str(entry["gloss"]),
        operators=tuple(operators),
        sorts=bool(entry.get("sorts", False)),
        values=tuple(values),
        also=tuple(also),
        also_sorts=bool(entry.get("also_sorts", False)),
    )


@cache
def domain_of(resource: str) -> str:
    """The domain that has this resource, "" where none has."""
    return next((domain for domain in DOMAINS if resource in schema(domain).resources), "")


@cache
def known_names() -> frozenset[str]:
    """Every resource and property of every domain."""
    return frozenset(
        name
        for domain in DOMAINS
        for part in (schema(domain).resources, schema(domain).properties, schema(domain).beside)
        for name in part
    )
