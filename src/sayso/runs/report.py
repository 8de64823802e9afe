"""Everything known about a split of a task, from stored predictions and the ledger: scores, ties, paired tests.

A score that the ledger has for exactly these predictions is taken from it; others are computed, given the corpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sayso.core.errors import MissingData, UserError
from sayso.core.progress import Progress, silent
from sayso.core.types import Metric, Score, Split, Task, Workspace
from sayso.metrics.significance import Comparison, approximate_randomisation, mcnemar, tied_with_best
from sayso.runs.breakdowns import BREAKDOWNS, Breakdown
from sayso.runs.ledger import read_score
from sayso.runs.paper import PaperNumber, numbers_for
from sayso.runs.predictions import Origin, Prediction, read_origin
from sayso.runs.recording import too_few
from sayso.runs.rescore import read_stored, rescore
from sayso.runs.scoring import Measured, read_statistics
from sayso.runs.store import Results
from sayso.runs.subject import DEFAULTS, Settings, Subject, load_examples
from sayso.runs.tables import Table


@dataclass(frozen=True)
class SystemScores:
    system: str
    scores: tuple[Score, ...]
    test_runs: int

    def find(self, name: str) -> Score | None:
        return next((score for score in self.scores if score.name == name), None)


@dataclass(frozen=True)
class PairedTest:
    """How one system differs from the best on one score."""

    score: str
    best: str
    system: str
    comparison: Comparison


@dataclass(frozen=True)
class TaskReport:
    """What there is to say about one split of one task."""

    task: str
    split: str
    systems: tuple[SystemScores, ...]
    tied: dict[str, frozenset[str]]
    """Score → the systems that are not significantly worse than the best on it."""
    tests: tuple[PairedTest, ...]
    paper: tuple[PaperNumber, ...]
    breakdowns: tuple[Table, ...]
    notes: tuple[str, ...]

    @property
    def score_names(self) -> tuple[str, ...]:
        """In the order of the metrics, then what only the paper has."""
        names = [score.name for system in self.systems for score in system.scores]
        return tuple(dict.fromkeys([*names, *(number.score for number in self.paper)]))


def collect(
    task: Task,
    split: Split,
    workspace: Workspace,
    results: Results,
    breakdowns: Sequence[Breakdown] | None = None,
    settings: Settings = DEFAULTS,
    progress: Progress = silent,
) -> TaskReport:
    """Read what is stored about a split of a task, scoring again whatever has no scores yet."""
    metrics, missing = metrics_or_reason(task, workspace)
    rows: list[SystemScores] = []
    measured: dict[str, Measured] = {}
    notes = results.ledger.read()[1]
    for system in systems_of(task, split, results):
        subject = Subject(task, split, system)
        scores, statistics, why = scores_of(subject, metrics, workspace, results, settings, progress)
        missing = missing or why
        if scores is None:
            notes.append(f"{system} has predictions and no scores: {missing}")
            continue
        origin = read_origin(results.predictions(task.name, system, split))
        notes += [f"{system}: {note}" for note in too_few(metrics, origin.k)] if origin else []
        rows.append(SystemScores(system, scores, results.ledger.test_runs(task.name, system)))
        if statistics:
            measured[system] = statistics
    if without := ", ".join(row.system for row in rows if row.system not in measured):
        notes.append(f"no paired tests for {without}: {missing or 'score it again with `sayso eval`'}")
    tied, tests = compare(metrics, measured, settings)
    wanted = BREAKDOWNS.get(task.name, ()) if breakdowns is None else breakdowns
    tables = break_down(task, split, workspace, results, wanted) if wanted and not missing else ()
    paper = numbers_for(task.name, split)
    return TaskReport(task.name, split, tuple(rows), tied, tuple(tests), paper, tables, tuple(notes))


def systems_of(task: Task, split: Split, results: Results) -> list[str]:
    """Those with stored predictions, and those whose run the ledger holds (published predictions are not stored)."""
    runs = [entry for entry in results.ledger.read()[0] if entry.kind == "eval" and entry.whole]
    recorded = {entry.system for entry in runs if (entry.task, entry.split) == (task.name, split)}
    return sorted({*results.systems(task.name, split), *recorded})


def scores_of(
    subject: Subject,
    metrics: Sequence[Metric[Any]],
    workspace: Workspace,
    results: Results,
    settings: Settings,
    progress: Progress,
) -> tuple[tuple[Score, ...] | None, Measured | None, str]:
    """Scores and statistics of a system, and why they are not there where they are not."""
    scores, statistics = known(subject, metrics, results)
    path = results.predictions(subject.task.name, subject.system, subject.split)
    if not path.exists() or (scores and (statistics or not metrics)):
        return scores, statistics, ""
    try:
        scores = rescore(subject, path, workspace, results, settings, progress=progress).scores
        return scores, known(subject, metrics, results)[1], ""
    except MissingData as error:
        return scores, statistics, error.message


def metrics_or_reason(task: Task, workspace: Workspace) -> tuple[tuple[Metric[Any], ...], str]:
    """The metrics of a task, or why they cannot be had on this machine."""
    try:
        return task.metrics(workspace), ""
    except MissingData as error:
        return (), error.message


def known(
    subject: Subject, metrics: Sequence[Metric[Any]], results: Results
) -> tuple[tuple[Score, ...] | None, Measured | None]:
    """The newest scores and the statistics of exactly the predictions that are stored now, under today's metrics."""
    wanted = subject.task.name, subject.split, subject.system
    path = results.predictions(subject.task.name, subject.system, subject.split)
    origin = read_origin(path) if path.exists() else None
    signatures = {metric.name: metric.signature for metric in metrics}
    for entry in reversed(results.ledger.read()[0]):
        if (entry.task, entry.split, entry.system) != wanted or not entry.whole:
            continue
        scores = tuple(read_score(row) for row in entry.scores)
        changed = any(signatures.get(score.name, score.signature) != score.signature for score in scores)
        if changed or (origin and entry.predictions != origin.sha256):
            continue
        origin = origin or Origin(*wanted, 0, data=entry.data, sha256=entry.predictions)
        statistics = results.statistics(subject.task.name, subject.system, subject.split)
        return scores, read_statistics(statistics, origin, metrics) if metrics else None
    return None, None


def compare(
    metrics: Sequence[Metric[Any]], measured: dict[str, Measured], settings: Settings
) -> tuple[dict[str, frozenset[str]], list[PairedTest]]:
    """Who is tied with the best on each score, and how far each of the others is from it."""
    tied: dict[str, frozenset[str]] = {}
    tests: list[PairedTest] = []
    if len({found.ids for found in measured.values()}) != 1 or len(measured) < 2:
        return tied, tests
    draws = settings.bootstrap
    for index, metric in enumerate(metrics):
        columns = {name: found.statistics[index] for name, found in measured.items()}
        values = {name: metric.reduce(column) for name, column in columns.items()}
        columns = {name: column for name, column in columns.items() if values[name].n}
        if len(columns) < 2:
            continue
        best = max(columns, key=lambda name: values[name].value)
        tied[metric.name] = frozenset(tied_with_best(metric, columns, resamples=draws.resamples, seed=draws.seed))
        for name in sorted(columns, key=lambda name: -values[name].value):
            if name != best:
                pair = columns[best], columns[name]
                found = [approximate_randomisation(metric, *pair, draws.resamples, draws.seed)]
                if right_or_wrong(*pair):
                    found.append(mcnemar(*pair))
                tests += [PairedTest(metric.name, best, name, comparison) for comparison in found]
    return tied, tests


def right_or_wrong(first: Sequence[Any], second: Sequence[Any]) -> bool:
    """Whether McNemar's test applies."""
    try:
        mcnemar(first, second)
    except UserError:
        return False
    return True


def break_down(
    task: Task, split: Split, workspace: Workspace, results: Results, breakdowns: Sequence[Breakdown]
) -> tuple[Table, ...]:
    """The target's own tables over every system whose predictions are stored."""
    examples = load_examples(task, split, workspace)
    predictions: dict[str, Sequence[Prediction | None]] = {}
    for system in results.systems(task.name, split):
        path = results.predictions(task.name, system, split)
        predictions[system] = read_stored(task, examples, path, workspace, split)[1]
    return tuple(breakdown(examples, predictions) for breakdown in breakdowns)
