"""The notebook target and its tasks, as values: whole cells, and the API calls of a cell (JuICe §5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from sayso.core.types import Example, Outcome, Request, Sandbox, Split, System, Target, Task, Workspace
from sayso.targets.notebook import language, offers
from sayso.targets.notebook.metrics import api_metrics, code_metrics
from sayso.targets.notebook.review import bars, evidence, read
from sayso.targets.notebook.systems import SIMPLE, api_answer, code_answer, within_code


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


def code_within(example: Example) -> Iterator[str]:
    return map(code_answer, within_code(example))


def apis_within(example: Example) -> Iterator[str]:
    return map(api_answer, within_code(example))


def systems(form: Callable[[str], str]) -> dict[str, Callable[[Workspace], System]]:
    return {name: partial(make, form) for name, make in SIMPLE.items()}


NOTEBOOK = Target(
    name="notebook",
    normalise=language.normalise,
    template=language.template,
    split=language.split,
    join=language.join,
    risk=language.risk,
    check=language.check,
    explain=language.explain,
    run=run,
    draft=language.drafts,
    read=read,
    evidence=evidence,
    bars=bars,
    unasked=language.unasked,
    corpora={"notebooks": offers.count_notebooks},
    miners={"notebooks": offers.mine_notebooks},
)

CODE = Task(
    name="notebook/code",
    target=NOTEBOOK,
    load=load_code,
    metrics=code_metrics,
    systems=systems(code_answer),
    within=code_within,
)
APIS = Task(
    name="notebook/apis",
    target=NOTEBOOK,
    load=load_apis,
    metrics=api_metrics,
    systems=systems(api_answer),
    within=apis_within,
)
TASKS = {task.name: task for task in (CODE, APIS)}
