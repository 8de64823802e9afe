"""Everything known about a split of a task, from stored predictions and the ledger: scores, ties, paired tests.

A score that the ledger has for exactly these predictions is taken from it; others are computed, given the corpus.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sayso.core.errors import MissingData, UnknownName, UserError
from sayso.core.progress import Progress, silent
from sayso.core.types import DrawsClusters, Example, Metric, Score, Split, Table, Task, Workspace
from sayso.metrics.significance import Comparison, approximate_randomisation, mcnemar, tied_with_best
from sayso.runs.ledger import read_score
from sayso.runs.paper import PaperNumber, numbers_for
from sayso.runs.predictions import Origin, Prediction, abstained_share, read_origin
from sayso.runs.published import is_published, published_predictions, score_published
from sayso.runs.recording import too_few
from sayso.runs.rescore import read_stored, rescore
from sayso.runs.scoring import Measured, clusters_of, read_statistics, reduce
from sayso.runs.slices import Contrast, Sliced, contrast, slice_scores
from sayso.runs.store import Results
from sayso.runs.subject import DEFAULTS, PUBLISHED, Settings, Subject, load_examples
from sayso.runs.tables import is_coverage
from sayso.scale import Engine


@dataclass(frozen=True)
class SystemScores:
    system: str
    scores: tuple[Score, ...]
    test_runs: int
    abstained: float | None = None
    """The share of requests to which it says that it does not know, its candidates scored all the same."""

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
    slices: tuple[Sliced, ...] = ()
    contrast: Contrast | None = None
    drawn: str = ""
    """What intervals draw and tests swap, where it is not single examples."""

    @property
    def score_names(self) -> tuple[str, ...]:
        """In the order of the metrics, then what only the paper has."""
        names = [score.name for system in self.systems for score in system.scores]
        return tuple(dict.fromkeys([*names, *(number.score for number in self.paper)]))


@dataclass(frozen=True)
class Wanted:
    """What a report is to be about; by default all systems, and errors by kind on the headline score."""

    systems: tuple[str, ...] = ()
    """Only these; two of them are also put side by side."""
    score: str = ""
    """What errors are counted by."""


EVERYTHING = Wanted()


def collect(
    task: Task,
    split: Split,
    workspace: Workspace,
    results: Results,
    wanted: Wanted = EVERYTHING,
    settings: Settings = DEFAULTS,
    engine: Engine | None = None,
    progress: Progress = silent,
) -> TaskReport:
    """Read what is stored about a split of a task, scoring again whatever has no scores yet."""
    metrics, missing = metrics_or_reason(task, workspace)
    rows: list[SystemScores] = []
    measured: dict[str, Measured] = {}
    notes = results.ledger.read()[1]
    for system in chosen(systems_of(task, split, results), wanted.systems, task, split):
        subject = Subject(task, split, system)
        scores, statistics, why = scores_of(subject, metrics, workspace, results, settings, engine, progress)
        missing = missing or why
        if scores is None:
            notes.append(f"{system} has predictions and no scores: {missing}")
            continue
        origin = read_origin(results.stored(task.name, system, split))
        notes += [f"{system}: {note}" for note in too_few(metrics, origin.k)] if origin else []
        if statistics:
            measured[system] = statistics = with_clusters(statistics, task, split, workspace)
            if task.cluster:  # what the ledger holds may have been drawn example by example
                scores = reduce(statistics, settings.bootstrap)[0]
        silent_on = abstained_share(results.stored(task.name, system, split))
        rows.append(SystemScores(system, scores, results.ledger.test_runs(task.name, system), silent_on))
    if without := ", ".join(row.system for row in rows if row.system not in measured):
        notes.append(f"no paired tests for {without}: {missing or 'score it again with `sayso eval`'}")
    if len({found.ids for found in measured.values()}) > 1:
        names = ", ".join(f"{name} ({len(found.ids)})" for name, found in measured.items())
        notes.append(f"no paired tests on {split}: the systems were scored on different examples: {names}")
    tied, tests = compare(metrics, measured, settings)
    paper = numbers_for(task.name, split)
    drawn = f"intervals draw whole {task.drawn}, and paired tests swap them" if task.cluster and measured else ""
    report = TaskReport(task.name, split, tuple(rows), tied, tuple(tests), paper, (), tuple(notes), drawn=drawn)
    return (
        report
        if missing or not rows
        else analyse(report, task, workspace, results, metrics, measured, wanted, settings)
    )


def with_clusters(found: Measured, task: Task, split: Split, workspace: Workspace) -> Measured:
    """Statistics as they were stored, with what is drawn together."""
    if not task.cluster and not any(isinstance(metric, DrawsClusters) for metric in found.metrics):
        return found
    examples = load_examples(task, split, workspace)
    if found.ids != tuple(example.id for example in examples):
        return found
    return replace(found, clusters=clusters_of(found.metrics, examples, task.cluster))


def chosen(found: list[str], wanted: Sequence[str], task: Task, split: Split) -> list[str]:
    """Those that were asked for; a published system may be asked for before it was ever run."""
    published = {name for name in task.systems if name.startswith(PUBLISHED)}
    for name in wanted:
        if name not in found and name not in published:
            if name in task.systems:
                hint = f"sayso eval {task.name} --split {split} --system {name}"
                raise UserError(f"no answers of {name} to {task.name} {split} are stored here", hint)
            raise UnknownName(f"system of {task.name} with results", name, {*found, *published})
    return list(dict.fromkeys(wanted)) if wanted else found


def has_results(task: Task, split: Split, results: Results, systems: Sequence[str]) -> bool:
    """Whether all of these systems have something to report on a split."""
    return set(systems) <= set(systems_of(task, split, results))


def analyse(
    report: TaskReport,
    task: Task,
    workspace: Workspace,
    results: Results,
    metrics: Sequence[Metric[Any]],
    measured: Mapping[str, Measured],
    wanted: Wanted,
    settings: Settings,
) -> TaskReport:
    """The report with errors by kind, the target's own tables and, for two systems, where they differ."""
    split: Split = report.split  # type: ignore[assignment]  # it was one of the splits when the report was begun
    slices = task.slices(workspace)
    if not (task.breakdowns or slices or len(wanted.systems) == 2):
        return report
    metric = find_metric(task, metrics, wanted.score)
    examples = load_examples(task, split, workspace)
    same = {name: found for name, found in measured.items() if set(found.ids) == {one.id for one in examples}}
    partly = [name for name, found in same.items() if is_coverage(metric.reduce(column_of(metric, found)))]
    same = {name: found for name, found in same.items() if name not in partly}
    left_out = (f"{metric.name} by kind leaves out {', '.join(partly)}: people judged only some of the answers",)
    predictions = {
        row.system: predictions_of(Subject(task, split, row.system), examples, workspace, results, settings)
        for row in report.systems
        if task.breakdowns or len(wanted.systems) == 2
    }
    answers = {system: [one.candidates if one else () for one in found] for system, found in predictions.items()}
    found = [breakdown(workspace, examples, answers) for breakdown in task.breakdowns]
    pair = wanted.systems if len(wanted.systems) == 2 and set(wanted.systems) <= set(same) else ()
    return replace(
        report,
        breakdowns=tuple(table for table in found if table),
        slices=slice_scores(metric, examples, same, slices) if same else (),
        contrast=contrast(metric, examples, same, predictions, (pair[0], pair[1]), settings) if pair else None,
        notes=(*report.notes, *(left_out if partly else ())),
    )


def column_of(metric: Metric[Any], measured: Measured) -> Sequence[Any]:
    """The statistics under one metric."""
    return measured.statistics[[one.name for one in measured.metrics].index(metric.name)]


def find_metric(task: Task, metrics: Sequence[Metric[Any]], name: str) -> Metric[Any]:
    """The metric of a name, by default the headline."""
    by_name = {metric.name: metric for metric in metrics}
    if name and name not in by_name:
        raise UnknownName(f"score of {task.name} on this machine", name, by_name)
    return by_name[name] if name else metrics[0]


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
    engine: Engine | None,
    progress: Progress,
) -> tuple[tuple[Score, ...] | None, Measured | None, str]:
    """Scores and statistics of a system, and why they are not there where they are not."""
    scores, statistics = known(subject, metrics, results)
    path = results.stored(subject.task.name, subject.system, subject.split)
    if not (path.exists() or is_published(subject)) or (scores and (statistics or not metrics)):
        return scores, statistics, ""
    try:
        if path.exists():
            scores = rescore(subject, path, workspace, results, settings, engine, progress).scores
        else:
            scores = score_published(subject, metrics, workspace, results, settings, engine, progress)
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
    path = results.stored(subject.task.name, subject.system, subject.split)
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
        return scores, find_statistics(subject, origin, metrics, results) if metrics else None
    return None, None


def find_statistics(
    subject: Subject, origin: Origin, metrics: Sequence[Metric[Any]], results: Results
) -> Measured | None:
    """The user's own, or those that were left in the checkout, where they are of these predictions."""
    places = results.statistics_places(subject.task.name, subject.system, subject.split)
    return next((found for path in places if (found := read_statistics(path, origin, metrics))), None)


def compare(
    metrics: Sequence[Metric[Any]], measured: dict[str, Measured], settings: Settings
) -> tuple[dict[str, frozenset[str]], list[PairedTest]]:
    """Who is tied with the best on each score, and how far each of the others is from it."""
    tied: dict[str, frozenset[str]] = {}
    tests: list[PairedTest] = []
    if len({found.ids for found in measured.values()}) != 1 or len(measured) < 2:
        return tied, tests
    draws = settings.bootstrap
    of = next(iter(measured.values())).clusters or ((),) * len(metrics)
    for index, metric in enumerate(metrics):
        columns = {name: found.statistics[index] for name, found in measured.items()}
        values = {name: metric.reduce(column) for name, column in columns.items()}
        columns = {name: column for name, column in columns.items() if values[name].n and not is_coverage(values[name])}
        if len(columns) < 2:
            continue
        best = max(columns, key=lambda name: values[name].value)
        near = tied_with_best(metric, columns, resamples=draws.resamples, seed=draws.seed, clusters=of[index])
        # A star that every system has says nothing.
        tied[metric.name] = frozenset(near if len(near) < len(columns) else ())
        for name in sorted(columns, key=lambda name: -values[name].value):
            if name != best:
                pair = columns[best], columns[name]
                found = [approximate_randomisation(metric, *pair, draws.resamples, draws.seed, of[index])]
                if right_or_wrong(*pair) and not of[index]:  # McNemar's test takes examples for independent
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


def predictions_of(
    subject: Subject, examples: Sequence[Example], workspace: Workspace, results: Results, settings: Settings
) -> Sequence[Prediction | None]:
    """What a system answered, from the file or from the corpus that published it; nothing where neither has it."""
    path = results.stored(subject.task.name, subject.system, subject.split)
    if path.exists():
        return read_stored(subject.task, examples, path, workspace, subject.split)[1]
    if is_published(subject):
        return published_predictions(subject, examples, workspace, settings)
    return [None] * len(examples)
