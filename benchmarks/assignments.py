"""`python -m benchmarks.assignments [NAME …]`: every assignment with its solution, with nothing, a copy, wrong ones.

A solution must pass its tests and everything else must fail them. Needs `sayso data get kernel`. NAME is THEME/NAME, a
theme, or the path of a file or folder that is being written.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks import Row
from sayso.apps import settings
from sayso.core.errors import SaysoError
from sayso.sandbox import open_sandbox
from sayso.targets.notebook.assignments import Assignment, assignments, read_assignment
from sayso.targets.notebook.assignments.check import problems
from sayso.targets.notebook.kernel_packages import fetched

FEWEST = 3


def run(most: int | None = None) -> list[Row]:
    wrong, seconds, n = examine(list(assignments())[:most])
    return [
        Row("assignments that are not as they should be", float(wrong), "", n, limit=0.0),
        Row("checking one assignment", seconds / max(n, 1), "CPU s", n),
    ]


def chosen(names: list[str]) -> list[Assignment]:
    if not names:
        return list(assignments())
    found: list[Assignment] = []
    for name in names:
        path = Path(name)
        if path.exists():
            found += [read_assignment(one) for one in ([path] if path.is_file() else sorted(path.rglob("*.py")))]
        else:
            found += [one for one in assignments() if name in (one.name, one.theme)]
    return found


def examine(found: list[Assignment]) -> tuple[int, float, int]:
    """How many have a problem, the CPU seconds of all, how many were looked at."""
    cache = settings.workspace().cache
    sandbox, kernel = open_sandbox(cache), fetched(cache)
    wrong, total = 0, 0.0
    for one in found:
        lines, seconds = problems(one, sandbox, kernel)
        wrong, total = wrong + bool(lines), total + seconds
        for line in lines:
            print(line, flush=True)
    return wrong, total, len(found)


def main(names: list[str]) -> int:
    try:
        wrong, seconds, n = examine(chosen(names))
    except SaysoError as error:
        print(error.told(), file=sys.stderr)
        return error.exit_code
    print(f"{n} assignments, {wrong} with a problem, {seconds / max(n, 1):.1f} CPU s each")
    return 1 if wrong or not n else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.assignments", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    sys.exit(main(parser.parse_args().names))
