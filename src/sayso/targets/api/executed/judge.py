"""The comparison behind `executed`: a candidate is right where the service gives it the answer that a reference gets.

Each is asked two or three times, of rows that are dealt differently and on days that fall differently: on a Wednesday
`yesterday` and `last Tuesday` are the same, on a Monday they are not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from sayso.core.errors import BadInstruction, SandboxFailed
from sayso.core.types import Example, Unscored
from sayso.targets.api.executed.seeding import seeded, shapes
from sayso.targets.api.language import fold
from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.requests.odata import Query, query_of, url_of
from sayso.targets.api.service.app import ROOT, open_service
from sayso.targets.api.service.calling import Client, client_of
from sayso.targets.api.service.model import graph_model

VERSION = 1
NAME = f"odata-seeded-v{VERSION}"
CLOCKS = tuple(
    Clock(now, UTC) for now in (datetime(2026, 5, 13, 14, 37, tzinfo=UTC), datetime(2027, 2, 22, 9, 12, tzinfo=UTC))
)
UNREADABLE, NOT_ASKED, REFUSED, EMPTY = (
    Unscored("does not parse"),
    Unscored("is no request"),
    Unscored("is refused"),
    Unscored("finds nothing"),
)
BROKEN = "service failed"


@dataclass(frozen=True)
class Judge:
    """One reference that can be asked is enough; it pickles, and keeps nothing."""

    def __call__(self, example: Example, texts: Sequence[str]) -> list[bool] | Unscored:
        found = [asked_reference(reference) for reference in example.references]
        ready = [one for one in found if isinstance(one, Reference)]
        if not ready:
            return next(one for one in found if isinstance(one, Unscored))
        return [any(one.agrees(text) for one in ready) for text in texts]


@dataclass(frozen=True, eq=False)
class Asking:
    """Rows in one shape on one day, and what the reference is answered there."""

    clock: Clock
    client: Client
    wanted: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Reference:
    """A reference that was asked."""

    folded: str
    asked: tuple[Asking, ...]
    ordered: bool

    def agrees(self, text: str) -> bool:
        """Whether a call does what the reference does; what is the reference in another order needs no asking."""
        try:
            return fold(text) == self.folded or self.answers_like(text)
        except BadInstruction:
            return False

    def answers_like(self, text: str) -> bool:
        """Whether a call is answered as the reference is; one that cannot be asked is not."""
        try:
            return all(answer(one.client, query_of(text, one.clock), self.ordered) == one.wanted for one in self.asked)
        except BadInstruction:
            return False


@lru_cache(maxsize=16)
def asked_reference(text: str) -> Reference | Unscored:
    """The reference with what it is answered, or why nothing can be told by it."""
    try:
        folded = fold(text)
    except BadInstruction:
        return UNREADABLE
    try:
        queries = [query_of(text, clock) for clock in CLOCKS]
    except BadInstruction:
        return NOT_ASKED
    asked = []
    for shape in shapes(queries[0]):
        clock, query = CLOCKS[shape % len(CLOCKS)], queries[shape % len(CLOCKS)]
        rows = seeded(query, graph_model(), clock.now, shape)
        if isinstance(rows, Unscored):
            return rows
        client = client_of(open_service(graph_model(), rows))
        found = answer(client, query, bool(query.orderby))
        if found is None:
            return REFUSED
        if shape == 0 and not found["rows"]:
            return EMPTY
        asked.append(Asking(clock, client, found))
    return Reference(folded, tuple(asked), bool(queries[0].orderby))


def answer(client: Client, query: Query, ordered: bool) -> Mapping[str, Any] | None:
    """The rows, in their order or as a set, and their number where it was asked for; None where it is refused."""
    got = client.get(url_of(query, ROOT))
    if got.status >= 500:
        raise SandboxFailed("the service failed on a query", reason=BROKEN)
    if got.status != 200:
        return None
    found = got.read()
    rows = [json.dumps(row, sort_keys=True) for row in found["value"]]
    return {"rows": rows if ordered else sorted(rows), "count": found.get("@odata.count")}
