"""A web API as it is described: operations, what each takes, where it is served. Plain values, of any format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Where = Literal["path", "query", "header", "cookie", "body"]
SAFE = ("get", "head", "options", "query")


@dataclass(frozen=True)
class Slot:
    """One value that an operation takes: a parameter, or a leaf of its body."""

    path: str
    """Where it stands among the arguments: `key`, `body.customer.name`, `body.tickets[].count`."""
    name: str
    """As the server wants it."""
    where: Where
    kind: str = "string"
    """string, integer, number, boolean, object; of an array, what its items are."""
    many: bool = False
    required: bool = False
    under: str = ""
    """The optional object that it stands in: it is only required where that is there."""
    text: str = ""
    enum: tuple[Any, ...] = ()
    default: Any = field(default=None, hash=False)
    example: Any = field(default=None, hash=False)
    format: str = ""
    pattern: str = ""
    least: float | None = None
    most: float | None = None
    exploded: bool = True
    separator: str = ","
    nullable: bool = False

    @property
    def is_needed(self) -> bool:
        """Required whatever else is said: not only where an optional object is there."""
        return self.required and not self.under


@dataclass(frozen=True)
class Operation:
    id: str
    method: str
    path: str
    summary: str = ""
    text: str = ""
    tags: tuple[str, ...] = ()
    slots: tuple[Slot, ...] = ()
    body: str = ""
    """Media type of the body; "" where it takes none."""
    body_many: bool = False
    """The body is an array of what the slots say."""
    secured: tuple[tuple[str, ...], ...] = ()
    """One of these sets of schemes; empty: none is needed."""
    server: str = ""
    """Where it is not the API's own."""
    returns: str = ""
    """What it answers with: the description, and the names of what is in it."""

    @property
    def is_safe(self) -> bool:
        return self.method in SAFE

    def find(self, path: str) -> Slot | None:
        return next((slot for slot in self.slots if slot.path == path), None)


@dataclass(frozen=True)
class Scheme:
    """How a caller says who it is; the secret itself stands nowhere here."""

    kind: str
    """bearer, basic, key or other (OAuth and OpenID are bearers)."""
    where: str = "header"
    name: str = "Authorization"


@dataclass(frozen=True)
class Api:
    title: str
    servers: tuple[str, ...]
    operations: tuple[Operation, ...]
    schemes: Mapping[str, Scheme] = field(default_factory=dict, hash=False)
    warnings: tuple[str, ...] = ()
    format: str = ""

    def find(self, name: str) -> Operation | None:
        return next((one for one in self.operations if one.id == name), None)


PLAIN = Slot("", "", "query")
ALWAYS = ("path", "name", "where")


def as_row(operation: Operation) -> dict[str, Any]:
    """An operation as JSON values, without what is left at its default."""
    row = {key: value for key, value in vars(operation).items() if value not in ("", (), None, False)}
    plain = vars(PLAIN)
    row["slots"] = [
        {key: value for key, value in vars(one).items() if key in ALWAYS or value != plain[key]}
        for one in operation.slots
    ]
    return row


def from_row(row: Mapping[str, Any]) -> Operation:
    slots = tuple(Slot(**{**one, "enum": tuple(one.get("enum", ()))}) for one in row["slots"])
    more = {"slots": slots, "tags": tuple(row.get("tags", ())), "secured": tuple(map(tuple, row.get("secured", ())))}
    return Operation(**{**row, **more})
