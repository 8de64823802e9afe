"""What is evaluated and how: a system by name, a split of a task, the settings, the examples."""

from __future__ import annotations

from dataclasses import dataclass, field

from sayso.core.errors import RunFailed
from sayso.core.types import Example, Split, Task, Workspace
from sayso.runs.scoring import Bootstrap

# How the names of systems begin whose answers a corpus already holds.
PUBLISHED = "released-"
# What stands before each replaced stage in the name of a system: gold+depends-null.
REPLACED = "+"


@dataclass(frozen=True)
class Subject:
    """What is evaluated: a system, by name, on a split of a task."""

    task: Task
    split: Split
    system: str
    bundle: str = ""
    """Digest of the bundle that the system was loaded from."""


@dataclass(frozen=True)
class Settings:
    """How a system is run and its predictions are scored."""

    k: int = 5
    """Candidates per request; the largest k of a metric that is published (`nlc2cmd@5`)."""
    batch: int = 32
    limit: int = 0
    """Only the first so many examples; 0 is all. Such a run is recorded and not stored."""
    partial: bool = False
    """Examples without a prediction are unscored instead of an error."""
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    cells: str = ""
    """How many examples are measured together, where a task is asked to; such statistics are not those of examples."""


DEFAULTS = Settings()


def load_examples(task: Task, split: Split, workspace: Workspace, limit: int = 0) -> list[Example]:
    """The examples of a split, once each."""
    examples = []
    seen: set[str] = set()
    for example in task.load(workspace, split):
        if example.id in seen:
            raise RunFailed(
                f"{task.name} {split}: example {example.id} comes twice", "the corpus reader must name each one apart"
            )
        seen.add(example.id)
        examples.append(example)
        if len(examples) == limit:
            break
    if not examples:
        raise RunFailed(f"{task.name} has no {split} examples")
    return examples
