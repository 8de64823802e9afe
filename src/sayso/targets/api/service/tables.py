"""Rows in SQLite behind SQLAlchemy's ORM: a table for each set of rows, one for each collection, all in memory.

A connection is filled, then only read: it writes nothing, opens no file, and gives up on a query that takes too long.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any
from weakref import finalize

from sqlalchemy import Boolean, Column, ForeignKey, Integer, String, Table, create_engine
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Engine
from sqlalchemy.orm import InstrumentedAttribute, registry, relationship
from sqlalchemy.pool import StaticPool
from sqlalchemy.schema import CreateTable

from sayso.targets.api.service.model import ITEMS, EntityType, Kind, Model, Rows, Value, item_of

FOLDED = "FOLDED"
"""The collation of every text: Graph compares without regard to case."""
SAYS, HOLDS = "says", "holds"
"""says(text, words): the words stand in the text, one after the other · holds(text, part, where): the part does."""
STEPS, TURNS = 10_000, 1_000
"""A query ends after ten million steps of SQLite's machine, about a second."""


@dataclass(frozen=True, eq=False)
class Mapped:
    """A set of rows as the ORM knows it."""

    type: EntityType
    table: Table
    columns: Mapping[str, InstrumentedAttribute[Any]]
    """Field -> its column; of a collection, the relation to its values."""
    collections: Mapping[str, tuple[Table, Mapping[str, InstrumentedAttribute[Any]]]]
    """Collection -> the table of its items, and the columns that hold the fields of one."""


@cache
def mapped_sets(model: Model) -> Mapping[str, Mapped]:
    """Address -> the set."""
    known = registry()
    return {path: _mapped(path, kind, known) for path, kind in model.sets.items()}


def _mapped(path: str, kind: EntityType, known: registry) -> Mapped:
    name = _plain(path)
    table = Table(name, known.metadata, *(_column(*one) for one in kind.fields.items() if one[1] not in ITEMS))
    entity = type(name, (), {})
    collections: dict[str, tuple[Table, Mapping[str, InstrumentedAttribute[Any]]]] = {}
    relations: dict[str, Any] = {}
    for field in (one for one, what in kind.fields.items() if what in ITEMS):
        values = Table(
            f"{name}__{_plain(field)}",
            known.metadata,
            Column("number", Integer, primary_key=True),
            Column("owner", String, ForeignKey(f"{name}.id"), index=True),
            *(Column(f"item{at}", String(collation=FOLDED)) for at, _ in enumerate(ITEMS[kind.fields[field]])),
        )
        member = type(values.name, (), {})
        known.map_imperatively(member, values)
        relations[_plain(field)] = relationship(member)
        items = ITEMS[kind.fields[field]]
        collections[field] = values, {path: getattr(member, f"item{at}") for at, path in enumerate(items)}
    known.map_imperatively(entity, table, properties=relations)
    return Mapped(kind, table, {field: getattr(entity, _plain(field)) for field in kind.fields}, collections)


def _plain(path: str) -> str:
    """from/emailAddress/name -> from__emailAddress__name"""
    return path.replace("/", "__")


def _column(path: str, kind: Kind) -> Column[Any]:
    if kind == "flag":
        return Column(_plain(path), Boolean)
    if kind == "number":
        return Column(_plain(path), Integer)
    return Column(_plain(path), String(collation=FOLDED), primary_key=path == "id")


@cache
def _statements(model: Model) -> tuple[str, Mapping[str, tuple[str, Mapping[str, str]]]]:
    """What makes the tables; address -> what puts a row in, and for each collection what puts a value in."""
    sets = mapped_sets(model)
    tables = [
        table for one in sets.values() for table in (one.table, *(table for table, _ in one.collections.values()))
    ]
    made = ";".join(str(CreateTable(table).compile(dialect=sqlite.dialect())) for table in tables)
    return made, {
        path: (
            f'INSERT INTO "{one.table.name}" VALUES ({",".join("?" * len(one.table.columns))})',
            {
                field: f'INSERT INTO "{table.name}" VALUES (NULL, ?, {",".join("?" * len(columns))})'
                for field, (table, columns) in one.collections.items()
            },
        )
        for path, one in sets.items()
    }


def filled(model: Model, rows: Rows) -> Engine:
    """An engine over these rows alone, in memory and read-only; they go with it."""
    raw = sqlite3.connect(":memory:", check_same_thread=False)
    raw.create_collation(FOLDED, _compare)
    raw.create_function(SAYS, 2, says, deterministic=True)
    raw.create_function(HOLDS, 3, holds, deterministic=True)
    tables, inserts = _statements(model)
    raw.executescript(tables)
    for path, (insert, collections) in inserts.items():
        given = rows.get(path, ())
        plain = [field for field, kind in model.sets[path].fields.items() if kind not in ITEMS]
        raw.executemany(insert, [[row.get(field) for field in plain] for row in given])
        for field, values in collections.items():
            raw.executemany(
                values,
                [
                    (row["id"], *item_of(model.sets[path].fields[field], one))
                    for row in given
                    for one in _texts(row.get(field))
                ],
            )
    raw.commit()
    engine = create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool)
    finalize(engine, raw.close)  # rows that nobody can ask for any more
    with engine.connect():  # the dialect asks SQLite about itself, which is more than a request may
        raw.set_authorizer(_reads_only)
    return engine


def limited(raw: sqlite3.Connection) -> None:
    """From here on, a query that takes more than its steps fails."""
    turns = count()
    raw.set_progress_handler(lambda: next(turns) > TURNS, STEPS)


def _texts(value: Value | None) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()


def _reads_only(action: int, *what: str | None) -> int:
    allowed = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_TRANSACTION)
    return sqlite3.SQLITE_OK if action in allowed else sqlite3.SQLITE_DENY


def _compare(one: str, other: str) -> int:
    left, right = one.casefold(), other.casefold()
    return (left > right) - (left < right)


def says(text: str | None, words: str) -> bool:
    """("The Annual  Report of May", "annual report") -> True; as they stand, in any case"""
    wanted, held = (" ".join(one.casefold().split()) for one in (words, text or ""))
    return wanted in held


def holds(text: str | None, part: str, where: str) -> bool:
    held, wanted = (text or "").casefold(), part.casefold()
    if where == "startswith":
        return held.startswith(wanted)
    return held.endswith(wanted) if where == "endswith" else wanted in held
