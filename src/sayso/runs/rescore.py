"""Scores from a predictions file, without running a model; recorded as a score, never as a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from sayso.core.errors import RunFailed, UserError
from sayso.core.given import read_plain
from sayso.core.progress import Progress, silent
from sayso.core.types import WITHIN, Candidate, Example, Split, Task, Workspace, within_ref
from sayso.runs import provenance
from sayso.runs.elsewhere import elsewhere_notes
from sayso.runs.ledger import now
from sayso.runs.predictions import (
    Origin,
    Prediction,
    TextOf,
    abstains_note,
    digest_of,
    file_digest,
    match_examples,
    read_origin,
    read_predictions,
    save,
)
from sayso.runs.recording import Clock, Report, record
from sayso.runs.scoring import measure
from sayso.runs.store import Results
from sayso.runs.subject import DEFAULTS, PUBLISHED, REPLACED, Settings, Subject, load_examples
from sayso.scale import Engine

LARGEST_ANSWER = 1 << 20
"""Bytes of one file in a folder of answers."""


def rescore(
    subject: Subject,
    path: Path,
    workspace: Workspace,
    results: Results,
    settings: Settings = DEFAULTS,
    engine: Engine | None = None,
    progress: Progress = silent,
) -> Report:
    """Score a predictions file without running a model; recorded as a score, never as a run."""
    clock = Clock()
    task, split = subject.task, subject.split
    examples = load_examples(task, split, workspace, settings.limit)
    origin, predictions, notes = read_stored(task, examples, path, workspace, split, settings)
    measured = measure(task.metrics(workspace), examples, predictions, engine, progress, task.cluster)
    notes += [*task.absent(workspace), *abstains_note(predictions), *elsewhere_notes(task, examples, workspace)]
    return record(subject, "score", measured, origin, settings, results, clock, notes)


def keep(subject: Subject, path: Path, workspace: Workspace, results: Results, settings: Settings) -> Path:
    """A stranger's answers among those that are stored, under a name that no system of ours has; returns where."""
    task, name = subject.task, subject.system
    if name in task.systems or name.startswith(PUBLISHED) or REPLACED in name:
        raise UserError(f"{name} is the name of a system of {task.name} itself", "keep the file under another name")
    if settings.limit or settings.partial:
        raise UserError("only answers to a whole split are kept", "leave out --limit and --partial")
    examples = load_examples(task, subject.split, workspace)
    told, found, _ = read_stored(task, examples, path, workspace, subject.split)
    predictions = [one for one in found if one is not None]
    most = max((len(one.candidates) for one in predictions), default=1)
    origin = replace(told, task=task.name, split=subject.split, system=name, k=max(most, 1), time=now(), refs=False)
    stored = results.predictions(task.name, name, subject.split)
    save(stored, origin, predictions)
    return stored


def read_stored(
    task: Task,
    examples: Sequence[Example],
    path: Path,
    workspace: Workspace,
    split: Split,
    settings: Settings = DEFAULTS,
) -> tuple[Origin, list[Prediction | None], list[str]]:
    """A predictions file against the examples it is about, with notes on what does not fit."""
    told, data, notes = read_origin(path), provenance.examples_digest(examples), []
    if path.is_dir():
        return read_folder(task, examples, path, split, settings)
    text_of = retrieved_texts(task, workspace, examples) if told and told.refs else None
    predictions: Iterable[Prediction] = read_predictions(path, text_of)
    if settings.limit:
        wanted = {example.id for example in examples}
        predictions = (prediction for prediction in predictions if prediction.id in wanted)
    matched = match_examples(examples, predictions, str(path), settings.partial)
    origin = replace(told or Origin(task.name, split, "", settings.k), data=data, sha256=file_digest(path))
    if told and (told.task, told.split) != (task.name, split):
        notes.append(f"{path.name} was made for {told.task} {told.split}")
    if told and told.sha256 != origin.sha256:
        notes.append(f"{path.name} was altered after it was written")
    if told and told.data != data and not settings.limit:
        notes.append("the examples have changed since these predictions were made: run again with --fresh")
    return origin, matched, notes


def read_folder(
    task: Task, examples: Sequence[Example], folder: Path, split: Split, settings: Settings
) -> tuple[Origin, list[Prediction | None], list[str]]:
    """One file an example, called by its id or its name, with any ending; other files are left out with a note."""
    by_name = {example.meta["name"]: example.id for example in examples if "name" in example.meta}
    by_name |= {file_name(example.id): example.id for example in examples}
    found, notes = [], []
    for path in sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")):
        name = path.name if path.name in by_name else path.stem
        if name not in by_name:
            if not settings.limit:
                notes.append(f"{path} is left out: nothing in {task.name} {split} is called {name}")
            continue
        text = read_plain(path, LARGEST_ANSWER).decode(errors="replace").rstrip("\n")
        found.append(Prediction(by_name[name], (Candidate(text, 1.0),) if text.strip() else ()))
    matched = match_examples(examples, found, str(folder), settings.partial)
    data = provenance.examples_digest(examples)
    return Origin(task.name, split, "", 1, len(found), digest_of(found), data), matched, notes


def file_name(identifier: str) -> str:
    """An id as the name of a file: "a/b:3" -> "a__b:3"."""
    return identifier.replace("/", "__")


def retrieved_texts(task: Task, workspace: Workspace, examples: Sequence[Example] = ()) -> TextOf:
    """Turns the id of an example into its text, and a digest into what an example itself holds.

    The train part is read when the first id comes that is not among these.
    """
    texts = {example.id: example.references[0] for example in examples if example.references}
    held: dict[str, str] = {}
    trained: list[bool] = []

    def text_of(ref: str) -> str:
        if ref.startswith(WITHIN):
            if not held:
                held.update((within_ref(text), text) for example in examples for text in task.within(example))
            if ref not in held:
                raise RunFailed(f"the predictions name {ref}, which no example of {task.name} holds")
            return held[ref]
        if ref not in texts and not trained:
            trained.append(True)
            first = ((example.id, example.references[0]) for example in task.load(workspace, "train"))
            texts.update(task.sources(workspace) if task.sources else first)
        if ref not in texts:
            raise RunFailed(f"the predictions name {ref}, which is neither here nor in the train part of {task.name}")
        return texts[ref]

    return text_of
