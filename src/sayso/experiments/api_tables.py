"""Okapi's tables from what came back: `python -m sayso.experiments.api_tables FOLDER OUT --data DATA`, as JSON.

Exact match by task, system and seed; by the number of parameters; the ablation without an end (§6), in which the
reference says where an answer is cut; the lengths of wrong answers (figures 8 and 9); training size (figure 10).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from sayso.core.errors import BadInstruction
from sayso.core.types import Example, Request, Split, Workspace
from sayso.experiments.api_plan import ENDLESS, TUNED, TUNED_FOLDER, read_archives
from sayso.experiments.views import find_view
from sayso.targets import find_task
from sayso.targets.api import language
from sayso.targets.api.syntax.calls import parse_call
from sayso.training.decode import unpack_answers
from sayso.training.encode import load_vocabularies
from sayso.training.jobs import Job, read_job
from sayso.training.translator import candidates


@dataclass(frozen=True)
class Answered:
    """What one network said to a split; `cut` where the reference said how long its answers are."""

    task: str
    system: str
    seed: int
    split: Split
    cut: bool
    examples: Sequence[Example]
    texts: Sequence[str]

    @property
    def right(self) -> list[bool]:
        return [is_right(self.task, one, text) for one, text in zip(self.examples, self.texts, strict=True)]


def is_right(task: str, example: Example, text: str) -> bool:
    if task.startswith("scan"):
        return text.split() == example.references[0].split()
    try:
        return language.fold(text) == language.fold(example.references[0])
    except BadInstruction:
        return False


def read_answers(folder: Path, out: Path, workspace: Workspace, tasks: Sequence[str] = ()) -> Iterator[Answered]:
    """Of every task, or of these."""
    for task, files in read_archives(out).items():
        if tasks and task not in tasks:
            continue
        examples: dict[Split, list[Example]] = {
            split: list(find_task(f"api/{task}").load(workspace, split)) for split in ("dev", "test")
        }
        for name, content in files.items():
            member, _, part = name.partition("/")
            if part == "result.json":
                continue
            split: Split = "dev" if part.startswith("dev") else "test"
            system, _, seed = member.rpartition(".seed")
            job = read_job(json.loads(files[f"{member}/result.json"])["job"])
            cut = part.endswith(ENDLESS)
            home = folder / TUNED_FOLDER / task if system == TUNED else folder / task
            texts = to_texts(home, job, examples[split], unpack_answers(content, name), workspace, cut=cut)
            yield Answered(task, system, int(seed), split, cut, examples[split], texts)


def to_texts(
    folder: Path, job: Job, examples: Sequence[Example], answers: Any, workspace: Workspace, *, cut: bool
) -> list[str]:
    """Ids to calls; with `cut`, as many parts as the reference has."""
    view, target = find_view(job.encoding.view), find_task(job.task).target
    words = load_vocabularies(folder / "home" / job.encoding.key)
    seen = view.prepare(workspace, {"train": [], "dev": examples, "test": []})["dev"]
    raw = []
    for example, answer in zip(seen, answers, strict=True):
        if cut:
            length = len(target.split(example.references[0], job.encoding.grain))
            answer = [(ids[:length], score) for ids, score in answer]
        found = candidates(answer, example.request, words, job.encoding, target.join)
        raw.append(found[:1])
    # A view puts together what it cut: it is asked as a translator is.
    finished = view.finish(_Told(raw), workspace).translate([Request("")] * len(raw))
    return [one[0].text if one else "" for one in finished]


@dataclass(frozen=True)
class _Told:
    answers: Any

    def translate(self, requests: Sequence[Request], k: int = 1) -> Any:
        return self.answers


def parameters(text: str) -> int:
    """The resource and the clauses, as table 4 counts."""
    return 1 + len(parse_call(text).clauses)


def summary(values: Sequence[float]) -> dict[str, float]:
    spread = stdev(values) if len(values) > 1 else 0.0
    return {"mean": round(100 * mean(values), 2), "sd": round(100 * spread, 2), "runs": len(values)}


def make_tables(answered: Sequence[Answered]) -> dict[str, Any]:
    exact: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    by_size: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    lengths: dict[str, dict[str, Counter[int]]] = defaultdict(lambda: {"wrong": Counter(), "reference": Counter()})
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for one in answered:
        right = one.right
        name = f"{one.system}{' cut' if one.cut else ''} {one.split}"
        exact[name][one.task].append(mean(right))
        if one.task.startswith("scan") or one.cut or one.split == "dev":
            continue
        sizes = [parameters(example.references[0]) for example in one.examples]
        for size in sorted(set(sizes)):
            by_size[f"{one.system} {one.task}"][str(size)].append(
                mean(ok for ok, own in zip(right, sizes, strict=True) if own == size)
            )
        for example, text, ok in zip(one.examples, one.texts, right, strict=True):
            kinds[f"{one.system} {one.task}"][kind_of(example.references[0], text, ok)] += 1
            if not ok:
                lengths[f"{one.system} {one.task}"]["wrong"][len(text.split())] += 1
                lengths[f"{one.system} {one.task}"]["reference"][len(example.references[0].split())] += 1
    return {
        "exact": {name: {task: summary(runs) for task, runs in tasks.items()} for name, tasks in exact.items()},
        "by parameters": {name: {n: summary(runs) for n, runs in rows.items()} for name, rows in by_size.items()},
        "lengths of wrong answers": {
            name: {side: dict(sorted(counts.items())) for side, counts in sides.items()}
            for name, sides in lengths.items()
        },
        "kinds of answers": {name: dict(counts) for name, counts in kinds.items()},
    }


def kind_of(reference: str, text: str, ok: bool) -> str:
    """The paper's kinds of errors (§6), as far as they can be told by rule."""
    if ok:
        return "right"
    try:
        said = set(language.clauses(text))
    except BadInstruction:
        return "invalid"
    wanted = set(language.clauses(reference))
    if said < wanted:
        return "missing parameter"
    if said > wanted:
        return "extra parameter"
    return "wrong parameter or value"


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.api_tables", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    args = parser.parse_args(argv)
    workspace = Workspace(args.data, args.data)
    print(json.dumps(make_tables(list(read_answers(args.folder, args.out, workspace))), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
