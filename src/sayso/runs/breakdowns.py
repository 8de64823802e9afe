"""Where a target's own error analysis enters the report: a line in SLICES or in BREAKDOWNS, no other change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sayso.core.types import Example, Workspace
from sayso.runs.predictions import Prediction
from sayso.runs.tables import Table
from sayso.targets.bash.corpus import nl2bash
from sayso.targets.bash.corpus import slices as bash

Labels = Callable[[Example], Sequence[str]]
"""The kinds that an example is of, one or several; none where nothing is known about it."""

Breakdown = Callable[[Workspace, Sequence[Example], Mapping[str, Sequence[Prediction | None]]], Table | None]
"""The examples of a split and every system's predictions on them, in the same order -> one table."""


def annotated_errors(
    workspace: Workspace, examples: Sequence[Example], predictions: Mapping[str, Sequence[Prediction | None]]
) -> Table | None:
    """NL2Bash figure 3, counted from the released annotations; None for a split that they are not about."""
    path = nl2bash.folder(workspace.data) / "manual_judgements" / bash.ANNOTATIONS
    requests = bash.read_classes(path)
    annotated = sum(nl2bash.request_key(example.request.text) in requests for example in examples)
    if not annotated:
        return None
    systems = tuple(bash.ANNOTATED.values())
    rows = tuple((name, *(str(counts[one]) for one in systems)) for name, counts in bash.class_counts(path).items())
    notes = (f"first predictions for {annotated} requests of this split, as the authors sorted them",)
    return Table("errors of the paper's systems by class (NL2Bash figure 3)", ("class", *systems), rows, notes)


BREAKDOWNS: dict[str, tuple[Breakdown, ...]] = {"bash/command": (annotated_errors,)}
"""Whole tables, by the name of the task."""

SLICES: dict[str, Callable[[Workspace], Mapping[str, Labels]]] = {"bash/command": bash.slices}
"""Kinds of examples that every system is scored on apart, by the name of the task: title -> kinds of an example."""
