"""The Bash target and its task, as values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sayso.core.types import (
    Example,
    Limits,
    Metric,
    Outcome,
    Request,
    Sandbox,
    Split,
    Target,
    Task,
    Workspace,
)
from sayso.targets.bash import language
from sayso.targets.bash._cookbook import default_system


def run(command: str, request: Request, sandbox: Sandbox) -> Outcome:
    return sandbox.run(command, [], Limits())


def load(workspace: Workspace, split: Split) -> Iterable[Example]:
    return []


def metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    return ()


BASH = Target(
    name="bash",
    normalise=language.normalise,
    template=language.template,
    split=language.split,
    join=language.join,
    risk=language.risk,
    check=language.check,
    explain=language.explain,
    run=run,
)

COMMAND = Task(
    name="bash/command",
    target=BASH,
    load=load,
    metrics=metrics,
    systems={"default": default_system, "cookbook": default_system},
)
