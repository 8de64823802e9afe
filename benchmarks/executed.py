"""Judge the judge: executed equivalence beside the human verdicts of NL2Bash, and beside the string metrics.

`python -m benchmarks.executed [--split dev] [--json] [--errors FILE] [--engine ray] [--twice]`. Rows are the
distinct judged predictions for the requests of one part. The judge was developed on dev; test is run once, to report.
`--readers` takes the dev requests that people did not judge, with what machine readers said of first answers
(docs/guide/judge.md).
`--twice` judges all of it again, the last request first, in another folder and process, and counts what changed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path

from benchmarks import Row
from sayso import scale
from sayso.apps.settings import results, workspace
from sayso.core.errors import BadInstruction, SandboxFailed
from sayso.core.types import Example, Sandbox, Split, Unscored, Workspace
from sayso.metrics.judged import agreed, read_verdicts
from sayso.runs.report import predictions_of
from sayso.runs.subject import DEFAULTS, Subject
from sayso.sandbox import open_sandbox
from sayso.targets import find_task
from sayso.targets.bash import language
from sayso.targets.bash.corpus import nl2bash as corpus
from sayso.targets.bash.executed.judge import Judge
from sayso.targets.bash.metrics import VERDICT_FILES, pooled_verdicts, readers_verdicts, words_only

MINUTES = 20.0
FEWEST = 10
READ_SYSTEMS = ("default", "st-copynet", "tellina")
JUDGES = ("executed", "canonical", "order_free", "exact")


@dataclass(frozen=True)
class Judged:
    """One prediction with what humans, the judge and the string metrics say; `executed` is None where unscored."""

    request: str
    prediction: str
    correct: bool
    canonical: bool
    order_free: bool
    exact: bool
    executed: bool | None
    reason: str = ""


@dataclass(frozen=True)
class Quality:
    """How well a yes agrees with the humans' yes; `auc` is that of a yes or no, the mean of recall and specificity."""

    rows: int
    precision: float
    recall: float
    recall_of_all: float
    f1: float
    auc: float


def run(requests: int = 0) -> list[Row]:
    """The figures on dev, where this machine has the corpus and a sandbox; 0 requests are all."""
    here = workspace()
    if not (corpus.folder(here.data) / "manual_judgements").is_dir():
        return []
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        try:
            rows = list(judge_all(Workspace(here.data, Path(folder)), "dev", scale.Processes(), requests))
        except SandboxFailed:
            return []
        minutes = (time.monotonic() - start) / 60
    found = quality(rows, "executed")
    scored = sum(row.executed is not None for row in rows) / len(rows)
    some = f"verdicts on {requests} dev requests" if requests else "all dev verdicts"
    return [
        Row(f"executed judge, {some}", minutes, "min", len(rows), limit=MINUTES),
        Row("executed judge, precision", found.precision, "", found.rows),
        Row("executed judge, recall over scored rows", found.recall, "", found.rows),
        Row("executed judge, share scored", scored, "", len(rows)),
    ]


def judge_all(
    here: Workspace,
    split: Split,
    engine: scale.Engine,
    requests: int = 0,
    readers: bool = False,
    backwards: bool = False,
) -> Iterator[Judged]:
    """Every judged prediction for the requests of one part, in the order of the part; 0 requests are all."""
    open_sandbox(here.cache)  # fails early, and once
    items = (read_by_machines(here) if readers else verdicts(here, split))[: requests or None]
    items = items[::-1] if backwards else items
    for result in scale.map(partial(judge_one, here.cache), items, engine, chunk=1):
        if isinstance(result, scale.Failed):
            raise SandboxFailed(f"a request could not be judged: {result.error}", result.trace)
        yield from result.value


def changed(first: Sequence[Judged], second: Sequence[Judged]) -> list[tuple[Judged, Judged]]:
    """What was judged twice, in whatever order, and not in the same way or for the same reason."""
    again = {(row.request, row.prediction): row for row in second}
    return [(row, other) for row in first if row != (other := again[row.request, row.prediction])]


def verdicts(here: Workspace, split: Split) -> list[tuple[Example, dict[str, bool]]]:
    """The examples of a part with what was judged for them; a request that stands in both parts is left out."""
    other: Split = "test" if split == "dev" else "dev"
    elsewhere = {corpus.request_key(example.request.text) for example in corpus.load(here, other)}
    examples = {corpus.request_key(example.request.text): example for example in corpus.load(here, split)}
    rows: dict[str, dict[str, list[bool]]] = {}
    for name in VERDICT_FILES:
        for verdict in read_verdicts(corpus.folder(here.data) / "manual_judgements" / name):
            key = corpus.request_key(verdict.description)
            if key in examples and key not in elsewhere and (correct := agreed([verdict], "command")) is not None:
                rows.setdefault(key, {}).setdefault(words_only(verdict.prediction), []).append(correct)
    return [
        (examples[key], {text: 2 * sum(said) > len(said) for text, said in found.items()})
        for key, found in rows.items()
    ]


def read_by_machines(here: Workspace) -> list[tuple[Example, dict[str, bool]]]:
    """Dev requests that people did not judge, with stored first answers and what machine readers said of them."""
    people, readers = pooled_verdicts(here), readers_verdicts()
    task, examples = find_task("bash/command"), list(corpus.load(here, "dev"))
    answers = [
        predictions_of(Subject(task, "dev", system), examples, here, results(), DEFAULTS) for system in READ_SYSTEMS
    ]
    found = []
    for example, *said in zip(examples, *answers, strict=True):
        if people is None or people.request_key(example.request.text) in people.requests:
            continue
        texts = dict.fromkeys(one.candidates[0].text for one in said if one and one.candidates)
        judged = {text: readers.find(example.request.text, text, "command") for text in texts}
        found.append((example, {text: correct for text, correct in judged.items() if correct is not None}))
    # Requests stand in the order of their words, so that the first hundred would be of one kind.
    return sorted(found, key=lambda item: item[0].id)


def judge_one(folder: Path, item: tuple[Example, dict[str, bool]]) -> list[Judged]:
    example, judged = item
    judge = Judge(opened(folder), folder)
    texts = list(judged)
    try:
        found = judge(example, texts)
    except SandboxFailed as error:
        found = Unscored(error.reason)
    same: Sequence[bool | None] = [None] * len(texts) if isinstance(found, Unscored) else found
    reason = found.reason if isinstance(found, Unscored) else ""
    forms = set(map(form, example.references))
    bags = set(map(bag, example.references))
    exact = set(map(words_only, example.references))
    return [
        Judged(
            example.request.text,
            text,
            judged[text],
            form(text) in forms,
            bag(text) in bags,
            text in exact,
            verdict,
            reason,
        )
        for text, verdict in zip(texts, same, strict=True)
    ]


@cache
def opened(folder: Path) -> Sandbox:
    """One sandbox for each worker."""
    return open_sandbox(folder)


def form(command: str) -> str:
    try:
        return language.normalise(command)
    except BadInstruction:
        return f"\0{command}"


def bag(command: str) -> tuple[str, ...]:
    """The tokens of the canonical form without their order."""
    return tuple(sorted(form(command).split()))


def quality(rows: Sequence[Judged], which: str) -> Quality:
    """Over the rows that the judge scores, whichever judge or metric is asked about."""
    scored = [row for row in rows if row.executed is not None]
    yes = [row for row in scored if getattr(row, which)]
    right = sum(row.correct for row in yes)
    correct = sum(row.correct for row in scored)
    all_correct = sum(row.correct for row in rows)
    precision, recall = right / max(1, len(yes)), right / max(1, correct)
    false_alarms = (len(yes) - right) / max(1, len(scored) - correct)
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return Quality(len(scored), precision, recall, right / max(1, all_correct), f1, (recall + 1 - false_alarms) / 2)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.executed", description=__doc__)
    parser.add_argument("--split", choices=("dev", "test"), default="dev", help="the part whose verdicts are used")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--engine", choices=("serial", "processes", "ray"), default="processes", help="what runs them")
    parser.add_argument("--workers", type=int, default=0, help="of the engine (one per core)")
    parser.add_argument("--address", default="", help="of a Ray cluster")
    parser.add_argument("--requests", type=int, default=0, help="only the first so many requests (0: all)")
    parser.add_argument("--readers", action="store_true", help="dev requests that machine readers judged, not people")
    parser.add_argument("--rows", type=Path, help="write every row with what each judge says of it")
    parser.add_argument("--errors", type=Path, help="write the rows on which the judge and the humans differ")
    parser.add_argument("--twice", action="store_true", help="judge it a second time and count what is not the same")
    args = parser.parse_args(argv)
    if args.split == "test" and (args.errors or args.rows):
        parser.error("the errors on test are not for reading: they would leak into the judge")
    if args.readers and args.split != "dev":
        parser.error("machine readers judged dev alone")
    engine = scale.open_engine(args.engine, args.workers, args.address)
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        here = Workspace(workspace().data, Path(folder))
        rows = list(judge_all(here, args.split, engine, args.requests, args.readers))
    moved = []
    if args.twice:
        with tempfile.TemporaryDirectory() as folder:
            elsewhere = Workspace(workspace().data, Path(folder))
            moved = changed(rows, list(judge_all(elsewhere, args.split, engine, args.requests, args.readers, True)))
    answer = {
        "split": args.split,
        "rows": len(rows),
        "correct": sum(row.correct for row in rows),
        "scored": sum(row.executed is not None for row in rows) / len(rows),
        "unscored": dict(Counter(row.reason for row in rows if row.executed is None)),
        "judges": {which: asdict(quality(rows, which)) for which in JUDGES},
        "minutes": (time.monotonic() - start) / 60,
        "engine": args.engine,
        **({"same_twice": len(rows) - len(moved)} if args.twice else {}),
    }
    if args.rows:
        args.rows.write_text("".join(f"{json.dumps(asdict(row))}\n" for row in rows), encoding="utf-8")
    if args.errors:
        wrong = [row for row in rows if row.executed is not None and row.executed != row.correct]
        args.errors.write_text("".join(f"{json.dumps(asdict(row))}\n" for row in wrong), encoding="utf-8")
    print(json.dumps(answer) if args.json else "\n".join(table(answer)))
    return 0


def table(answer: dict) -> list[str]:  # type: ignore[type-arg]  # the JSON object of main
    share = f"{answer['scored']:.1%} scored, {answer['minutes']:.1f} min"
    head = f"{answer['rows']} rows, {answer['correct']} correct, {share}"
    lines = [head, f"{'judge':10} precision recall of-all     F    AUC"]
    for name, found in answer["judges"].items():
        lines.append(
            f"{name:10} {found['precision']:9.3f} {found['recall']:6.3f} {found['recall_of_all']:6.3f} "
            f"{found['f1']:5.3f} {found['auc']:6.3f}"
        )
    if "same_twice" in answer:
        lines.append(f"the same verdict and reason twice: {answer['same_twice']} of {answer['rows']} rows")
    return [*lines, *(f"unscored: {reason}: {count}" for reason, count in sorted(answer["unscored"].items()))]


def markdown(answer: dict) -> list[str]:  # type: ignore[type-arg]  # the JSON object of main
    """The table of docs/concepts/executed.md, from what `--json` printed."""
    lines = ["| judge | precision | recall, scored rows | recall, all correct | F | AUC |", "|" + " --- |" * 6]
    for name, found in answer["judges"].items():
        figures = (found[key] for key in ("precision", "recall", "recall_of_all", "f1", "auc"))
        lines.append(f"| {name.replace('_', '-')} | {' | '.join(f'{x:.3f}'.removeprefix('0') for x in figures)} |")
    return lines


if __name__ == "__main__":
    # Workers of a cluster look for the job in the module of this name.
    from benchmarks.executed import main as named_main

    sys.exit(named_main(sys.argv[1:]))
