"""A training folder: jobs, and the ids they train on. What a bare machine needs, and no text.

    jobs.json                 what is to be trained
    data/KEY/*.npz            ids of train, dev (with references) and test (requests alone); data.json names them
    home/KEY/*.json           vocabularies: they stay, and only they turn ids into text again

`sayso encode` writes one for a GPU, `sayso train` one for itself. No torch here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from sayso.core.errors import BadFile, UserError
from sayso.core.files import write_atomically
from sayso.core.types import Example, Request, Split, Target
from sayso.training.settings import Decoding, Encoding, Training

FORMAT = 1
JOBS, DATA = "jobs.json", "data.json"
EXAMPLES = "examples.json"
"""Ids of the examples of dev and test in the order of their rows, with digests of their requests."""
Examples = Mapping[Split, Sequence[Example]]
Look = Callable[[str, Examples], Examples]
"""encoding.view and the examples of the task -> the examples that are encoded."""
CURE = "write the folder again with `sayso encode`"


def as_they_are(view: str, examples: Examples) -> Examples:
    return examples


@dataclass(frozen=True)
class Job:
    """One network to train: a recipe with its seed, and everything spelt out."""

    name: str
    recipe: str
    task: str
    target: str
    network: str
    model: Mapping[str, Any]
    """Settings of the network but its vocabularies' sizes."""
    encoding: Encoding = field(default_factory=Encoding)
    training: Training = field(default_factory=Training)
    decoding: Decoding = field(default_factory=Decoding)
    seed: int = 0

    @property
    def answers(self) -> str:
        """notebook/apis -> apis"""
        return self.task.rpartition("/")[2]

    @property
    def system(self) -> str:
        """What its answers are stored as: a folder for several tasks has jobs apis-lstm-k3 and lstm-k3."""
        return self.name.removeprefix(f"{self.answers}-")


@dataclass(frozen=True)
class Data:
    """What lies in `data/KEY`."""

    source_size: int
    output_size: int
    arrays: Mapping[str, str]
    """Split → digest of its ids."""
    vocabularies: Mapping[str, str]
    """File → digest of its words."""
    examples: Mapping[str, str]
    """Split → digest of the examples that were encoded."""
    counts: Mapping[str, int]
    dropped: Mapping[str, int]

    @property
    def sizes(self) -> dict[str, int]:
        return {"source_size": self.source_size, "output_size": self.output_size}


def write_folder(
    folder: Path,
    jobs: Sequence[Job],
    target: Target,
    examples: Examples,
    digest: Callable[[Sequence[Example]], str],
    look: Look = as_they_are,
    also: Mapping[str, Examples] | None = None,
) -> dict[str, Data]:
    """Encode once for each encoding among the jobs, then write `jobs.json` last: a folder with it is whole.

    `also` has examples of other tasks of the jobs, over the same requests, which stored cells serve too.
    """
    if (folder / JOBS).exists():
        raise UserError(f"{folder} already holds a training folder", "give another --out, or remove it")
    found: dict[str, Data] = {}
    for encoding in {job.encoding.key: job.encoding for job in jobs}.values():
        if encoding.stored:
            own = next(job.answers for job in jobs)
            found |= write_cells(folder, encoding, target, {own: examples, **(also or {})}, digest)
        else:
            found[encoding.key] = write_data(folder, encoding, target, examples, digest, look)
    write_jobs(folder, jobs)
    return found


def write_jobs(folder: Path, jobs: Sequence[Job]) -> None:
    with write_atomically(folder / JOBS) as file:
        content = {"format": FORMAT, "jobs": [asdict(job) for job in jobs]}
        file.write(json.dumps(content, indent=1).encode() + b"\n")


def write_data(
    folder: Path,
    encoding: Encoding,
    target: Target,
    examples: Examples,
    digest: Callable[[Sequence[Example]], str],
    look: Look = as_they_are,
) -> Data:
    from sayso.training.encode import build_vocabularies, encode_dev, encode_requests, encode_train

    seen = look(encoding.view, examples)
    words = build_vocabularies(seen["train"], target, encoding)
    train, dropped = encode_train(seen["train"], target, words, encoding)
    arrays = {"train": train, "dev": encode_dev(seen["dev"], target, words, encoding)}
    if "test" in seen:
        arrays["test"] = encode_requests((one.request for one in seen["test"]), words, encoding)
    words.save(folder / "home" / encoding.key)
    for split, whole in arrays.items():
        whole.save(folder / "data" / encoding.key / f"{split}.npz")
    data = Data(
        source_size=len(words.source),
        output_size=len(words.target),
        arrays={split: whole.digest for split, whole in arrays.items()},
        vocabularies=words.digests,
        examples={split: digest(rows) for split, rows in examples.items()},
        counts={split: len(whole) for split, whole in arrays.items()},
        dropped=dropped,
    )
    with write_atomically(folder / "data" / encoding.key / DATA) as file:
        file.write(json.dumps(asdict(data), indent=1).encode() + b"\n")
    return data


def write_cells(
    folder: Path,
    encoding: Encoding,
    target: Target,
    tasks: Mapping[str, Examples],
    digest: Callable[[Sequence[Example]], str],
) -> dict[str, Data]:
    """Cells that several tasks share, and a page for each task: answers → examples by split."""
    from sayso.training.encode_cells import encode_cells

    splits = {str(name): {task: one[name] for task, one in tasks.items()} for name in next(iter(tasks.values()))}
    words, cells, dropped = encode_cells(splits, words_of(target), encoding)
    words.save(folder / "home" / encoding.key)
    for split, whole in cells.items():
        whole.save(folder / "data" / encoding.key / f"{split}.npz")
    asked = {split: rows for split, rows in next(iter(tasks.values())).items() if split != "train"}
    with write_atomically(folder / "home" / encoding.key / EXAMPLES) as file:
        named = {split: {one.id: request_digest(one.request) for one in rows} for split, rows in asked.items()}
        file.write(json.dumps(named, indent=1).encode() + b"\n")
    found = {}
    for task, examples in tasks.items():
        data = Data(
            source_size=len(words.source),
            output_size=len(words.target),
            arrays={split: whole.digest for split, whole in cells.items()},
            vocabularies=words.digests,
            examples={
                split: digest([nearest(one, encoding.stored) for one in rows] if split == "train" else rows)
                for split, rows in examples.items()
            },
            counts={split: len(whole) for split, whole in cells.items()},
            dropped=dropped[task],
        )
        with write_atomically(folder / "data" / encoding.key / data_name(encoding, task)) as file:
            file.write(json.dumps(asdict(data), indent=1).encode() + b"\n")
        found[f"{encoding.key} {task}"] = data
    return found


def request_digest(request: Request) -> str:
    """Over what is encoded of a request; a piece's name is not."""
    context = [[piece.kind, piece.text] for piece in request.context]
    return hashlib.sha256(json.dumps([request.text, context]).encode()).hexdigest()


def read_requests(folder: Path, encoding: Encoding) -> dict[str, dict[str, str]]:
    """Split → id → digest, in the order of the rows."""
    path = folder / "home" / encoding.key / EXAMPLES
    try:
        return {str(split): dict(rows) for split, rows in json.loads(path.read_bytes()).items()}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise BadFile(f"{path} does not list requests: {error}", CURE) from error


def words_of(target: Target) -> Callable[[str], list[str]]:
    """How a target's code is cut where it is read alone."""
    return target.words or (lambda text: target.split(text, "token"))


def nearest(example: Example, cells: int) -> Example:
    """What is encoded of a long context: train's has gigabytes."""
    request = example.request
    return replace(example, request=replace(request, context=request.context[-cells:]))


def read_jobs(folder: Path) -> list[Job]:
    """The jobs of a folder, as they were written."""
    path = folder / JOBS
    try:
        content = json.loads(path.read_bytes())
        if content["format"] != FORMAT:
            raise BadFile(f"{path} has format {content['format']}; this sayso reads {FORMAT}", CURE)
        return [read_job(row) for row in content["jobs"]]
    except FileNotFoundError as error:
        raise BadFile(f"{folder} is no training folder: it has no {JOBS}", CURE) from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadFile(f"{path} does not list jobs: {error}", CURE) from error


def read_job(row: Mapping[str, Any]) -> Job:
    parts: Mapping[str, type[Any]] = {"encoding": Encoding, "training": Training, "decoding": Decoding}
    return Job(**{name: parts[name](**value) if name in parts else value for name, value in row.items()})


def data_name(encoding: Encoding, answers: str) -> str:
    """Stored cells serve several tasks, each of which has a page of its own about them."""
    return f"{answers}.{DATA}" if encoding.stored else DATA


def read_data(folder: Path, job: Job) -> Data:
    """What the job trains on."""
    path = folder / "data" / job.encoding.key / data_name(job.encoding, job.answers)
    try:
        return Data(**json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError) as error:
        raise BadFile(f"{path} does not describe encoded data: {error}", CURE) from error


# What may change between a run and its resumption: how long it goes on and how often it looks, not what it computes.
FREE = ("epochs", "steps", "patience", "evaluate_every", "save_every", "average", "ship")


def identity(job: Job, data: Data) -> dict[str, Any]:
    """Everything that two runs must share for one to go on where the other stopped, by the name that --set gives it."""
    free = [name for name in FREE if name != "steps" or job.training.schedule != "cosine"]
    named: dict[str, Any] = {"network": job.network, "seed": job.seed}
    for part in ("encoding", "training"):
        values = asdict(getattr(job, part))
        named |= {f"{part}.{name}": value for name, value in values.items() if name not in free}
    named |= {f"model.{name}": value for name, value in job.model.items()}
    named |= {f"the {split} data": digest for split, digest in data.arrays.items()}
    return named
