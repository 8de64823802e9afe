"""Requests of a split that stand in another task's train or dev as well: told beside every score of them.

A task says so by a way to slice its examples whose title begins with "also in".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sayso.core.errors import MissingData
from sayso.core.types import Example, Labels, Task, Workspace

ALSO = "also in "
LEARNT_FROM = ("its train", "its dev")
"""What a system of the other split could have learnt."""


@dataclass(frozen=True)
class Elsewhere:
    title: str
    """ "also in Program" """
    counts: Counter[str]
    """ "its train" → how many of the requests stand there."""
    rest: tuple[Example, ...]
    """Those that stand in neither train nor dev of it."""
    n: int

    def told(self) -> str:
        parts = ", ".join(f"{self.counts[part]} in {part}" for part in LEARNT_FROM)
        return f"{self.title}: of {self.n:,} requests {parts}"


def elsewhere(task: Task, examples: Sequence[Example], workspace: Workspace) -> Iterator[Elsewhere]:
    """Nothing where the corpus of the other split is not on this machine."""
    for title, labels in ways(task, workspace).items():
        try:
            found = [set(labels(one)) for one in examples]
        except MissingData:
            continue
        rest = tuple(one for one, parts in zip(examples, found, strict=True) if not parts & {*LEARNT_FROM})
        yield Elsewhere(title, Counter(part for parts in found for part in parts), rest, len(examples))


def ways(task: Task, workspace: Workspace) -> dict[str, Labels]:
    """Only rows that belong together stand in two splits; the slices of other tasks read a corpus to be made."""
    found = task.slices(workspace) if task.cluster else {}
    return {title: labels for title, labels in found.items() if title.startswith(ALSO)}


def elsewhere_notes(task: Task, examples: Sequence[Example], workspace: Workspace) -> list[str]:
    """Beside the scores of one system."""
    hint = f"whoever learnt from these has seen them; scores by where: `sayso report {task.name}`"
    return [f"{one.told()}; {hint}" for one in elsewhere(task, examples, workspace) if len(one.rest) < one.n]


def caution(task: Task, workspace: Workspace) -> list[str]:
    """What stands above a table of scores, with no corpus at hand: how intervals are drawn, what to beware of."""
    drawn = [f"Intervals draw whole {task.drawn}."] if task.cluster else []
    where = f"`sayso report {task.name}` counts them and has scores on the rest."
    return drawn + [f"Some of these requests stand {title}, too; {where}" for title in ways(task, workspace)]
