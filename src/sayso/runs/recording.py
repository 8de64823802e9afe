"""From measurements to a report: reduce, keep the statistics, write the ledger's line."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sayso.core.errors import MachineError
from sayso.core.files import cannot_write
from sayso.core.types import Bench, Metric, Score, Task
from sayso.runs import ledger
from sayso.runs.predictions import Origin
from sayso.runs.scoring import Measured, benches_of, reduce, save_statistics
from sayso.runs.store import Results
from sayso.runs.subject import Settings, Subject
from sayso.runs.tables import scores_as_json


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
            **scores_as_json(self.scores),
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
    benches = benches_of(measured.metrics)
    said = [note for bench in benches for note in bench.notes()]
    notes = [*notes, *said, *score_notes, *too_few(measured.metrics, origin.k), *drawn_note(subject.task, measured)]
    entry = ledger.entry(
        kind, task, name, split=split, settings=recorded(settings), data=origin.data, predictions=origin.sha256,
        bundle=origin.bundle, seed=settings.bootstrap.seed, wall_seconds=clock.wall(), cpu_seconds=clock.cpu(),
        scores=[ledger.score_row(score) for score in scores], run=run,
    )  # fmt: skip
    try:
        if not settings.limit and not settings.partial:
            if not settings.cells:
                save_statistics(results.statistics(task, name, split), measured, origin)
            for bench in benches:
                save_files(results.details(task, name, split, settings.cells), bench)
        results.ledger.append(entry)
    except MachineError as error:
        if kind == "eval":
            raise
        notes.append(f"not recorded: {error.message}")
    return Report(task, split, name, scores, results.ledger.test_runs(task, name), tuple(notes))


def save_files(folder: Path, bench: Bench) -> None:
    """What a bench keeps, in place of what an earlier run left there."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
        for name, text in bench.files():  # plainly: hundreds of logs that can be had again need no trip to the disk
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "replace"))
    except OSError as error:
        raise cannot_write(folder, error) from error


def drawn_note(task: Task, measured: Measured) -> Iterator[str]:
    """What intervals draw, where it is not single examples."""
    if task.cluster and measured.clusters and measured.clusters[0]:
        count = len(set(measured.clusters[0]))
        yield f"intervals draw whole {task.drawn}: {count} of them for {len(measured.ids)} examples"


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
        **({"cells": settings.cells} if settings.cells else {}),
    }


class Clock:
    """Seconds since it was made."""

    def __init__(self) -> None:
        self.started = time.perf_counter(), time.process_time()

    def wall(self) -> float:
        return round(time.perf_counter() - self.started[0], 3)

    def cpu(self) -> float:
        return round(time.process_time() - self.started[1], 3)
