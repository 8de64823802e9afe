"""Scores by kind of example, and two systems side by side, both from stored statistics and predictions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sayso.core.errors import UserError
from sayso.core.types import Example, Labels, Metric, Unscored
from sayso.metrics.significance import Comparison, approximate_randomisation, mcnemar
from sayso.runs.predictions import Prediction
from sayso.runs.scoring import Measured
from sayso.runs.subject import Settings
from sayso.runs.tables import is_folded

# A kind of fewer examples than this says nothing; those are put together.
FEWEST, REST = 5, "rarer"


@dataclass(frozen=True)
class Kind:
    """One kind of example: how many there are, and each system's value with the number that it was scored on."""

    label: str
    n: int
    values: Mapping[str, tuple[float, int]]


@dataclass(frozen=True)
class Sliced:
    """One score of all systems, kind by kind, the most frequent kind first."""

    title: str
    score: str
    kinds: tuple[Kind, ...]
    folded: bool = False
    """The score does not tell capital letters from small ones."""


@dataclass(frozen=True)
class Difference:
    """A request that one of two systems gets right and the other wrong."""

    id: str
    request: str
    references: tuple[str, ...]
    answers: tuple[str, str]
    right: str
    """The system that is right."""


@dataclass(frozen=True)
class Contrast:
    """Two systems on one score."""

    score: str
    systems: tuple[str, str]
    counts: Mapping[str, int]
    """Both right, both wrong, only the first, only the second, and not scored for both."""
    tests: tuple[Comparison, ...]
    differences: tuple[Difference, ...]
    folded: bool = False


def slice_scores(
    metric: Metric[Any], examples: Sequence[Example], measured: Mapping[str, Measured], slices: Mapping[str, Labels]
) -> tuple[Sliced, ...]:
    """One table a title. An example counts in each of its kinds; kinds with few examples are put together."""
    columns = {system: statistics_of(metric, found) for system, found in measured.items()}
    tables = []
    for title, labels in slices.items():
        members: dict[str, list[str]] = {}
        for example in examples:
            for label in dict.fromkeys(labels(example)):
                members.setdefault(label, []).append(example.id)
        kinds = [kind(metric, label, ids, columns) for label, ids in gathered(members).items()]
        if kinds:
            tables.append(Sliced(title, metric.name, tuple(kinds), is_folded(metric.signature)))
    return tuple(tables)


def gathered(members: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Kinds from the most frequent to the rarest; numbered ones keep the order of their numbers."""
    large = {label: ids for label, ids in members.items() if len(ids) >= FEWEST}
    numbered = all(label[:1].isdigit() for label in members)
    found = dict(sorted(large.items(), key=lambda item: (item[0] if numbered else "", -len(item[1]), item[0])))
    rest = list(dict.fromkeys(one for label, ids in members.items() if label not in large for one in ids))
    return {**found, REST: rest} if rest else found


def kind(metric: Metric[Any], label: str, ids: Sequence[str], columns: Mapping[str, Mapping[str, Any]]) -> Kind:
    values = {}
    for system, column in columns.items():
        score = metric.reduce([column[one] for one in ids if one in column])
        values[system] = (score.value if score.n else math.nan, score.n)
    return Kind(label, len(ids), values)


def statistics_of(metric: Metric[Any], measured: Measured) -> dict[str, Any]:
    """Example id -> statistic under one metric; {} where it was not measured."""
    for found, column in zip(measured.metrics, measured.statistics, strict=True):
        if found.name == metric.name:
            return dict(zip(measured.ids, column, strict=True))
    return {}


def contrast(
    metric: Metric[Any],
    examples: Sequence[Example],
    measured: Mapping[str, Measured],
    predictions: Mapping[str, Sequence[Prediction | None]],
    systems: tuple[str, str],
    settings: Settings,
) -> Contrast:
    """Where two systems differ on a score that is right or wrong; the tests look at what both were scored on."""
    first, second = (statistics_of(metric, measured[system]) for system in systems)
    if any(not isinstance(one, Unscored) and one not in (0, 1) for one in (*first.values(), *second.values())):
        raise UserError(f"{metric.name} is not right or wrong", "side by side: --score match_full@1, for example")
    answers = {system: first_answers(examples, predictions.get(system, ())) for system in systems}
    counts = dict.fromkeys(("both right", "both wrong", systems[0], systems[1], "unscored"), 0)
    differences, pairs, compared = [], [], []
    for example in examples:
        one, two = first.get(example.id), second.get(example.id)
        if one is None or two is None or isinstance(one, Unscored) or isinstance(two, Unscored):
            counts["unscored"] += 1
            continue
        pairs.append((one, two))
        compared.append(example)
        if bool(one) == bool(two):
            counts["both right" if one else "both wrong"] += 1
            continue
        right = systems[0] if one else systems[1]
        counts[right] += 1
        shown = answers[systems[0]][example.id], answers[systems[1]][example.id]
        differences.append(Difference(example.id, example.request.text, example.references, shown, right))
    clusters = clusters_by_id(metric, measured[systems[0]])
    drawn = [clusters[example.id] for example in compared] if clusters else []
    columns = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    draws = settings.bootstrap
    tests = [approximate_randomisation(metric, *columns, draws.resamples, draws.seed, drawn)] if pairs else []
    if pairs and not drawn:  # McNemar's test takes examples for independent
        tests.append(mcnemar(*columns))
    return Contrast(metric.name, systems, counts, tuple(tests), tuple(differences), is_folded(metric.signature))


def clusters_by_id(metric: Metric[Any], measured: Measured) -> dict[str, str]:
    """Example id -> what it is drawn together with; {} where examples are drawn one by one."""
    if not measured.clusters:
        return {}
    found = measured.clusters[[one.name for one in measured.metrics].index(metric.name)]
    return dict(zip(measured.ids, found, strict=True)) if found else {}


def first_answers(examples: Sequence[Example], predictions: Sequence[Prediction | None]) -> dict[str, str]:
    """Example id -> the first candidate, "" where there is none."""
    found = dict.fromkeys((example.id for example in examples), "")
    found.update((one.id, one.candidates[0].text) for one in predictions if one and one.candidates)
    return found
