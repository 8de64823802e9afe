"""Names that an argument may be where its command looks them up and its parser does not list them: for completion.

A table by the argument's name in the usage, behind the words of the command where other commands call another so. Names
that are known at once stand in the script; for others the script asks, since a shell reads it whenever it starts.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence


def key_of(words: Sequence[str], action: argparse.Action) -> str:
    """("stats",) and its NAME -> "stats NAME"; "" for what is the user's own, such as a file."""
    wanted = action.metavar if isinstance(action.metavar, str) else action.dest
    keys = (" ".join([*words, wanted]), wanted)
    return next((key for key in keys if key in QUICK or key in ASKED), "")


def tasks() -> Iterable[str]:
    from sayso.targets import TASKS

    return TASKS


def targets() -> Iterable[str]:
    from sayso.targets import TARGETS

    return TARGETS


def recipes() -> Iterable[str]:
    from sayso.experiments import RECIPES

    return RECIPES


def corpora() -> Iterable[str]:
    from sayso.runs.corpora import corpora

    return corpora()


def systems(typed: Sequence[str]) -> Iterable[str]:
    """Of the task that is typed, or of any."""
    from sayso.targets import TASKS

    chosen = [word for word in typed if word in TASKS] or list(TASKS)
    return dict.fromkeys(name for task in chosen for name in TASKS[task].systems)


def counted(typed: Sequence[str]) -> Iterable[str]:
    from sayso.targets import TARGETS

    return [name for target in TARGETS.values() for name in target.corpora]


def recorded(typed: Sequence[str]) -> Iterable[str]:
    from sayso.targets import TARGETS

    return [name for target in TARGETS.values() for name in target.records]


def mined(typed: Sequence[str]) -> Iterable[str]:
    from sayso.targets import TARGETS

    return [name for target in TARGETS.values() for name in target.miners]


def fetched(typed: Sequence[str]) -> Iterable[str]:
    from sayso.targets import TARGETS

    return dict.fromkeys([*corpora(), *(name for one in TARGETS.values() for name in (*one.fetchers, *one.pickers))])


QUICK: Mapping[str, Callable[[], Iterable[str]]] = {
    "TASK": tasks,
    "TARGET": targets,
    "target": targets,
    "RECIPE": recipes,
    "data list NAME": corpora,
    "data check NAME": corpora,
}
ASKED: Mapping[str, Callable[[Sequence[str]], Iterable[str]]] = {
    "SYSTEM": systems,
    "CORPUS": recorded,
    "stats NAME": counted,
    "data get NAME": fetched,
    "data mine KIND": mined,
}
