"""Run a system over a split, keep its predictions, and score predictions, fresh or stored.

Predictions are saved first and scored after: a metric can change, a run on test happens once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from sayso.core.errors import MachineError, RunFailed
from sayso.core.types import Example, Score, Split, System, Task, Workspace
from sayso.runs import ledger, provenance
from sayso.runs.journal import Journal, journal_header, journal_path, open_journal
from sayso.runs.predictions import Origin, Prediction, TextOf, match_examples, read_origin, read_predictions, save
from sayso.runs.scoring import Bootstrap, Measured, measure, reduce, save_statistics
from sayso.runs.store import Results
from sayso.scale import Engine

Progress = Callable[[str, int, int], None]


def silent(what: str, done: int, total: int) -> None:
    """The progress of whoever does not want to know."""


@runtime_checkable
class Retriever(Protocol):
    """A translator that only repeats train examples; `source_of` gives the id of the one that holds a text."""

    def source_of(self, text: str) -> str | None: ...


@dataclass(frozen=True)
class Settings:
    """How a system is run and its predictions are scored."""

    k: int = 5
    """Candidates per request; the largest k of a metric that is published (`nlc2cmd@5`)."""
    batch: int = 32
    limit: int = 0
    """Only the first so many examples; 0 is all. Such a run is recorded and not stored."""
    partial: bool = False
    """Examples without a prediction are unscored instead of an error."""
    bootstrap: Bootstrap = field(default_factory=Bootstrap)


DEFAULTS = Settings()


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


@dataclass(frozen=True)
class Subject:
    """What is evaluated: a system, by name, on a split of a task."""

    task: Task
    split: Split
    system: str
    bundle: str = ""
    """Digest of the bundle that the system was loaded from."""


def load_examples(task: Task, split: Split, workspace: Workspace, limit: int = 0) -> list[Example]:
    """The examples of a split, once each."""
    examples = []
    seen: set[str] = set()
    for example in task.load(workspace, split):
        if example.id in seen:
            raise RunFailed(
                f"{task.name} {split}: example {example.id} comes twice", "the corpus reader must name each one apart"
            )
        seen.add(example.id)
        examples.append(example)
        if len(examples) == limit:
            break
    if not examples:
        raise RunFailed(f"{task.name} has no {split} examples")
    return examples


def evaluate(
    subject: Subject,
    system: System,
    workspace: Workspace,
    results: Results,
    settings: Settings = DEFAULTS,
    out: Path | None = None,
    engine: Engine | None = None,
    progress: Progress = silent,
) -> Report:
    """Run a system, store its predictions (in `results`, and in `out` if given), score them and record the run."""
    clock = Clock()
    examples = load_examples(subject.task, subject.split, workspace, settings.limit)
    origin = origin_of(subject, examples, settings)
    source_of = system.translator.source_of if isinstance(system.translator, Retriever) else None
    metrics = subject.task.metrics(workspace)

    def finish(predictions: Sequence[Prediction], origin: Origin) -> Report:
        measured = measure(metrics, examples, predictions, engine, progress)
        return record(subject, "eval", measured, origin, settings, results, clock)

    path = out if settings.limit else results.predictions(subject.task.name, subject.system, subject.split)
    if path is None:
        return finish(translate(system, examples, settings, None, progress), origin)
    with open_journal(path, run_of(subject, origin, settings)) as journal:
        predictions = translate(system, examples, settings, journal, progress)
        origin = save(path, origin, predictions, source_of)
        if out is not None and out != path:
            save(out, origin, predictions, source_of)
        report = finish(predictions, origin)
        # Only now: a run that dies while it is scored is still taken up, and counted in the ledger.
        journal.remove()
        return report


def origin_of(subject: Subject, examples: Sequence[Example], settings: Settings) -> Origin:
    commit, dirty = provenance.commit()
    return Origin(
        subject.task.name,
        subject.split,
        subject.system,
        settings.k,
        data=provenance.examples_digest(examples),
        bundle=subject.bundle,
        commit=commit,
        dirty=dirty,
        time=ledger.now(),
    )


def run_of(subject: Subject, origin: Origin, settings: Settings) -> dict[str, Any]:
    """Everything that two runs must share for one to go on where the other stopped."""
    return {
        "task": origin.task,
        "split": origin.split,
        "system": origin.system,
        "k": settings.k,
        "batch": settings.batch,
        "data": origin.data,
        "bundle": subject.bundle,
        "code": provenance.code_digest(),
    }


def was_interrupted(subject: Subject, workspace: Workspace, results: Results, settings: Settings) -> bool:
    """Whether the very same run was begun and not finished."""
    path = journal_path(results.predictions(subject.task.name, subject.system, subject.split))
    if settings.limit or not path.exists():
        return False
    examples = load_examples(subject.task, subject.split, workspace)
    return journal_header(path) == run_of(subject, origin_of(subject, examples, settings), settings)


def translate(
    system: System, examples: Sequence[Example], settings: Settings, journal: Journal | None, progress: Progress
) -> list[Prediction]:
    """Every example's prediction, in order; batches that the journal holds are not translated again."""
    done = list(journal.done) if journal else []
    for start in range(len(done), len(examples), settings.batch):
        progress("translated", start, len(examples))
        batch = examples[start : start + settings.batch]
        answers = system.translator.translate([example.request for example in batch], settings.k)
        if len(answers) != len(batch):
            raise RunFailed(
                f"the system gave {len(answers)} answers to {len(batch)} requests", f"first example: {batch[0].id}"
            )
        fresh = []
        for example, answer in zip(batch, answers, strict=True):
            abstained = not answer or answer[0].score < system.abstain_below
            fresh.append(Prediction(example.id, tuple(answer[: settings.k]), abstained))
        if journal:
            journal.add(fresh)
        done.extend(fresh)
    progress("translated", len(examples), len(examples))
    return done


def rescore(
    subject: Subject,
    path: Path,
    workspace: Workspace,
    results: Results,
    settings: Settings = DEFAULTS,
    engine: Engine | None = None,
    progress: Progress = silent,
) -> Report:
    """Score a predictions file without running a model; recorded as a score, never as a run."""
    clock = Clock()
    task, split = subject.task, subject.split
    examples = load_examples(task, split, workspace, settings.limit)
    origin, predictions, notes = read_stored(task, examples, path, workspace, split, settings)
    measured = measure(task.metrics(workspace), examples, predictions, engine, progress)
    origin = origin or Origin(task.name, split, subject.system, settings.k, data=provenance.examples_digest(examples))
    return record(subject, "score", measured, origin, settings, results, clock, notes)


def read_stored(
    task: Task, examples: Sequence[Example], path: Path, workspace: Workspace, split: Split, settings: Settings
) -> tuple[Origin | None, list[Prediction | None], list[str]]:
    """A predictions file against the examples it is about, with notes on what does not fit."""
    origin, notes = read_origin(path), []
    if origin and (origin.task, origin.split) != (task.name, split):
        notes.append(f"{path.name} was made for {origin.task} {origin.split}")
    if origin and not settings.limit and origin.data and origin.data != provenance.examples_digest(examples):
        notes.append("the examples have changed since these predictions were made: run again with --fresh")
    text_of = retrieved_texts(task, workspace) if origin is None or origin.refs else None
    predictions = read_predictions(path, text_of)
    if settings.limit:
        wanted = {example.id for example in examples}
        predictions = (prediction for prediction in predictions if prediction.id in wanted)
    return origin, match_examples(examples, predictions, str(path), settings.partial), notes


def retrieved_texts(task: Task, workspace: Workspace) -> TextOf:
    """Turns the id of a train example into its first reference; the corpus is read when the first id comes."""
    texts: dict[str, str] = {}

    def text_of(ref: str) -> str:
        if not texts:
            texts.update((example.id, example.references[0]) for example in task.load(workspace, "train"))
        if ref not in texts:
            raise RunFailed(f"the predictions name {ref}, which is not in the train part of {task.name}")
        return texts[ref]

    return text_of


def record(
    subject: Subject,
    kind: ledger.Kind,
    measured: Measured,
    origin: Origin,
    settings: Settings,
    results: Results,
    clock: Clock,
    notes: Sequence[str] = (),
) -> Report:
    """Reduce to scores, keep the statistics, write the ledger's line."""
    task, split, name = subject.task.name, subject.split, subject.system
    scores, score_notes = reduce(measured, settings.bootstrap)
    notes = [*notes, *score_notes]
    entry = ledger.entry(
        kind, task, name, split=split, settings=recorded(settings), data=origin.data, predictions=origin.sha256,
        bundle=origin.bundle, seed=settings.bootstrap.seed, wall_seconds=clock.wall(), cpu_seconds=clock.cpu(),
        scores=[ledger.score_row(score) for score in scores],
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
