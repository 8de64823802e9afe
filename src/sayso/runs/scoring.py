"""From predictions to scores: measure each example anywhere, keep the statistics, reduce once, add intervals."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from sayso import scale
from sayso.core.errors import BadFile, MissingPart, RunFailed, SandboxFailed
from sayso.core.files import write_atomically
from sayso.core.given import parse_json, read_plain
from sayso.core.progress import Progress, silent
from sayso.core.types import Bench, DrawsClusters, Example, MeasuresAnswers, Metric, Score, Unscored
from sayso.metrics.significance import RESAMPLES, SEED, score_with_interval
from sayso.metrics.statistics import from_json, to_json
from sayso.runs.predictions import Origin, Prediction

NO_PREDICTION = "no prediction"
# Reasons that come from the machine or the file, not from the corpus.
BROKEN = ("sandbox", NO_PREDICTION)
# More than this share of an executed score lost to the machine, and the score is called incomplete.
TOLERATED = 0.01


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are drawn."""

    resamples: int = RESAMPLES
    seed: int = SEED


@dataclass(frozen=True)
class Measured:
    """One statistic per example and metric; `statistics[i]` belongs to `metrics[i]`, in the order of `ids`."""

    ids: tuple[str, ...]
    metrics: tuple[Metric[Any], ...]
    statistics: tuple[tuple[Any, ...], ...]
    clusters: tuple[tuple[str, ...], ...] = field(default=(), compare=False)
    """Of each metric: the cluster of every example, or nothing where examples are drawn one by one. Not stored."""


def measure(
    metrics: Sequence[Metric[Any]],
    examples: Sequence[Example],
    predictions: Sequence[Prediction | None],
    engine: scale.Engine | None = None,
    progress: Progress = silent,
    cluster: Callable[[Example], str] | None = None,
) -> Measured:
    """Measure every example under every metric; no prediction is unscored, an error in a metric ends the run."""
    metrics = on_ready_benches(metrics, examples, predictions, engine, progress)
    rows: list[list[Any]] = []
    pairs = zip(examples, predictions, strict=True)
    for example, result in zip(examples, scale.map(partial(measure_one, tuple(metrics)), pairs, engine), strict=True):
        if isinstance(result, scale.Failed):
            message = f"example {example.id} could not be measured: {result.error}"
            raise RunFailed(message, "a metric is at fault; --debug shows where") from RuntimeError(result.trace)
        rows.append(result.value)
        progress("measured", len(rows), len(examples))
    columns = tuple(tuple(row[index] for row in rows) for index in range(len(metrics)))
    ids = tuple(example.id for example in examples)
    return Measured(ids, tuple(metrics), columns, clusters_of(metrics, examples, cluster))


def clusters_of(
    metrics: Sequence[Metric[Any]], examples: Sequence[Example], cluster: Callable[[Example], str] | None
) -> tuple[tuple[str, ...], ...]:
    """For each metric the cluster of every example, by the metric itself or by the task; () where neither has any."""
    shared = tuple(map(cluster, examples)) if cluster else ()
    return tuple(tuple(map(one.cluster, examples)) if isinstance(one, DrawsClusters) else shared for one in metrics)


@runtime_checkable
class OnBench(Protocol):
    """A metric, a frozen dataclass, that reads what a shared bench has worked out."""

    @property
    def bench(self) -> Bench: ...


def on_ready_benches(
    metrics: Sequence[Metric[Any]],
    examples: Sequence[Example],
    predictions: Sequence[Prediction | None],
    engine: scale.Engine | None,
    progress: Progress,
) -> tuple[Metric[Any], ...]:
    """The metrics, with the long work of those that share a bench done once for all examples."""
    answers = [None if one is None else one.candidates for one in predictions]
    ready: dict[int, Bench] = {}
    found: list[Metric[Any]] = []
    for metric in metrics:
        if isinstance(metric, OnBench):
            if id(metric.bench) not in ready:
                ready[id(metric.bench)] = metric.bench.prepared(examples, answers, engine, progress)
            metric = replace(metric, bench=ready[id(metric.bench)])  # type: ignore[type-var]
        found.append(metric)
    return tuple(found)


def benches_of(metrics: Sequence[Metric[Any]]) -> list[Bench]:
    """Once each."""
    return list({id(one.bench): one.bench for one in metrics if isinstance(one, OnBench)}.values())


def measure_one(metrics: Sequence[Metric[Any]], pair: tuple[Example, Prediction | None]) -> list[Any]:
    """The statistics of one example, one per metric. A broken sandbox says nothing about the system."""
    example, prediction = pair
    if prediction is None:
        return [Unscored(NO_PREDICTION) for _ in metrics]
    row: list[Any] = []
    for metric in metrics:
        try:
            if isinstance(metric, MeasuresAnswers):
                row.append(metric.measure_answer(example, prediction.candidates, prediction.abstained))
            else:
                row.append(metric.measure(example, prediction.candidates))
        except SandboxFailed as error:
            row.append(Unscored(error.reason))
    return row


def reduce(measured: Measured, bootstrap: Bootstrap) -> tuple[tuple[Score, ...], list[str]]:
    """Scores with intervals, and notes. A score over nothing is left out: absent, never 0."""
    scores: list[Score] = []
    notes: list[str] = []
    clusters = measured.clusters or ((),) * len(measured.metrics)
    for metric, stats, drawn in zip(measured.metrics, measured.statistics, clusters, strict=True):
        score = metric.reduce(stats)
        lost = sum(count for reason, count in score.unscored.items() if reason.startswith(BROKEN))
        reasons = ", ".join(f"{reason}: {count}" for reason, count in score.unscored.items())
        if score.n == 0 or math.isnan(score.value):
            notes.append(f"{score.name} is left out, nothing could be scored ({reasons or 'no examples'})")
            continue
        if lost > TOLERATED * len(stats):
            notes.append(f"{score.name} is incomplete: {lost} of {len(stats)} examples are unscored ({reasons})")
        try:
            score = score_with_interval(
                metric, stats, resamples=bootstrap.resamples, seed=bootstrap.seed, clusters=drawn
            )
        except MissingPart as error:  # the base install scores without intervals
            notes.append(f"{score.name} has no interval: {error.message}")
        scores.append(score)
    return tuple(scores), notes


def save_statistics(path: Path, measured: Measured, origin: Origin) -> None:
    """Keep the statistics for paired tests: one JSON, with the digests of what they were measured on."""
    document = {
        "data": origin.data,
        "predictions": origin.sha256,
        "ids": measured.ids,
        "metrics": {
            metric.name: {"signature": metric.signature, "statistics": to_json(stats)}
            for metric, stats in zip(measured.metrics, measured.statistics, strict=True)
        },
    }
    with write_atomically(path) as file:
        file.write(json.dumps(document, ensure_ascii=False).encode())


def read_statistics(path: Path, origin: Origin, metrics: Sequence[Metric[Any]]) -> Measured | None:
    """The statistics of these predictions under these metrics; None where they are absent or of something else."""
    try:
        document = parse_json(read_plain(path))
        if (document["data"], document["predictions"]) != (origin.data, origin.sha256):
            return None
        found = document["metrics"]
        if any(found.get(metric.name, {}).get("signature") != metric.signature for metric in metrics):
            return None
        columns = tuple(tuple(from_json(found[metric.name]["statistics"])) for metric in metrics)
        return Measured(tuple(document["ids"]), tuple(metrics), columns)
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        raise BadFile(f"{path} holds no statistics: {error}", f"remove it and score again: rm {path}") from error
