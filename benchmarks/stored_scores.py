"""Does every score of the ledger come again from what is stored? Values, n, signatures and intervals, system by system.

`python -m benchmarks.stored_scores [TASK …] [--record] [--json]`. The newest scoring of every system on a split is made
anew from its stored (or published) predictions by the metrics of today; what runs what it judges is left out, and so
are shared benches of all but `default`. What differs is printed, and so is what has no stored predictions. `--record`
writes a `score` line for each system whose values are the same and whose intervals are not: they were drawn before
intervals drew whole clusters. Nothing is run, and nothing is counted as a run on test.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from sayso.apps import settings
from sayso.core.errors import MissingData, SaysoError
from sayso.core.types import Example, Score, Split, Task, Workspace
from sayso.runs.leaderboard import Standing, standings
from sayso.runs.predictions import Origin, Prediction
from sayso.runs.published import is_published, published_predictions
from sayso.runs.recording import Clock, record
from sayso.runs.rescore import read_stored
from sayso.runs.scoring import Measured, OnBench, measure, reduce
from sayso.runs.store import Results
from sayso.runs.subject import DEFAULTS, Subject, load_examples
from sayso.targets import TASKS, find_task

SLACK = 1e-9


@dataclass(frozen=True)
class Found:
    """One score of one system: what became of it."""

    task: str
    split: str
    system: str
    score: str
    what: str
    kept: tuple[float | None, ...] = ()
    anew: tuple[float | None, ...] = ()


def checked(task: Task, one: Standing, examples: Sequence[Example], here: Workspace, results: Results) -> Measured:
    """The statistics of a system's stored answers under those metrics that its scores have."""
    names = {score.name for score in one.scores}
    metrics = [metric for metric in task.metrics(here) if metric.name in names]
    if one.system != "default":
        metrics = [metric for metric in metrics if not isinstance(metric, OnBench)]
    return measure(metrics, examples, answers(task, one, examples, here, results)[1], cluster=task.cluster)


def answers(
    task: Task, one: Standing, examples: Sequence[Example], here: Workspace, results: Results
) -> tuple[Origin, Sequence[Prediction | None]]:
    split: Split = "test" if one.split == "test" else "dev"
    path, subject = results.stored(task.name, one.system, split), Subject(task, split, one.system)
    if not path.exists() and is_published(subject):
        told = Origin(task.name, split, one.system, DEFAULTS.k)
        return told, published_predictions(subject, examples, here, DEFAULTS)
    return read_stored(task, examples, path, here, split)[:2]


def compared(one: Standing, measured: Measured) -> Iterator[Found]:
    anew = {score.name: score for score in reduce(measured, DEFAULTS.bootstrap)[0]}
    for kept in one.scores:
        found = anew.get(kept.name)
        what = "not measured here" if found is None else difference(kept, found)
        yield Found(one.task, one.split, one.system, kept.name, what, numbers(kept), numbers(found) if found else ())


def difference(kept: Score, anew: Score) -> str:
    if kept.signature != anew.signature:
        return "another signature"
    if not math.isclose(kept.value, anew.value, abs_tol=SLACK) or kept.n != anew.n:
        return "another value"
    ends = zip((kept.low, kept.high), (anew.low, anew.high), strict=True)
    return (
        "equal" if all(a == b or math.isclose(a or 0, b or 0, abs_tol=SLACK) for a, b in ends) else "another interval"
    )


def numbers(score: Score) -> tuple[float | None, ...]:
    return score.value, score.low, score.high, score.n


def unchecked(one: Standing, score: Score, why: str) -> Found:
    return Found(one.task, one.split, one.system, score.name, why, numbers(score))


def write(task: Task, one: Standing, measured: Measured, origin: Origin, results: Results) -> None:
    split: Split = "test" if one.split == "test" else "dev"
    record(Subject(task, split, one.system), "score", measured, origin, DEFAULTS, results, Clock())


def checks(names: Sequence[str], recording: bool) -> Iterator[Found]:
    here, results = settings.workspace(), settings.results()
    groups: dict[tuple[str, str], list[Standing]] = {}
    for one in standings(results.ledger.read()[0], names):
        groups.setdefault((one.task, one.split), []).append(one)
    for (name, part), ones in groups.items():
        task, split = find_task(name), "test" if part == "test" else "dev"
        try:
            examples = load_examples(task, split, here)  # type: ignore[arg-type]  # one of the two
        except MissingData:
            yield from (unchecked(one, score, "no corpus here") for one in ones for score in one.scores)
            continue
        for one in ones:
            try:
                origin, _ = answers(task, one, examples, here, results)
                measured = checked(task, one, examples, here, results)
            except SaysoError:
                yield from (unchecked(one, score, "no stored answers") for score in one.scores)
                continue
            found = list(compared(one, measured))
            yield from found
            whats = {row.what for row in found}
            if recording and "another interval" in whats <= {"equal", "another interval"}:
                write(task, one, measured, origin, results)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stored_scores", description=__doc__)
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="only these (all)")
    parser.add_argument("--record", action="store_true", help="write a line where intervals alone are others")
    parser.add_argument("--json", action="store_true", help="print one JSON object a score that is not equal")
    args = parser.parse_args(argv)
    counts: Counter[str] = Counter()
    for one in checks([find_task(name).name for name in args.tasks] or list(TASKS), args.record):
        counts[one.what] += 1
        if args.json and one.what != "equal":
            print(json.dumps(asdict(one)), flush=True)
        elif one.what == "another value":
            print(f"{one.task} {one.split} {one.system} {one.score}: {one.kept} is {one.anew} now", flush=True)
    print(", ".join(f"{what}: {n}" for what, n in counts.most_common()), file=sys.stderr)
    return 1 if counts["another value"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
