"""`python -m benchmarks.second_solutions [NAME …]`: another right cell for every assignment, in another style.

The tests must accept each: one refused is a test that asks for our way of writing it. Needs `sayso data get kernel`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks import Row
from sayso.apps import settings
from sayso.core.errors import SaysoError
from sayso.sandbox import open_sandbox
from sayso.targets.notebook.assignments import assignments
from sayso.targets.notebook.assignments.check import try_out
from sayso.targets.notebook.kernel_packages import fetched

SECOND = Path(__file__).with_name("second_solutions.json")


FEWEST = 3


def run(most: int | None = None) -> list[Row]:
    refused, n = examine([], most)
    return [Row("right cells that the tests of an assignment refuse", float(refused), "", n, limit=0.0)]


def examine(names: list[str], most: int | None = None) -> tuple[int, int]:
    """How many were refused, how many were tried."""
    cells: dict[str, list[str]] = json.loads(SECOND.read_text(encoding="utf-8"))
    cache = settings.workspace().cache
    sandbox, kernel = open_sandbox(cache), fetched(cache)
    chosen = [one for one in assignments() if one.name in cells and (not names or {one.name, one.theme} & set(names))]
    chosen, refused = chosen[:most], 0
    for one in chosen:
        tried = try_out(one, "\n".join(cells[one.name]), "another solution", sandbox, kernel)
        if tried.problem:
            refused += 1
            print(f"{one.name}: refused: {tried.problem}", flush=True)
    return refused, len(chosen)


def main(names: list[str]) -> int:
    try:
        refused, n = examine(names)
    except SaysoError as error:
        print(error.told(), file=sys.stderr)
        return error.exit_code
    print(f"{n} second solutions, {refused} refused")
    return 1 if refused or not n else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
