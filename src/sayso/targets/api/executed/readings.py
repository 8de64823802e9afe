"""Calls about mail, calendar and files held against accepted readings: the same when resolved (`exact`), and answered
alike by the service with rows seeded for a reading (`executed`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate, Example, Score, Unscored
from sayso.metrics.average import NO_REFERENCE, Pooling, mean_score
from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.requests.odata import query_of
from sayso.targets.api.requests.readings import query_of_reading, read_query, reading_of_call

NAME = "odata-seeded-v1"


def clock_of(example: Example) -> Clock:
    now = datetime.fromisoformat(example.meta["now"])
    assert now.tzinfo is not None
    return Clock(now, now.tzinfo)


def is_reading(example: Example, text: str) -> bool:
    """Whether a call, or a reading as it is annotated, is one of those that are accepted."""
    clock = clock_of(example)
    try:
        query = query_of_reading(json.loads(text)) if text.startswith("{") else reading_of_call(text, clock)
        given = read_query(query, clock.now)
    except (BadInstruction, KeyError, ValueError):
        return False
    return any(read_query(query_of_reading(json.loads(one)), clock.now) == given for one in example.references)


@dataclass(frozen=True)
class RightReading:
    """The first call says what an accepted reading says; an abstention is wrong."""

    name: str = "exact"

    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        return "reading|k:1|accepted:any|times:resolved|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int | Unscored:
        return int(bool(candidates) and is_reading(example, candidates[0].text))

    def reduce(self, stats: Sequence[int | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)


def answers_alike(example: Example, texts: Sequence[str]) -> list[bool] | Unscored:
    """Whether the service answers as it answers an accepted reading, of rows that were seeded for that one."""
    from sayso.targets.api.executed.judge import EMPTY, REFUSED, answer
    from sayso.targets.api.executed.seeding import seeded, shapes
    from sayso.targets.api.service.app import open_service
    from sayso.targets.api.service.calling import client_of
    from sayso.targets.api.service.model import graph_model

    clock = clock_of(example)
    why = NO_REFERENCE
    asked = []
    for reference in example.references:
        query = query_of_reading(json.loads(reference))
        shown: list[tuple[Any, Any]] = []
        for shape in shapes(query):
            rows = seeded(query, graph_model(), clock.now, shape)
            if isinstance(rows, Unscored):
                why, shown = rows, []
                break
            client = client_of(open_service(graph_model(), rows))
            found = answer(client, query, bool(query.orderby))
            if found is None or (shape == 0 and not found["rows"]):
                why, shown = REFUSED if found is None else EMPTY, []
                break
            shown.append((client, found))
        if shown:
            asked.append((shown, bool(query.orderby)))
    if not asked:
        return why

    def agrees(text: str) -> bool:
        if is_reading(example, text):
            return True
        try:
            query = query_of(text, clock)
        except BadInstruction:
            return False
        return any(
            all(answer(client, query, ordered) == wanted for client, wanted in shown) for shown, ordered in asked
        )

    return [agrees(text) for text in texts]
