"""One system trained with several seeds, as one: `NAME.seed0`, `NAME.seed1` … become NAME, by means over seeds.

Intervals draw seeds and examples; two systems are compared over examples (sign flips of each one's mean over seeds) and
over seeds (their runs dealt out anew), and the larger p counts. Only for scores that are means over examples.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from statistics import fmean, stdev
from typing import Any

from sayso.core.errors import UserError
from sayso.core.progress import Progress, silent
from sayso.core.types import Metric, Split, Table, Task, Unscored, Workspace
from sayso.metrics.seeded import SeededTest, deal_runs, interval_over_both
from sayso.metrics.significance import approximate_randomisation, interval
from sayso.runs.elsewhere import elsewhere_notes
from sayso.runs.predictions import abstained_share
from sayso.runs.report import (
    chosen,
    column_of,
    find_metric,
    known,
    metrics_or_reason,
    scores_of,
    systems_of,
    with_clusters,
)
from sayso.runs.rescore import read_stored
from sayso.runs.scoring import Measured, OnBench, measure
from sayso.runs.store import Results
from sayso.runs.subject import DEFAULTS, Settings, Subject, load_examples
from sayso.runs.tables import is_coverage, is_folded, number, silent_share
from sayso.scale import Engine

SEED = re.compile(r"(.+)\.seed(\d+)")
DRAWS = 5000
ANOTHER = "name another --score"


@dataclass(frozen=True)
class Grouped:
    """A system over its seeds; without a seed in its name it is one of its own."""

    system: str
    runs: tuple[str, ...]
    values: tuple[float, ...]
    """Of each run."""
    means: tuple[float | Unscored, ...]
    """Of each example, over runs."""
    low: float
    high: float

    @property
    def mean(self) -> float:
        return fmean(self.values)

    @property
    def deviation(self) -> float | None:
        """None for one run: nobody knows what another seed would bring."""
        return stdev(self.values) if len(self.values) > 1 else None


@dataclass(frozen=True)
class SeedReport:
    task: str
    split: str
    score: str
    n: int
    systems: tuple[Grouped, ...]
    pairs: tuple[tuple[str, str, SeededTest], ...]
    """First minus second."""
    notes: tuple[str, ...] = ()
    drawn: str = "examples"
    folded: bool = False
    """The score does not tell capital letters from small ones."""


def stem_of(system: str) -> str:
    """lstm-attention.seed3 -> lstm-attention"""
    found = SEED.fullmatch(system)
    return found[1] if found else system


def runs_by_stem(systems: Iterable[str]) -> dict[str, list[str]]:
    """a.seed0, a.seed1, b -> a: both, b: itself. Where there are seeds, a run called after the system alone is another
    training, and no further draw of theirs."""
    found: dict[str, list[str]] = {}
    for system in systems:
        found.setdefault(stem_of(system), []).append(system)
    return {stem: [one for one in runs if one != stem] or runs for stem, runs in found.items()}


def collect_seeds(
    task: Task,
    split: Split,
    workspace: Workspace,
    results: Results,
    wanted: Sequence[str] = (),
    score: str = "",
    settings: Settings = DEFAULTS,
    engine: Engine | None = None,
    progress: Progress = silent,
) -> SeedReport:
    """Read what is stored about a split of a task; what has no statistics is measured by this one score."""
    metrics, missing = metrics_or_reason(task, workspace)
    if missing:
        raise UserError(f"{task.name} cannot be scored here: {missing}", "`sayso data get` says where the corpora are")
    metric = find_metric(task, metrics, score)
    if getattr(metric, "pooling", "any") != "mean":
        raise UserError(f"{metric.name} is no mean over examples, so it has no mean over seeds", ANOTHER)
    found = systems_of(task, split, results)
    stems = [one for stem, runs in runs_by_stem(found).items() if not wanted or stem in wanted for one in runs]
    names = stems or chosen(found, wanted, task, split)
    columns: dict[str, Sequence[Any]] = {}
    ids: dict[str, tuple[str, ...]] = {}
    notes = []
    clusters: Sequence[str] = ()
    for name in names:
        subject = Subject(task, split, name)
        measured, why = measured_alone(subject, metric, metrics, workspace, results, engine, progress), ""
        if measured is None:
            _, measured, why = scores_of(subject, metrics, workspace, results, settings, engine, progress)
        if measured is None:
            notes.append(f"{name} is left out: {why or 'it has no statistics'}")
            continue
        measured = with_clusters(measured, task, split, workspace)
        columns[name], ids[name] = column_of(metric, measured), measured.ids
        if is_coverage(metric.reduce(columns[name])):
            raise UserError(f"people judged only some answers of {name}, so {metric.name} is no score of it", ANOTHER)
        if measured.clusters:
            clusters = measured.clusters[[one.name for one in measured.metrics].index(metric.name)]
    if len(set(ids.values())) > 1:
        raise UserError(f"the systems of {task.name} were scored on different examples", "name them with --systems")
    groups = group(metric, columns, clusters)
    pairs = tuple(
        (one.system, two.system, compared(metric, one, two, clusters)) for one, two in combinations(groups, 2)
    )
    notes += ["case-insensitive"] if is_folded(metric.signature) else []
    notes += elsewhere_notes(task, load_examples(task, split, workspace), workspace) if columns else []
    notes += [
        f"{name} abstains on {silent_share(share)} of the requests; its candidates are scored"
        for name in columns
        if (share := abstained_share(results.stored(task.name, name, split)))
    ]
    n = len(groups[0].means) if groups else 0
    folded = is_folded(metric.signature)
    return SeedReport(task.name, split, metric.name, n, tuple(groups), pairs, tuple(notes), task.drawn, folded)


def measured_alone(
    subject: Subject,
    metric: Metric[Any],
    metrics: Sequence[Metric[Any]],
    workspace: Workspace,
    results: Results,
    engine: Engine | None,
    progress: Progress,
) -> Measured | None:
    """Stored answers under one metric, recording nothing: all metrics of two hundred networks would take an hour.

    None where the statistics of all are stored, nothing is, or the metric runs what it judges.
    """
    path = results.stored(subject.task.name, subject.system, subject.split)
    if isinstance(metric, OnBench) or not path.exists() or known(subject, metrics, results)[1]:
        return None
    examples = load_examples(subject.task, subject.split, workspace)
    predictions = read_stored(subject.task, examples, path, workspace, subject.split)[1]
    return measure((metric,), examples, predictions, engine, progress, subject.task.cluster)


def compared(metric: Metric[Any], one: Grouped, two: Grouped, clusters: Sequence[str]) -> SeededTest:
    over = approximate_randomisation(metric, one.means, two.means, DRAWS, clusters=clusters)
    return SeededTest(over.difference, over.p, deal_runs(one.values, two.values), over.n)


def group(metric: Metric[Any], columns: Mapping[str, Sequence[Any]], clusters: Sequence[str] = ()) -> list[Grouped]:
    """Systems by name without the seed, best first."""
    runs: dict[str, list[str]] = defaultdict(list)
    for name in columns:
        runs[stem_of(name)].append(name)
    found = []
    for system, names in runs.items():
        values = tuple(metric.reduce(columns[name]).value for name in names)
        means = tuple(mean_of(each) for each in zip(*(columns[name] for name in names), strict=True))
        if len(names) > 1:
            low, high = interval_over_both([columns[name] for name in names], clusters)
        else:
            alone = interval(metric, columns[names[0]], clusters=clusters)
            low, high = alone.low, alone.high
        found.append(Grouped(system, tuple(names), values, means, low, high))
    return sorted(found, key=lambda one: -one.mean)


def mean_of(statistics: Sequence[Any]) -> float | Unscored:
    """Unscored with any seed is unscored: the reason is that of the first."""
    unscored = next((one for one in statistics if isinstance(one, Unscored)), None)
    return unscored if unscored is not None else fmean(map(float, statistics))


def seed_tables(report: SeedReport) -> list[Table]:
    def shown(value: float | None) -> str:
        return "–" if value is None else number(report.score, value)

    title = f"{report.task} {report.split}: {report.score}, means over seeds"
    rows = [
        (one.system, str(len(one.runs)), shown(one.mean), shown(one.deviation), f"{shown(one.low)}–{shown(one.high)}")
        for one in report.systems
    ]
    header = ("system", "seeds", "mean", "deviation", f"95 % of the mean, over seeds and {report.drawn}")
    alone = [one.system for one in report.systems if len(one.runs) == 1]
    once = (f"one run, so its interval is over {report.drawn} alone: {', '.join(alone)}",) if alone else ()
    tables = [Table(title, header, tuple(rows), (f"n = {report.n}", *once, *report.notes))]
    if report.pairs:
        tests = [
            (
                one,
                two,
                f"{test.difference:+.3f}",
                f"{test.over_examples:.4f}",
                shown_p(test.over_seeds),
                f"{test.p:.4f}",
            )
            for one, two, test in report.pairs
        ]
        notes = (
            f"over {report.drawn}: sign flips of means over seeds ({DRAWS:,} draws); over seeds: the runs of both "
            "dealt out in every way; p is the larger, not corrected for the number of pairs",
            "– over seeds: a system with one run, of which nobody knows what another seed would bring",
        )
        head = ("system", "less", "difference", f"p over {report.drawn}", "p over seeds", "p")
        tables.append(Table("pairs", head, tuple(tests), notes))
    return tables


def shown_p(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def wide_table(reports: Sequence[SeedReport]) -> Table:
    """Systems down, tasks across: mean ± deviation (interval) in per cent, as papers print them."""
    systems = dict.fromkeys(one.system for report in reports for one in report.systems)
    names = dict.fromkeys(report.score for report in reports)
    rows = [("score", *(report.score for report in reports))] if len(names) > 1 else []
    rows.append(("n", *(f"{report.n:,}" for report in reports)))
    for system in systems:
        found = [next((one for one in report.systems if one.system == system), None) for report in reports]
        rows.append((system, *(percent(one) if one else "–" for one in found)))
    title = f"{reports[0].split}: {next(iter(names)) if len(names) == 1 else 'scores'} in %, means over seeds"
    notes = tuple(f"{report.task}: {note}" for report in reports for note in report.notes)
    return Table(title, ("", *(report.task for report in reports)), tuple(rows), notes)


def percent(one: Grouped) -> str:
    """14.1 ± 0.5 (12.9–15.2); without ± where there is one run"""
    spread = "" if one.deviation is None else f" ± {100 * one.deviation:.1f}"
    return f"{100 * one.mean:.1f}{spread} ({100 * one.low:.1f}–{100 * one.high:.1f})"


def seeds_json(report: SeedReport) -> dict[str, Any]:
    return {
        "task": report.task,
        "split": report.split,
        "score": report.score,
        "n": report.n,
        "systems": [
            {
                "system": one.system,
                "runs": list(one.runs),
                "values": list(one.values),
                "mean": one.mean,
                "deviation": one.deviation,
                "low": one.low,
                "high": one.high,
            }
            for one in report.systems
        ],
        "pairs": [{"system": one, "less": two, **asdict(test), "p": test.p} for one, two, test in report.pairs],
        "notes": list(report.notes),
    }
