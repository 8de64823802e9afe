"""The notebook target and its tasks, as values: whole cells, and the API calls of a cell (JuICe §5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from sayso.core.types import Example, Metric, Outcome, Request, Sandbox, Split, System, Target, Task, Workspace
from sayso.targets.notebook import language, offers
from sayso.targets.notebook.metrics import api_metrics, code_metrics, graded_metrics, needed_graded_metrics
from sayso.targets.notebook.review import bars, evidence, read
from sayso.targets.notebook.syntax import code_tokens
from sayso.targets.notebook.systems import SIMPLE, api_answer, as_written, within_code


def run(text: str, request: Request, sandbox: Sandbox) -> Outcome:
    """In a kernel, after the cells above."""
    from sayso.targets.notebook.execute import run as run_cell

    return run_cell(text, request, sandbox)


def load_code(workspace: Workspace, split: Split) -> Iterator[Example]:
    """Cells as the paper has them: canonical strings, cut at 120 tokens; meta["runnable"] is the cell itself."""
    from sayso.targets.notebook.corpus.prepared import examples

    return examples(workspace, split)


def load_apis(workspace: Workspace, split: Split) -> Iterator[Example]:
    """The same cells with the names of their calls as the reference, "" where there is none."""
    for example in load_code(workspace, split):
        yield replace(example, references=tuple(map(api_answer, example.references)))


def load_assignments(workspace: Workspace, split: Split) -> Iterable[Example]:
    """Assignments of our own; all of them are dev."""
    from sayso.targets.notebook.assignments.loading import load

    return load(workspace, split)


def load_everyday(workspace: Workspace, split: Split) -> Iterable[Example]:
    """Everyday requests with checks, in two halves."""
    from sayso.targets.notebook.everyday import examples

    return examples(split)


def checked_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    """Checks that are run; raises MissingPart without the kernel's packages."""
    from sayso.targets.notebook.everyday import everyday_metrics

    return everyday_metrics(workspace)


def cell_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    """Text first, and tests where there is a sandbox."""
    return (*code_metrics(workspace), *graded_metrics(workspace))


def train_cells(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """What `ret-train` repeats: cells that run, whatever form a score puts them in."""
    return ((example.id, example.meta["runnable"]) for example in load_code(workspace, "train"))


def apis_within(example: Example) -> Iterator[str]:
    return map(api_answer, within_code(example))


def default(form: Callable[[str], str], workspace: Workspace) -> System:
    """A trunk that has learnt from notebooks; its weights are a distribution of their own."""
    from sayso.targets.notebook.systems.cells import cells_system

    return cells_system(form, workspace)


def asked(workspace: Workspace) -> System:
    """Recipes and the trunk, weighed together."""
    from sayso.targets.notebook.systems.asked_cells import asked_system

    return asked_system(workspace)


def recipes(workspace: Workspace) -> System:
    """Asked cells as recipes, without a network."""
    from sayso.targets.notebook.systems.asked_cells import recipes_system

    return recipes_system(workspace)


def systems(form: Callable[[str], str]) -> dict[str, Callable[[Workspace], System]]:
    return {name: partial(make, form) for name, make in {"default": default, **SIMPLE}.items()}


NOTEBOOK = Target(
    name="notebook",
    normalise=language.normalise,
    template=language.template,
    split=language.split,
    join=language.join,
    words=code_tokens,
    risk=language.risk,
    check=language.check,
    explain=language.explain,
    run=run,
    draft=language.drafts,
    read=read,
    evidence=evidence,
    bars=bars,
    unasked=language.unasked,
    fetchers={"kernel": offers.get_kernel},
    corpora={"notebooks": offers.count_notebooks, "asked-cells": offers.count_asked},
    openers={"trunk": offers.open_cells},
    miners={"notebooks": offers.mine_notebooks},
)

CODE = Task(
    name="notebook/code",
    target=NOTEBOOK,
    load=load_code,
    metrics=cell_metrics,
    systems=systems(as_written),
    sources=train_cells,
    within=within_code,
)
APIS = Task(
    name="notebook/apis",
    target=NOTEBOOK,
    load=load_apis,
    metrics=api_metrics,
    systems=systems(api_answer),
    within=apis_within,
)
ASSIGNMENTS = Task(
    name="notebook/assignments",
    target=NOTEBOOK,
    load=load_assignments,
    metrics=needed_graded_metrics,
    systems={name: make for name, make in CODE.systems.items() if name != "human"},
    sources=train_cells,
    within=within_code,
)
EVERYDAY = Task(
    name="notebook/everyday",
    target=NOTEBOOK,
    load=load_everyday,
    metrics=checked_metrics,
    systems={**ASSIGNMENTS.systems, "default": asked, "recipes": recipes, "trunk": ASSIGNMENTS.systems["default"]},
    sources=train_cells,
    within=within_code,
)
TASKS = {task.name: task for task in (CODE, APIS, ASSIGNMENTS, EVERYDAY)}
