"""From measurements to a report: reduce, keep the statistics, write the ledger's line."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sayso.core.errors import MachineError
from sayso.core.types import Metric, Score
from sayso.runs import ledger
from sayso.runs.predictions import Origin
from sayso.runs.scoring import Measured, reduce, save_statistics
from sayso.runs.store import Results
from sayso.runs.subject import Settings, Subject


@dataclass(frozen=True)
class Report:
    """The scores of one system on one split of one task; `notes` is for people."""

    task: str
    split: str
    system: str
    scores: tuple[Score, ...]
    test_runs: int
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "task": self.task,
            "split": self.split,
            "system": self.system,
            "scores": [ledger.score_row(score) for score in self.scores],
            "test_runs": self.test_runs,
            "notes": list(self.notes),
        }


def record(
    subject: Subject,
    kind: ledger.Kind,
    measured: Measured,
    origin: Origin,
    settings: Settings,
    results: Results,
    clock: Clock,
    notes: Sequence[str] = (),
    run: str = "",
) -> Report:
    """Reduce to scores, keep the statistics, write the ledger's line; `run` marks one that may be taken up again."""
    task, split, name = subject.task.name, subject.split, subject.system
    scores, score_notes = reduce(measured, settings.bootstrap)
    notes = [*notes, *score_notes, *too_few(measured.metrics, origin.k)]
    entry = ledger.entry(
        kind, task, name, split=split, settings=recorded(settings), data=origin.data, predictions=origin.sha256,
        bundle=origin.bundle, seed=settings.bootstrap.seed, wall_seconds=clock.wall(), cpu_seconds=clock.cpu(),
        scores=[ledger.score_row(score) for score in scores], run=run,
    )  # fmt: skip
    try:
        if not settings.limit and not settings.partial:
            save_statistics(results.statistics(task, name, split), measured, origin)
        results.ledger.append(entry)
    except MachineError as error:
        if kind == "eval":
            raise
        notes.append(f"not recorded: {error.message}")
    return Report(task, split, name, scores, results.ledger.test_runs(task, name), tuple(notes))


def too_few(metrics: Sequence[Metric[Any]], k: int) -> Iterator[str]:
    """A note where scores look at more candidates than a system was asked for: their numbers are not those of @k."""
    names = [metric.name for metric in metrics if getattr(metric, "k", 1) > k]
    if names:
        yield f"only {k} candidate{'s' if k > 1 else ''} a request asked for, fewer than {', '.join(names)} look at"


def recorded(settings: Settings) -> dict[str, Any]:
    return {
        "k": settings.k,
        "limit": settings.limit,
        "partial": settings.partial,
        "resamples": settings.bootstrap.resamples,
    }


class Clock:
    """Seconds since it was made."""

    def __init__(self) -> None:
        self.started = time.perf_counter(), time.process_time()

    def wall(self) -> float:
        return round(time.perf_counter() - self.started[0], 3)

    def cpu(self) -> float:
        return round(time.process_time() - self.started[1], 3)
