"""The assignments as examples of `notebook/assignments`, with what `tests@k` reads: the solution and the tests.

All of them are dev: they were written to choose by, and no system is reported on a hidden half of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from sayso.core.types import Example, Request, Split, Workspace
from sayso.targets.notebook.assignments.reader import Assignment, assignments


def load(workspace: Workspace, split: Split) -> Iterable[Example]:
    return map(example_of, assignments()) if split == "dev" else ()


def example_of(assignment: Assignment) -> Example:
    """Wrong solutions stay with the file: no system and no metric reads them."""
    meta = {
        "assignment": assignment.name,
        "runnable": assignment.solution,
        "tests": json.dumps([assignment.tests]),
        "theme": assignment.theme,
        "variant": "runnable",
    }
    return Example(assignment.name, Request(assignment.request, assignment.context), (assignment.solution,), meta)
