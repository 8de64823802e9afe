"""Verdict items from systems: the top k of each, pooled and without doubles, in an order that tells nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sayso.apps.judge.items import Item, Option
from sayso.core.errors import BadInstruction, RunFailed, UnknownName
from sayso.core.progress import Progress, silent
from sayso.core.types import Candidate, Example, Split, Task, Workspace
from sayso.runs.evaluate import translate
from sayso.runs.rescore import read_stored
from sayso.runs.store import Results
from sayso.runs.subject import Settings, load_examples


@dataclass(frozen=True)
class Choice:
    """Which examples are judged, and how many candidates of each system."""

    split: Split = "dev"
    k: int = 3
    size: int = 0
    """How many examples are drawn; 0 is all of them."""
    seed: int = 0


def verdict_items(
    task: Task,
    systems: Sequence[str],
    choice: Choice,
    workspace: Workspace,
    results: Results,
    progress: Progress = silent,
) -> list[Item]:
    """Stored predictions where there are some, else the system is run on the drawn examples."""
    known = {*task.systems, *results.systems(task.name, choice.split)}
    for system in systems:
        if system not in known:
            raise UnknownName(f"system of {task.name}", system, known)
    every = load_examples(task, choice.split, workspace)
    drawn = draw(every, choice)
    answers = {
        system: _stored(task, system, choice, every, drawn, workspace, results)
        or _run(task, system, choice, drawn, workspace, progress)
        for system in systems
    }
    return [
        item
        for n, example in enumerate(drawn)
        if (item := pool(example, {s: answers[s][n] for s in systems}, choice, task.target.template))
    ]


def draw(examples: Sequence[Example], choice: Choice) -> list[Example]:
    """The same examples for the same seed, whatever order the corpus comes in."""
    ordered = sorted(examples, key=lambda example: example.id)
    if not 0 < choice.size < len(ordered):
        return ordered
    return sorted(random.Random(choice.seed).sample(ordered, choice.size), key=lambda example: example.id)


def pool(
    example: Example,
    answers: Mapping[str, Sequence[Candidate]],
    choice: Choice,
    template: Callable[[str], str],
) -> Item | None:
    """One item with each distinct text once; None where no system said anything."""
    systems: dict[str, set[str]] = {}
    for system, candidates in answers.items():
        for candidate in candidates[: choice.k]:
            if candidate.text.strip():
                systems.setdefault(candidate.text.strip(), set()).add(system)
    if not systems:
        return None
    texts = sorted(systems)
    random.Random(f"{choice.seed}\0{example.id}").shuffle(texts)
    options = tuple(Option(text, _template(text, template), tuple(sorted(systems[text]))) for text in texts)
    return Item("verdicts", example.id, example.request.text, options)


def with_templates(items: Sequence[Item], template: Callable[[str], str]) -> list[Item]:
    """Fill in the structure of every candidate that came without one."""

    def filled(option: Option) -> Option:
        return replace(option, template=option.template or _template(option.text, template))

    return [replace(item, options=tuple(map(filled, item.options))) for item in items]


def _template(text: str, template: Callable[[str], str]) -> str:
    try:
        return template(text)
    except BadInstruction:
        return ""  # shown without its structure: judges also read what no parser does


def _stored(
    task: Task,
    system: str,
    choice: Choice,
    every: list[Example],
    drawn: list[Example],
    workspace: Workspace,
    results: Results,
) -> list[Sequence[Candidate]]:
    path = results.stored(task.name, system, choice.split)
    if not path.is_file():
        return []
    _, predictions, _ = read_stored(task, every, path, workspace, choice.split, Settings(k=choice.k, partial=True))
    found = {prediction.id: prediction.candidates for prediction in predictions if prediction}
    return [found.get(example.id, ()) for example in drawn]


def _run(
    task: Task, system: str, choice: Choice, drawn: list[Example], workspace: Workspace, progress: Progress
) -> list[Sequence[Candidate]]:
    if choice.split == "test":
        # The ledger counts every run on test; a run from here would not be in it.
        raise RunFailed(
            f"{system} has no stored predictions on test",
            f"run `sayso eval {task.name} --split test --system {system}` first",
        )
    predictions = translate(task.systems[system](workspace), drawn, Settings(k=choice.k), None, progress)
    return [prediction.candidates for prediction in predictions]
