"""Everything that exists: instruction languages and the tasks over them. To add a target, add it here."""

from __future__ import annotations

from sayso.core.errors import UnknownName
from sayso.core.types import Target, Task
from sayso.targets.api.tasks import API
from sayso.targets.api.tasks import TASKS as API_TASKS
from sayso.targets.bash.tasks import BASH
from sayso.targets.bash.tasks import TASKS as BASH_TASKS

TARGETS: dict[str, Target] = {"bash": BASH, "api": API}

TASKS: dict[str, Task] = {**BASH_TASKS, **API_TASKS}


def find_target(name: str) -> Target:
    if name not in TARGETS:
        raise UnknownName("target", name, TARGETS)
    return TARGETS[name]


def find_task(name: str) -> Task:
    if name not in TASKS:
        raise UnknownName("task", name, TASKS)
    return TASKS[name]
