"""Systems whose answers a corpus holds: nothing runs, so they are scored and never counted as a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sayso.core.progress import Progress
from sayso.core.types import Example, Metric, Score, Workspace
from sayso.runs.evaluate import predict, refuse_silence
from sayso.runs.predictions import Origin, Prediction, digest_of
from sayso.runs.provenance import examples_digest
from sayso.runs.recording import Clock, record
from sayso.runs.scoring import measure
from sayso.runs.store import Results
from sayso.runs.subject import PUBLISHED, Settings, Subject, load_examples
from sayso.scale import Engine


def is_published(subject: Subject) -> bool:
    return subject.system.startswith(PUBLISHED) and subject.system in subject.task.systems


def published_predictions(
    subject: Subject, examples: Sequence[Example], workspace: Workspace, settings: Settings
) -> list[Prediction]:
    """What the corpus has for each example, in order."""
    system = subject.task.systems[subject.system](workspace)
    found = predict(system, [(example.id, example.request) for example in examples], settings.k)
    refuse_silence(subject, found)
    return found


def score_published(
    subject: Subject,
    metrics: Sequence[Metric[Any]],
    workspace: Workspace,
    results: Results,
    settings: Settings,
    engine: Engine | None,
    progress: Progress,
) -> tuple[Score, ...]:
    """Measure what was published, keep the statistics and write a `score` line."""
    clock = Clock()
    examples = load_examples(subject.task, subject.split, workspace)
    predictions = published_predictions(subject, examples, workspace, settings)
    data, digest = examples_digest(examples), digest_of(predictions)
    origin = Origin(subject.task.name, subject.split, subject.system, settings.k, data=data, sha256=digest)
    measured = measure(metrics, examples, predictions, engine, progress, subject.task.cluster)
    return record(subject, "score", measured, origin, settings, results, clock).scores
