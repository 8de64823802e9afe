"""Run a system over a split, keep its predictions, score them and record the run.

Predictions are saved first and scored after: a metric can change, a run on test happens once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from sayso.answer.answer import abstains
from sayso.core.errors import RunFailed, UserError
from sayso.core.progress import Progress, silent
from sayso.core.types import Example, Request, System, Workspace
from sayso.runs import ledger, provenance
from sayso.runs.elsewhere import elsewhere_notes
from sayso.runs.journal import Journal, journal_header, journal_path, open_journal
from sayso.runs.predictions import Origin, Prediction, abstains_note, digest_of, save
from sayso.runs.recording import Clock, Report, record
from sayso.runs.scoring import measure
from sayso.runs.store import Results
from sayso.runs.subject import DEFAULTS, PUBLISHED, REPLACED, Settings, Subject, load_examples
from sayso.scale import Engine


@runtime_checkable
class Retriever(Protocol):
    """A translator that only repeats: `source_of` is the id of the example that holds a text, or `within_ref`."""

    def source_of(self, text: str) -> str | None: ...


@runtime_checkable
class Telling(Protocol):
    """A translator that has something to say about single requests: which ones it failed on, and why."""

    @property
    def notes(self) -> Sequence[str]: ...


def evaluate(
    subject: Subject,
    system: System,
    workspace: Workspace,
    results: Results,
    settings: Settings = DEFAULTS,
    out: Path | None = None,
    engine: Engine | None = None,
    progress: Progress = silent,
) -> Report:
    """Run a system, store its predictions (in `results`, and in `out` if given), score them and record the run."""
    clock = Clock()
    subject = loaded(subject, system)
    examples = load_examples(subject.task, subject.split, workspace, settings.limit)
    origin = origin_of(subject, examples, settings)
    source_of = system.translator.source_of if isinstance(system.translator, Retriever) else None
    metrics = subject.task.metrics(workspace)

    def finish(predictions: Sequence[Prediction], origin: Origin, mark: str = "") -> Report:
        measured = measure(metrics, examples, predictions, engine, progress, subject.task.cluster)
        notes = list(dict.fromkeys(system.translator.notes)) if isinstance(system.translator, Telling) else []
        notes += [*subject.task.absent(workspace), *abstains_note(predictions)]
        notes += elsewhere_notes(subject.task, examples, workspace)
        return record(subject, "eval", measured, origin, settings, results, clock, notes, run=mark)

    path = stored_at(subject, results, settings) or out
    if path is None:
        predictions = translate(system, examples, settings, None, progress)
        refuse_silence(subject, predictions)
        return finish(predictions, replace(origin, n=len(predictions), sha256=digest_of(predictions)))
    with open_journal(path, run_of(subject, origin, settings)) as journal:
        predictions = translate(system, examples, settings, journal, progress)
        origin = save(path, origin, predictions, source_of)
        if out is not None and out != path:
            save(out, origin, predictions, source_of)
        report = finish(predictions, origin, journal.mark)
        # Only now: a run that dies while it is scored is still taken up, and counted in the ledger once.
        journal.remove()
        return report


def refuse_silence(subject: Subject, predictions: Sequence[Prediction]) -> None:
    """Published answers to another part of a corpus are none to this one: that is no score of 0."""
    if subject.system.startswith(PUBLISHED) and not any(one.candidates for one in predictions):
        raise UserError(
            f"{subject.system} answers nothing of {subject.task.name} {subject.split}: what was published is of another"
            " part",
            "name another --split (test); `sayso table nl2bash 8` has what was judged on dev",
        )


def stored_at(subject: Subject, results: Results, settings: Settings) -> Path | None:
    """Where a run is kept; a part of a split, systems with replaced stages (scores say all that they are made for) and
    published predictions (they are the corpus's text) are not."""
    if settings.limit or REPLACED in subject.system or subject.system.startswith(PUBLISHED):
        return None
    return results.predictions(subject.task.name, subject.system, subject.split)


def origin_of(subject: Subject, examples: Sequence[Example], settings: Settings) -> Origin:
    commit, dirty = provenance.commit()
    return Origin(
        subject.task.name,
        subject.split,
        subject.system,
        settings.k,
        data=provenance.examples_digest(examples),
        bundle=subject.bundle,
        commit=commit,
        dirty=dirty,
        time=ledger.now(),
    )


def run_of(subject: Subject, origin: Origin, settings: Settings) -> dict[str, Any]:
    """Everything that two runs must share for one to go on where the other stopped."""
    return {
        "task": origin.task,
        "split": origin.split,
        "system": origin.system,
        "k": settings.k,
        "batch": settings.batch,
        "data": origin.data,
        "bundle": subject.bundle,
        "code": provenance.code_digest(),
    }


def loaded(subject: Subject, system: System) -> Subject:
    """The subject with the bundle of an embedded system, which is known once it is loaded."""
    return replace(subject, bundle=subject.bundle or system.bundle)


def was_interrupted(
    subject: Subject, system: System, workspace: Workspace, results: Results, settings: Settings
) -> bool:
    """Whether the very same run was begun and not finished."""
    subject = loaded(subject, system)
    path = stored_at(subject, results, settings)
    if path is None or not journal_path(path).exists():
        return False
    examples = load_examples(subject.task, subject.split, workspace)
    return journal_header(journal_path(path)) == run_of(subject, origin_of(subject, examples, settings), settings)


def translate(
    system: System, examples: Sequence[Example], settings: Settings, journal: Journal | None, progress: Progress
) -> list[Prediction]:
    """Every example's prediction, in order; batches that the journal holds are not translated again."""
    done = list(journal.done) if journal else []
    for start in range(len(done), len(examples), settings.batch):
        progress("translated", start, len(examples))
        batch = [(example.id, example.request) for example in examples[start : start + settings.batch]]
        fresh = predict(system, batch, settings.k)
        if journal:
            journal.add(fresh)
        done.extend(fresh)
    progress("translated", len(examples), len(examples))
    return done


def predict(system: System, batch: Sequence[tuple[str, Request]], k: int) -> list[Prediction]:
    """What a system says to a batch of (id, request), at most k candidates each."""
    answers = system.translator.translate([request for _, request in batch], k)
    if len(answers) != len(batch):
        raise RunFailed(f"{len(answers)} answers to {len(batch)} requests, the first of them {batch[0][0]}")
    return [
        Prediction(name, tuple(answer[:k]), abstains(system, answer, system.remarks(request, k)))
        for (name, request), answer in zip(batch, answers, strict=True)
    ]
