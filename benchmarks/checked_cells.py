"""`python -m benchmarks.checked_cells [--limit N] [-k K]`: what `sayso cell --check` is worth on everyday dev.

The cells that `default` shows are run below the cells above, as --check does, and the first that runs comes first.
Prints how often the first cell is right without and with that, and what first cells fail by. Needs `sayso data get
kernel`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

from sayso.apps import settings
from sayso.core.errors import SaysoError
from sayso.core.types import Candidate, Sandbox, Workspace
from sayso.sandbox import open_sandbox
from sayso.targets import find_target, find_task
from sayso.targets.notebook.everyday.judging import Judge
from sayso.targets.notebook.kernel_packages import fetched

DID_NOT_RUN = ("the cell: ", "it took too long")
DESTROYS = "destroys"


def first_that_runs(found: Sequence[Candidate], problems: Sequence[str]) -> int:
    """As `sayso cell --check` chooses: what destroys is not tried in another's place."""
    drafts = find_target("notebook").draft([one.text for one in found])
    tried = (at for at in range(len(found)) if not at or drafts[at].risk.level != DESTROYS)
    return next((at for at in tried if not problems[at].startswith(DID_NOT_RUN)), 0)


def measured(workspace: Workspace, sandbox: Sandbox, limit: int, k: int) -> dict[str, Any]:
    task = find_task("notebook/everyday")
    system = task.systems["default"](workspace)
    judge = Judge(sandbox, workspace.cache, fetched(workspace.cache))
    plain = checked = 0
    fails: Counter[str] = Counter()
    examples = list(task.load(workspace, "dev"))[:limit]
    for example in examples:
        found = system.translator.translate([example.request], k)[0]
        problems = judge.problems(example, [one.text for one in found])
        if found:
            plain += not problems[0]
            checked += not problems[first_that_runs(found, problems)]
            fails[":".join(problems[0].split(":")[:2]) or "right"] += 1
    return {"n": len(examples), "tests@1": plain, "tests@1 with --check": checked, "first cells": dict(fails)}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.checked_cells", description=__doc__)
    parser.add_argument("--limit", type=int, default=1000, help="requests")
    parser.add_argument("-k", type=int, default=3, help="cells that are shown (%(default)s)")
    args = parser.parse_args(argv)
    try:
        workspace = settings.workspace()
        sandbox = open_sandbox(workspace.cache)
        print(json.dumps(measured(workspace, sandbox, args.limit, args.k), indent=1))
    except SaysoError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
