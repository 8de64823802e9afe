"""Whether an assignment is worth asking: its solution passes its tests; nothing, a copy and the wrong ones fail."""

from __future__ import annotations

from dataclasses import dataclass

from sayso.core.types import Sandbox
from sayso.targets.notebook.assignments.reader import Assignment
from sayso.targets.notebook.execute import LIMITS, CellLimits, CellRun, run_cells
from sayso.targets.notebook.kernel_packages import Kernel

BLANK = "pass"


@dataclass(frozen=True)
class Tried:
    """One text in the place of the solution: what it is, what failed first, CPU seconds."""

    what: str
    problem: str
    """"" where all tests pass."""
    cpu_seconds: float


def try_out(
    assignment: Assignment, text: str, what: str, sandbox: Sandbox, kernel: Kernel, limits: CellLimits = LIMITS
) -> Tried:
    above = assignment.above
    found = run_cells([*above, text, assignment.tests], len(above), sandbox, kernel, limits=limits)
    return Tried(what, first_failure(found.cells, len(above)), found.outcome.cpu_seconds)


def first_failure(cells: tuple[CellRun, ...], start: int) -> str:
    """The first failure from cell `start` on, in one line."""
    for number, cell in enumerate(cells[start:], start + 1):
        if cell.status != "ok":
            return cell.told(number)
    return ""


def problems(assignment: Assignment, sandbox: Sandbox, kernel: Kernel) -> tuple[list[str], float]:
    """What is wrong with an assignment, one line each, and the CPU seconds that it took to find out."""
    above = assignment.above
    found = run_cells([*above, assignment.solution, assignment.tests], len(above), sandbox, kernel)
    seconds = found.outcome.cpu_seconds
    lines = [
        f"{assignment.name}: {cell.told(number)}" for number, cell in enumerate(found.cells, 1) if cell.status != "ok"
    ]
    texts = {
        "nothing": BLANK,
        **{f"wrong {number} ({one.why})": one.code for number, one in enumerate(assignment.wrong, 1)},
    }
    if above:
        texts["the cell above"] = above[-1]
    for what, text in texts.items():
        tried = try_out(assignment, text, what, sandbox, kernel)
        seconds += tried.cpu_seconds
        if not tried.problem:
            lines.append(f"{assignment.name}: the tests pass with {what}")
    return lines, seconds
