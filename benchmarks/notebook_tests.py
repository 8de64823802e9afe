"""`python -m benchmarks.notebook_tests [--json FILE]`: whether the tests of `notebook/code` tell right from nothing.

Runs the reference and a blank cell of every test example with tests; no system is run. What the corpus says of an
earlier run of its own stands beside: `exec_pass`, `tests_pass_without_solution`. Needs `sayso data get kernel`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks import Row
from sayso.apps import settings
from sayso.core.errors import SaysoError
from sayso.core.types import Example
from sayso.sandbox import open_sandbox
from sayso.targets import find_task
from sayso.targets.notebook.execute import run_cells
from sayso.targets.notebook.kernel_packages import fetched
from sayso.targets.notebook.metrics.tests import BLANK, Grader, code_above, code_below, files_of, first_problem, places

FEWEST = 3


@dataclass(frozen=True)
class Found:
    """One example: why the reference fails, why the blank fails ("" where it passes), CPU seconds of both."""

    id: str
    assignment: str
    known: str
    reference: str
    blank: str
    cpu_seconds: tuple[float, float]
    above: int
    failed_above: int

    @property
    def tells(self) -> bool:
        return not self.reference and bool(self.blank)


def run(most: int = 0) -> list[Row]:
    found = examine(most=most)
    known = [one for one in found if one.known == "discriminates"]
    return [
        Row(
            "examples whose tests tell the reference from nothing",
            float(sum(one.tells for one in found)),
            "",
            len(found),
        ),
        Row(
            "known to discriminate: the reference fails",
            float(sum(bool(one.reference) for one in known)),
            "",
            len(known),
        ),
        Row(
            "known to discriminate: a blank passes",
            float(sum(not one.blank for one in known)),
            "",
            len(known),
            limit=0.0,
        ),
        Row("running one example", statistics.median(cpu_of(found)), "CPU s", 2 * len(found)),
    ]


def cpu_of(found: list[Found]) -> list[float]:
    return [seconds for one in found for seconds in one.cpu_seconds]


def examine(tell: bool = False, most: int = 0) -> list[Found]:
    workspace = settings.workspace()
    grader = Grader(open_sandbox(workspace.cache), workspace.cache, fetched(workspace.cache))
    found = []
    for example in find_task("notebook/code").load(workspace, "test"):
        if "tests" in example.meta:
            found.append(look(example, grader))
            if tell:
                print(json.dumps(asdict(found[-1])), file=sys.stderr, flush=True)
            if len(found) == most:
                break
    return found


def look(example: Example, grader: Grader) -> Found:
    above = code_above(example)
    problems, seconds, failed = [], [], 0
    for text in (example.meta["runnable"], BLANK):
        cells = [*above, text, *code_below(example)]
        run = run_cells(cells, len(above), grader.sandbox, grader.kernel, files_of(example), grader.limits)
        problems.append(first_problem(run.cells, *places(example)))
        seconds.append(run.outcome.cpu_seconds)
        failed = sum(cell.status != "ok" for cell in run.cells[: len(above)])
    return Found(
        example.id,
        example.meta["assignment"],
        known_of(example),
        problems[0],
        problems[1],
        (seconds[0], seconds[1]),
        len(above),
        failed,
    )


def known_of(example: Example) -> str:
    if "exec_pass" not in example.meta:
        return "not stored"
    if not json.loads(example.meta["exec_pass"]):
        return "reference fails"
    return "blank passes" if json.loads(example.meta["tests_pass_without_solution"]) else "discriminates"


def main(out: Path | None) -> int:
    try:
        found = examine(tell=True)
    except SaysoError as error:
        print(error.told(), file=sys.stderr)
        return error.exit_code
    if out:
        out.write_text("".join(json.dumps(asdict(one)) + "\n" for one in found), encoding="utf-8")
    counts = Counter((one.known, not one.reference, not one.blank) for one in found)
    for (known, passes, blank), n in sorted(counts.items()):
        verdicts = ", ".join(
            f"{what} {'passes' if ok else 'fails'}" for what, ok in (("reference", passes), ("blank", blank))
        )
        print(f"{n:4} stored: {known:16} {verdicts}")
    cpu = cpu_of(found)
    assignments = {one.assignment for one in found if one.tells}
    print(f"{sum(one.tells for one in found)} of {len(found)} tell, from {len(assignments)} assignments; ", end="")
    print(f"CPU s a run: median {statistics.median(cpu):.2f}, mean {statistics.mean(cpu):.2f}, most {max(cpu):.1f}")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.notebook_tests", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE")
    sys.exit(main(parser.parse_args().json))
