"""Rows that a query is known by: witnesses that it finds, and for each condition decoys that meet all but that one.

Decoys come first and last in every order, so that those let in by a missing condition show among the first n as well.
The same query, clock and shape always give the same rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from random import Random

from sayso.core.types import Unscored
from sayso.targets.api.executed.pools import NOUNS, near, varied
from sayso.targets.api.requests.client import holds
from sayso.targets.api.requests.odata import Query
from sayso.targets.api.requests.tree import All, Node, paths_of
from sayso.targets.api.service.model import EntityType, Kind, Model, Row, Rows, Value, item_of, items_shown, nested

FEWEST, SPARE, MOST = 9, 5, 500
"""Witnesses at least, those beyond what TOP asks for, and the most that TOP may ask for."""
SPARSE = 2
"""The shape in which TOP finds fewer than it asks for, so that what stands behind the last of them shows."""
SORTED = ("time", "local", "number")
CLOSE = 3
LEADER = 4
"""The witness that comes first in the order that is asked for, and not by its id."""
DECOYS = 12
"""At most for one condition on each end of the order."""
TOO_FAR, CONTRADICTS, UNKNOWN = (
    Unscored("asks for too many"),
    Unscored("no row can meet it"),
    Unscored("has no such property"),
)


@dataclass(frozen=True)
class Asked:
    """A query by field: what each must meet."""

    type: EntityType
    conditions: Mapping[str, tuple[Node, ...]]
    words: str
    order: str
    """The field that rows are sorted by first, "id" where the query leaves it open."""
    falling: bool
    top: int


def asked_of(query: Query, model: Model) -> Asked | Unscored:
    """The conditions of a query, each of them about one field."""
    kind = model.sets.get(query.path.strip("/"))
    parts = query.filter.parts if isinstance(query.filter, All) else (query.filter,) if query.filter else ()
    conditions: dict[str, tuple[Node, ...]] = {}
    for part in parts:
        fields = set(paths_of(part))
        if kind is None or len(fields) != 1 or not fields <= set(kind.fields):
            return UNKNOWN
        field = fields.pop()
        conditions[field] = (*conditions.get(field, ()), part)
    if kind is None or any(path not in kind.fields for path, _ in query.orderby):
        return UNKNOWN
    if query.top is not None and query.top > MOST:
        return TOO_FAR
    order, way = query.orderby[0] if query.orderby else ("id", "asc")
    return Asked(kind, conditions, query.search, order, way == "desc", query.top or 0)


def shapes(query: Query) -> range:
    """The shapes by which a query is known."""
    return range(SPARSE + 1 if query.top else SPARSE)


def seeded(query: Query, model: Model, now: datetime, shape: int) -> Rows | Unscored:
    """The rows of every set; each of the `shapes` deals values differently."""
    asked = asked_of(query, model)
    if isinstance(asked, Unscored):
        return asked
    dealt = _deal(asked, now, shape)
    if isinstance(dealt, Unscored):
        return dealt
    own = query.path.strip("/")
    witnesses, decoys = dealt
    rows: dict[str, Sequence[Row]] = {own: _numbered(witnesses, decoys)}
    # What lies elsewhere meets the query too, so that the wrong address gives other rows.
    for number, (path, kind) in enumerate(model.sets.items()):
        if path != own:
            others = _elsewhere(rows[own], number) if kind is asked.type else _plain_rows(kind, now, shape)
            rows[path] = others
    return rows


def _deal(asked: Asked, now: datetime, shape: int) -> tuple[list[Row], list[Row]] | Unscored:
    """Witnesses, and decoys in pairs: one that comes early in the order, one that comes late."""
    size = asked.top - 1 if shape == SPARSE else max(FEWEST, asked.top + SPARE)
    good: dict[str, list[Value]] = {}
    bad: list[tuple[str, list[Value]]] = []
    for field, kind in asked.type.fields.items():
        conditions = asked.conditions.get(field, ())
        others = varied(field, kind, max(FEWEST, size) + 2, now)
        values = _distinct([*near(field, kind, conditions), *others]) if conditions else others
        if kind in SORTED:
            values = sorted(values, key=_rank)
        good[field] = [value for value in values if all(meets(one, value) for one in conditions)]
        if shape and conditions and kind in SORTED:
            good[field] = _beside(values, conditions) or good[field]
        if not good[field]:
            return CONTRADICTS
        bad.extend((field, _missing(values, conditions, at)) for at in range(len(conditions)))
    ranked = sorted(good[asked.order], key=_rank)
    ends = (ranked[-1], ranked[0]) if asked.falling else (ranked[0], ranked[-1])
    deck = Deck(asked, good, size, shape)
    decoys: list[Row] = []
    for field, values in bad:
        for at, value in enumerate(values):
            decoys.extend({**deck.row(at), asked.order: end, field: value} for end in ends)
    for at, text in enumerate(deck.unsaid()):
        decoys.extend({**deck.row(at, text), asked.order: end} for end in ends)
    return [deck.row(at) for at in range(size)], decoys


def _beside(values: Sequence[Value], conditions: Sequence[Node]) -> list[Value]:
    """Of values in order, those that meet the conditions with one that does not close by."""
    fits = [all(meets(one, value) for one in conditions) for value in values]
    return [value for at, value in enumerate(values) if fits[at] and not all(fits[max(0, at - CLOSE) : at + CLOSE + 1])]


def meets(node: Node, value: Value) -> bool:
    """Whether a value meets a condition on its field alone."""
    shown: object = value
    if isinstance(value, tuple):
        kind: Kind = "people" if any(" <" in one for one in value) else "texts"
        shown = items_shown(kind, [item_of(kind, one) for one in value])
    return holds(node, nested({paths_of(node)[0]: shown}))


def _missing(values: Sequence[Value], conditions: Sequence[Node], at: int) -> list[Value]:
    """Values that do not meet one condition, where possible that one alone; the nearest, and the farthest."""
    missed = [value for value in values if not meets(conditions[at], value)]
    rest = (*conditions[:at], *conditions[at + 1 :])
    found = [value for value in missed if all(meets(other, value) for other in rest)] or missed
    if len(found) <= DECOYS:
        return found
    return [*found[: DECOYS // 2], *found[-(DECOYS // 2) :]]


def _rank(value: Value) -> tuple[int, str]:
    return (int(value), "") if isinstance(value, int) else (0, str(value).casefold())


@dataclass(frozen=True)
class Deck:
    """Deals the values of each field in an order of its own, so that no two fields run alongside each other."""

    asked: Asked
    values: Mapping[str, Sequence[Value]]
    size: int
    shape: int

    @cached_property
    def dealt(self) -> Mapping[str, list[Value]]:
        """Another shape moves every value on by one, so that a flag that was set is not; what sorts rows stays."""
        found = {}
        for field, values in self.values.items():
            deal: list[int] = []
            random = Random(field)
            while len(deal) < max(FEWEST, self.size):
                deal += random.sample(range(len(values)), len(values))
            places = (LEADER, 0) if field == self.asked.order else random.sample(range(FEWEST), 2)
            bounds = (0, len(values) - 1)
            # What lies on the bounds of a condition is always dealt, and the same row leads in every shape.
            for place, at in zip(places, reversed(bounds) if self.asked.falling else bounds, strict=True):
                other = deal.index(at)
                deal[place], deal[other] = deal[other], deal[place]
            moved = 0 if field == self.asked.order else self.shape
            found[field] = [values[(at + moved) % len(values)] for at in deal]
        return found

    def row(self, at: int, said: str | None = None) -> Row:
        at %= len(self.dealt["id"])
        row = {field: values[at] for field, values in self.dealt.items()}
        words = self.asked.words if said is None else said
        if words:
            place = self.asked.type.search[at % min(2, len(self.asked.type.search))]
            row[place] = f"{NOUNS[at % len(NOUNS)]} {words} {NOUNS[(at + 4) % len(NOUNS)]}"
        return row

    def unsaid(self) -> list[str]:
        """Texts in which the words that are looked for do not stand, but some of them do."""
        words = self.asked.words.split()
        if not words:
            return []
        short = [" ".join(words[1:]), " ".join(words[:-1]), " ".join(reversed(words))] if len(words) > 1 else []
        return [text for text in dict.fromkeys([NOUNS[0], self.asked.words[:-1], self.asked.words[1:], *short]) if text]


def _distinct(values: Sequence[Value]) -> list[Value]:
    return list({(type(value), value): value for value in values}.values())


def _numbered(witnesses: Sequence[Row], decoys: Sequence[Row]) -> list[Row]:
    """Of two decoys the one that leads the order has the lower id, so that it leads where it ties with a witness."""
    before, after = decoys[::2], decoys[1::2]
    return [{**row, "id": f"r{number:04}"} for number, row in enumerate((*before, *witnesses, *after))]


def _elsewhere(rows: Sequence[Row], number: int) -> list[Row]:
    """The same rows as things of their own."""
    return [{**row, "id": f"s{number}{at:04}"} for at, row in enumerate(rows)]


@cache
def _plain_rows(kind: EntityType, now: datetime, shape: int) -> list[Row]:
    dealt = _deal(Asked(kind, {}, "", "id", False, 0), now, shape)
    return _numbered(*dealt) if not isinstance(dealt, Unscored) else []
