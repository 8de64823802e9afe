"""What every metric promises: on toy data for all of sayso.metrics, on real examples for those of every task."""

from __future__ import annotations

import importlib
import itertools
import json
import pickle
import pkgutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import sayso.metrics
from sayso.core.errors import MissingData
from sayso.core.types import Candidate, Example, Metric, Request, Unscored, Workspace
from sayso.metrics.bleu import CorpusBleu, SentenceBleu
from sayso.metrics.coverage import Answered, RightOfAnswered
from sayso.metrics.executed import Executed
from sayso.metrics.judged import Judged, Verdict, pool
from sayso.metrics.match import Match
from sayso.metrics.overlap import Macro, Micro, Overlap
from sayso.metrics.statistics import from_json, to_json
from sayso.targets import TASKS

EXAMPLES = [
    Example("toy:1", Request("list all files"), ("ls -l -a .", "ls -la .")),
    Example("toy:2", Request("count lines of all files"), ("cat a.txt b.txt | wc -l",)),
    Example("toy:3", Request("delete old logs"), ("find . -name '*.log' -mtime +7 -delete",)),
    Example("toy:4", Request("show the date"), ("date +%F +%T -u",)),
]
RIGHT = [[Candidate(example.references[0], 0.0)] for example in EXAMPLES]
WRONG = [[Candidate("echo no", 0.0)] for _ in EXAMPLES]
# Right, half right, nothing at all, wrong.
MIXED = [RIGHT[0], [Candidate("cat a.txt b.txt | wc -c -m", 0.0)], [], WRONG[3]]

VERDICTS = pool(
    [
        Verdict(example.request.text, candidates[0].text, right, right)
        for answers, right in ((RIGHT, True), (WRONG, False), (MIXED[:2], False))
        for example, candidates in zip(EXAMPLES, answers, strict=False)
        if right or candidates[0].text != example.references[0]
    ],
    str.strip,
    str.strip,
    "strip",
)
OVERLAPS = [Overlap(str.split, "words", "bag"), Overlap(str.split, "words", "set", k=3)]
OVERLAPS.append(Overlap(str.split, "words", "sequence", skip_empty=True))


def is_reference(example: Example, texts: Sequence[str]) -> list[bool]:
    """A comparison that runs nothing."""
    return [text in example.references for text in texts]


# A metric with the value of a perfect system.
TOY: list[tuple[Metric[Any], float]] = [
    (Match("match@1", 1, str.strip, "strip"), 1.0),
    (Match("match@3", 3, str.strip, "strip"), 1.0),
    (CorpusBleu("bleu"), 100.0),
    (SentenceBleu("bleu_char@1", 1), 100.0),
    (SentenceBleu("bleu_char@3", 3), 100.0),
    (Judged("judged_full@1", 1, VERDICTS, "command"), 1.0),
    (Judged("judged_template@3", 3, VERDICTS, "template"), 1.0),
    (Executed("executed@1", 1, is_reference, "text"), 1.0),
    (Executed("executed@3", 3, is_reference, "text"), 1.0),
    *((Micro("recall", "recall", overlap), 1.0) for overlap in OVERLAPS),
    *((Micro("f1", "f1", overlap), 1.0) for overlap in OVERLAPS),
    *((Macro("precision", "precision", overlap), 1.0) for overlap in OVERLAPS),
]
every_metric = pytest.mark.parametrize("metric", [metric for metric, _ in TOY], ids=lambda metric: metric.signature)


def measured(metric: Metric[Any], answers: Sequence[Sequence[Candidate]]) -> list[Any]:
    return [metric.measure(example, candidates) for example, candidates in zip(EXAMPLES, answers, strict=True)]


def saved(stats: Sequence[Any]) -> list[Any]:
    return from_json(json.loads(json.dumps(to_json(stats), allow_nan=False)))


def test_every_metric_of_the_package_is_here() -> None:
    modules = [
        importlib.import_module(f"sayso.metrics.{found.name}") for found in pkgutil.iter_modules(sayso.metrics.__path__)
    ]
    classes = {
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__ and hasattr(value, "reduce")
    }
    assert classes == {type(metric) for metric, _ in TOY} | {Answered, RightOfAnswered}


@every_metric
def test_shards_give_what_the_whole_gives(metric: Metric[Any]) -> None:
    stats = measured(metric, MIXED)
    whole = metric.reduce(stats)
    shards = [measured_shard(metric, indices) for indices in ((2, 3), (0,), (), (1,))]
    joined = metric.reduce([stat for shard in shards for stat in shard])
    assert joined.value == pytest.approx(whole.value)
    assert (joined.name, joined.n, joined.unscored, joined.signature) == (
        whole.name,
        whole.n,
        whole.unscored,
        whole.signature,
    )


def measured_shard(metric: Metric[Any], indices: Sequence[int]) -> list[Any]:
    """As a worker does it: the metric arrives pickled, the statistics leave as JSON."""
    there = pickle.loads(pickle.dumps(metric))
    return saved([there.measure(EXAMPLES[i], MIXED[i]) for i in indices])


@pytest.mark.parametrize(("metric", "top"), TOY, ids=lambda value: getattr(value, "signature", ""))
def test_perfect_scores_the_maximum(metric: Metric[Any], top: float) -> None:
    assert metric.reduce(measured(metric, RIGHT)).value == pytest.approx(top)
    assert metric.reduce(measured(metric, MIXED)).value < top
    assert metric.reduce(measured(metric, WRONG)).value == pytest.approx(0.0, abs=0.01)


@every_metric
def test_no_candidates_are_allowed_and_wrong(metric: Metric[Any]) -> None:
    score = metric.reduce(measured(metric, [[]] * len(EXAMPLES)))
    assert (score.value, score.n, score.unscored) == (0.0, len(EXAMPLES), {})


@every_metric
def test_statistics_survive_json(metric: Metric[Any]) -> None:
    stats = measured(metric, MIXED)
    assert saved(stats) == stats
    assert metric.reduce(saved(stats)) == metric.reduce(stats)


@every_metric
def test_unscored_examples_are_counted_by_reason_and_stay_out_of_the_score(metric: Metric[Any]) -> None:
    stats = measured(metric, MIXED)
    plain = metric.reduce(stats)
    assert (plain.n, plain.unscored) == (len(EXAMPLES), {})
    more = metric.reduce([Unscored("late"), *stats, Unscored("odd"), Unscored("late")])
    assert more.value == plain.value
    assert (more.n, more.unscored) == (len(EXAMPLES), {"late": 2, "odd": 1})


@every_metric
def test_a_score_over_nothing_has_no_value(metric: Metric[Any]) -> None:
    for stats in ([], [Unscored("late")]):
        score = metric.reduce(stats)
        assert score.n == 0
        assert score.value != score.value, "must be NaN, not a number that somebody could quote"


@every_metric
def test_the_pooling_is_what_it_claims(metric: Metric[Any]) -> None:
    stats = measured(metric, MIXED)
    value = metric.reduce(stats).value
    pooling = getattr(metric, "pooling", "any")
    if pooling == "mean":
        assert value == pytest.approx(sum(stats) / len(stats))
    elif pooling == "sum":
        assert value == pytest.approx(metric.reduce([[sum(column) for column in zip(*stats, strict=True)]]).value)


@every_metric
def test_name_and_signature_are_stable(metric: Metric[Any]) -> None:
    check_name_and_signature(metric)
    score = metric.reduce(measured(metric, MIXED))
    assert (score.name, score.signature) == (metric.name, metric.signature)


def check_name_and_signature(metric: Metric[Any]) -> None:
    again = pickle.loads(pickle.dumps(metric))
    assert metric.name and not set(metric.name) & set(" |\n")
    assert metric.signature and not set(metric.signature) & set(" \n")
    assert " at 0x" not in metric.signature and "/" not in metric.signature
    assert (again.name, again.signature) == (metric.name, metric.signature)


def test_signatures_differ() -> None:
    signatures = [metric.signature for metric, _ in TOY]
    assert len(set(signatures)) == len(signatures)


# Verdicts are people's, and these two numbers are not shares of anything (CONTRACT): right answers need not score 1.
# How many requests get no answer says nothing of those that do.
NO_TOP = ("judged_", "readme_eval_printed", "steps", "abstained")
SOME = 12

every_task = pytest.mark.parametrize("name", sorted(TASKS))


@every_task
def test_metrics_of_a_task_without_any_corpus(name: str, tmp_path: Path) -> None:
    metrics = TASKS[name].metrics(Workspace(data=tmp_path / "data", cache=tmp_path / "cache"))
    assert len({metric.name for metric in metrics}) == len(metrics)
    for metric in metrics:
        check_name_and_signature(metric)


@every_task
def test_metrics_of_a_task_on_real_examples(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    task = TASKS[name]
    data = request.getfixturevalue("small_notebooks" if name.startswith("notebook/") else "corpora")
    workspace = Workspace(data, tmp_path / "cache")
    try:
        examples = list(itertools.islice(task.load(workspace, "dev"), SOME))
    except MissingData as error:
        pytest.skip(error.message)
    if not examples:
        pytest.skip(f"{name} has no dev examples")
    for metric in task.metrics(workspace):
        check_name_and_signature(metric)
        right = [metric.measure(one, [Candidate(text, 0.0) for text in one.references]) for one in examples]
        nothing = [metric.measure(one, []) for one in examples]
        assert saved(right) == right and saved(nothing) == nothing
        best, worst = metric.reduce(right), metric.reduce(nothing)
        for score in (best, worst):
            assert score.n + sum(score.unscored.values()) == len(examples)
        if best.n and not metric.name.startswith(NO_TOP):
            assert best.value == pytest.approx(1.0) or best.value == pytest.approx(100.0), metric.name
            assert not worst.n or worst.value <= best.value
