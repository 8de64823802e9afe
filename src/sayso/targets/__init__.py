"""Everything that exists: instruction languages and the tasks over them, each loaded when it is first asked for.

To add a target, add its folder, a function that imports it, and one line each in TARGETS and TASKS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import TypeVar

from sayso.core.errors import UnknownName
from sayso.core.types import Target, Task

T = TypeVar("T")


class Loaded(MutableMapping[str, T]):
    """Names that are known at once, values that are made when first looked up. Only tests put something in."""

    def __init__(self, makers: Mapping[str, Callable[[str], T]]) -> None:
        self.makers = dict(makers)
        self.made: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self.made:
            self.made[name] = self.makers[name](name)
        return self.made[name]

    def __setitem__(self, name: str, value: T) -> None:
        self.makers[name] = lambda _: value
        self.made[name] = value

    def __delitem__(self, name: str) -> None:
        del self.makers[name]
        self.made.pop(name, None)

    def __contains__(self, name: object) -> bool:
        return name in self.makers

    def __iter__(self) -> Iterator[str]:
        return iter(self.makers)

    def __len__(self) -> int:
        return len(self.makers)


def bash(name: str) -> Target:
    from sayso.targets.bash.tasks import BASH

    return BASH


def bash_task(name: str) -> Task:
    from sayso.targets.bash.tasks import TASKS

    return TASKS[name]


def api(name: str) -> Target:
    from sayso.targets.api.tasks import API

    return API


def api_task(name: str) -> Task:
    from sayso.targets.api.tasks import TASKS

    return TASKS[name]


def build(name: str) -> Target:
    from sayso.targets.build.tasks import BUILD

    return BUILD


def build_task(name: str) -> Task:
    from sayso.targets.build.tasks import TASKS

    return TASKS[name]


def notebook(name: str) -> Target:
    from sayso.targets.notebook.tasks import NOTEBOOK

    return NOTEBOOK


def notebook_task(name: str) -> Task:
    from sayso.targets.notebook.tasks import TASKS

    return TASKS[name]


OKAPI = [f"api/{split}-{domain}" for split in ("length", "program") for domain in ("document", "email", "calendar")]
BFCL = [f"api/bfcl-{part}" for part in ("simple", "multiple", "live-simple", "live-multiple", "irrelevance")]
DESCRIBED = ["api/own-specs", *BFCL, "api/toolalpaca"]
SCAN = [f"api/scan-{split}" for split in ("length", "mcd1", "mcd2", "mcd3")]

TARGETS: MutableMapping[str, Target] = Loaded({"bash": bash, "api": api, "notebook": notebook, "build": build})

TASKS: MutableMapping[str, Task] = Loaded(
    {
        **dict.fromkeys(("bash/command", "bash/everyday", "bash/fresh", "bash/dangerous"), bash_task),
        **dict.fromkeys(("api/free", "api/strangers", *OKAPI, *SCAN, *DESCRIBED), api_task),
        **dict.fromkeys(("notebook/code", "notebook/apis", "notebook/assignments", "notebook/everyday"), notebook_task),
        **{f"build/{part}": build_task for part in ("script", "documents", "instructions", "depends", "metadata")},
    }
)


def find_target(name: str) -> Target:
    if name not in TARGETS:
        raise UnknownName("target", name, TARGETS)
    return TARGETS[name]


def find_task(name: str) -> Task:
    if name not in TASKS:
        raise UnknownName("task", name, TASKS)
    return TASKS[name]
