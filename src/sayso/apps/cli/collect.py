"""`sayso collect DIR`: what a GPU sent back becomes bundles, predictions and scores."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso.apps import settings
from sayso.apps.cli import output, scores
from sayso.apps.cli.parser import whole_number
from sayso.apps.cli.progress import Progress
from sayso.core.errors import BadFile, UserError
from sayso.core.types import Candidate, Request

if TYPE_CHECKING:
    from sayso.core.types import Example, Split, Task, Translator, Workspace
    from sayso.neural.bundle import Bundle
    from sayso.runs.recording import Report
    from sayso.runs.store import Results
    from sayso.training.jobs import Data, Job

# Candidates that are stored for each request: what nlc2cmd@5 looks at.
ANSWERS = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="what `sayso encode` wrote")
    parser.add_argument("--from", dest="source", type=Path, metavar="OUT", help="what came back (DIR/out)")
    parser.add_argument("--splits", default="dev", metavar="dev,test", help="what to score (dev); test is counted")
    parser.add_argument("--only", action="append", default=[], metavar="JOB", help="this job; may be repeated")
    parser.add_argument("--mark", default="", metavar="TEXT", help="store as SYSTEM-TEXT, beside an earlier training")
    parser.add_argument("--resamples", type=whole_number(1), default=1000, metavar="N", help="of the bootstrap (1000)")
    scores.add_sandbox_argument(parser)
    parser.epilog = (
        "Digests are checked first. Answers that were searched on the GPU are scored as they are; where there are none "
        "the weights are run here. Bundles go to DIR/bundles, predictions and scores where `sayso eval` puts them."
    )


def run(args: argparse.Namespace) -> int:
    from sayso.experiments.systems import need_torch
    from sayso.targets import find_task
    from sayso.training.jobs import read_data, read_jobs
    from sayso.training.pieces import join_pieces

    splits = read_splits(args.splits)
    jobs = {job.name: job for job in read_jobs(args.folder)}
    need_torch()
    found = by_job(join_pieces(args.source or args.folder / "out"))
    workspace, results = scores.workspace(args), settings.results()
    reports: list[Report] = []
    bundles: dict[str, str] = {}
    for name, parts in found.items():
        if args.only and name not in args.only:
            continue
        if "result.json" not in parts:
            why = json.loads(parts.get("failed.json", b"{}")).get("message", "no word of why")
            output.note(f"{name} failed where it was trained: {why}")
            continue
        if name not in jobs:
            raise BadFile(f"{name} is no job of {args.folder}", f"its jobs: {', '.join(jobs)}")
        job, result = jobs[name], json.loads(parts["result.json"])
        data = read_data(args.folder, job)
        refuse_other(job, data, result)
        bundle = keep(args.folder, job, data, parts, result)
        system = f"{job.system}-{args.mark}" if args.mark else job.system
        record(job, system, data, result, bundle, results)
        if bundle:
            bundles[name] = str(bundle.folder)
        task = find_task(job.task)
        came = Came(args.folder, jobs, found)
        reports += [score(args, task, split, job, system, came, bundle, workspace, results) for split in splits]
    if args.json:
        output.print_json({"reports": [report.as_json() for report in reports], "bundles": bundles})
        return 0
    for report in reports:
        scores.print_report(report, False)
    for name, path in bundles.items():
        output.note(f"{name} is a bundle in {path}")
    return 0


def read_splits(text: str) -> list[Split]:
    known: dict[str, Split] = {"dev": "dev", "test": "test"}
    wanted = [one.strip() for one in text.split(",") if one.strip()]
    for one in wanted:
        if one not in known:
            raise UserError(f'--splits takes dev and test, not "{one}"', "for example --splits dev,test")
    return [known[one] for one in wanted]


def by_job(results: dict[str, bytes]) -> dict[str, dict[str, bytes]]:
    found: dict[str, dict[str, bytes]] = {}
    for name, content in results.items():
        job, _, part = name.rpartition("/")
        found.setdefault(job, {})[part] = content
    return found


def refuse_other(job: Job, data: Data, result: dict[str, Any]) -> None:
    """Results of another folder look alike, and their ids stand for other words."""
    from sayso.training.jobs import read_job

    # Read as a job is: settings that came later have their defaults on both sides.
    if read_job(result["job"]) != read_job(json.loads(json.dumps(asdict(job)))):
        raise BadFile(f"{job.name} was trained with other settings than this folder has", "use the folder it came from")
    for name, digest in data.vocabularies.items():
        if result["data"]["vocabularies"].get(name) != digest:
            raise BadFile(
                f"{job.name} was trained with another vocabulary than this folder's {name}",
                "use the folder it came from",
            )


def keep(folder: Path, job: Job, data: Data, parts: dict[str, bytes], result: dict[str, Any]) -> Bundle | None:
    """The weights as a bundle; None where they had to be left behind."""
    from sayso.training.translator import write_network_bundle

    if "weights.safetensors" not in parts:
        output.note(f"{job.name}: its weights did not come back, only its answers")
        return None
    facts = {name: result[name] for name in ("step", "best_step", "reason", "device", "versions")}
    weights = parts["weights.safetensors"]
    if "alpha" in result:  # what dev chose
        job = replace(job, decoding=replace(job.decoding, alpha=result["alpha"], alphas=()))
    return write_network_bundle(folder / "bundles" / job.name, folder, job, data, weights, facts)


def record(job: Job, system: str, data: Data, result: dict[str, Any], bundle: Bundle | None, results: Results) -> None:
    """One ledger line for the training, however often it is collected."""
    from sayso.runs import ledger

    described = {
        **result["job"],
        **{name: result[name] for name in ("step", "best_step", "reason", "device", "processes")},
    }
    entry = ledger.entry(
        "train", job.task, system, settings=described, data=data.examples["train"],
        bundle=bundle.signature if bundle else "", seed=job.seed, wall_seconds=result["seconds"],
    )  # fmt: skip
    entry = replace(entry, versions={**entry.versions, **result["versions"]})
    known, _ = results.ledger.read()
    # Networks that were trained in one stack took the same time.
    line = ("train", job.task, system, entry.wall_seconds, entry.bundle)
    if not any((one.kind, one.task, one.system, one.wall_seconds, one.bundle) == line for one in known):
        results.ledger.append(entry)


@dataclass(frozen=True)
class Came:
    """What came back for which jobs of the folder."""

    folder: Path
    jobs: dict[str, Job]
    parts: dict[str, dict[str, bytes]]

    def data(self, job: Job) -> Data:
        from sayso.training.jobs import read_data

        return read_data(self.folder, job)


@dataclass(frozen=True)
class Told:
    """Answers that were found elsewhere, by request."""

    answers: dict[Request, list[Candidate]]

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self.answers[request][:k] for request in requests]


def score(
    args: argparse.Namespace, task: Task, split: Split, job: Job, system: str, came: Came,
    bundle: Bundle | None, workspace: Workspace, results: Results,
) -> Report:  # fmt: skip
    from sayso.core.types import System
    from sayso.experiments.views import find_view
    from sayso.runs.evaluate import evaluate
    from sayso.runs.scoring import Bootstrap
    from sayso.runs.subject import Settings, Subject

    view = find_view(job.encoding.view)
    first = came.jobs.get(view.after, job)
    examples, limit = load_same(task, split, came, first, workspace)
    if view.after:
        said = in_two_steps(came, first, examples, task, split, bundle)
    else:
        said = view.finish(answers_of(came, job, examples, task, split, bundle), workspace)
    chosen = Settings(k=ANSWERS, limit=limit, bootstrap=Bootstrap(args.resamples, 0))
    subject = Subject(task, split, system, bundle.signature if bundle else "")
    progress = Progress()
    try:
        return evaluate(subject, System(said), workspace, results, chosen, progress=progress)
    finally:
        progress.close()


def answers_of(
    came: Came, job: Job, examples: Sequence[Example], task: Task, split: Split, bundle: Bundle | None
) -> Translator:
    """What came back, or else what the weights say here."""
    content = came.parts.get(job.name, {}).get(f"{split}.npz")
    if content is not None:
        return told(came, job, examples, content, task, split)
    if bundle is None:
        raise BadFile(f"{job.name} brought neither answers to {split} nor weights", "run the job again with --splits")
    from sayso.experiments.views import Asking, find_view
    from sayso.training.jobs import words_of
    from sayso.training.translator import open_network_bundle

    return Asking(
        open_network_bundle(bundle, task.target.join, words=words_of(task.target)), find_view(job.encoding.view).request
    )


def in_two_steps(
    came: Came, first: Job, examples: Sequence[Example], task: Task, split: Split, bundle: Bundle | None
) -> Translator:
    """The answers of one job, and what the weights of another make of them."""
    from sayso.experiments.views import two_steps
    from sayso.training.jobs import words_of
    from sayso.training.translator import open_network_bundle

    if bundle is None:
        raise BadFile("the weights of the second of two steps did not come back", "run the job again")
    second = open_network_bundle(bundle, task.target.join, words=words_of(task.target))
    # The second step runs here, once for every answer of the first: greedily, or it takes hours.
    second = replace(second, decoding=replace(second.decoding, beam=1, k=1))
    return two_steps(answers_of(came, first, examples, task, split, None), second)


def load_same(task: Task, split: Split, came: Came, job: Job, workspace: Workspace) -> tuple[list[Example], int]:
    """The examples that were encoded, and how many of them if not all; others are refused."""
    from sayso.runs.subject import load_examples

    every = load_examples(task, split, workspace)
    count = came.data(job).counts.get(split, 0)
    examples = every[:count]
    if not are_same(examples, split, came, job):
        raise BadFile(f"the {split} examples of {task.name} here are not those that were encoded", "encode them again")
    return examples, count if count < len(every) else 0


def are_same(examples: Sequence[Example], split: Split, came: Came, job: Job) -> bool:
    """Of stored cells the requests count: what else is known about an example may have changed since."""
    from sayso.runs.provenance import examples_digest
    from sayso.training.jobs import read_requests, request_digest

    if not job.encoding.stored:
        return examples_digest(examples) == came.data(job).examples.get(split)
    found = {example.id: request_digest(example.request) for example in examples}
    return list(found.items()) == list(read_requests(came.folder, job.encoding).get(split, {}).items())


def told(came: Came, job: Job, examples: Sequence[Example], content: bytes, task: Task, split: Split) -> Told:
    from sayso.experiments.views import find_view
    from sayso.training.decode import unpack_answers
    from sayso.training.encode import load_vocabularies
    from sayso.training.translator import candidates

    words = load_vocabularies(came.folder / "home" / job.encoding.key, dict(came.data(job).vocabularies))
    answers = unpack_answers(content, f"{job.name}/{split}.npz")
    if len(answers) != len(examples):
        raise BadFile(f"{job.name} answered {len(answers)} of {len(examples)} {split} requests", "run the job again")
    ask = find_view(job.encoding.view).request
    return Told(
        {
            example.request: candidates(answer, ask(example.request), words, job.encoding, task.target.join)
            for example, answer in zip(examples, answers, strict=True)
        }
    )
