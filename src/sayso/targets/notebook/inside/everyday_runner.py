"""Inside the sandbox: cells that answer one request, each below the same cells above, each judged by the same check.

What is hidden and shown runs once; every candidate then has a process and a copy of the folder of its own. Prints a
JSON line a candidate: what is wrong with it, "" for nothing.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

from sayso.targets.notebook.inside.small_cells import Tell, Work, in_a_child, load, run_cell

DIED = "it took too long or ended its process"


def all_work(job: dict[str, Any], checks: Any) -> Work:
    def work(tell: Tell) -> None:
        silence()
        space: dict[str, Any] = {"__name__": "__main__", "display": lambda *shown, **more: None}
        home = tempfile.mkdtemp()
        os.chdir(home)
        try:
            run_cell(job["hidden"], {"__name__": "__main__", "display": space["display"]})
            for cell in job["above"]:
                run_cell(cell, space)
        except BaseException as error:
            for _ in job["cells"]:
                tell({"problem": told("a cell above", error)})
            return
        for cell in job["cells"]:
            found = in_a_child(cell_work(cell, job, space, checks, home))
            tell(found[0] if found else {"problem": DIED})

    return work


def cell_work(cell: str, job: dict[str, Any], space: dict[str, Any], checks: Any, home: str) -> Work:
    def work(tell: Tell) -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (job["cpu"], job["cpu"] + 1))
        signal.alarm(job["wall"])
        os.chdir(shutil.copytree(home, tempfile.mkdtemp(), dirs_exist_ok=True))
        tell({"problem": problem(cell, job["check"], space, checks)})

    return work


def problem(cell: str, check: str, space: dict[str, Any], checks: Any) -> str:
    """Whatever a check raises is a rejection: a wrong cell may lack the very column that it looks at."""
    try:
        checks.mark(space)
        value = run_cell(cell, space)
        if value is not None:
            space["_"] = value
    except BaseException as error:
        return told("the cell", error)
    tools = {name: one for name, one in vars(checks).items() if not name.startswith("__")}
    try:
        exec(compile(check, "<check>", "exec"), {**space, **tools, "space": space})
    except BaseException as error:
        return told("the check", error)
    return ""


def told(what: str, error: BaseException) -> str:
    return f"{what}: {type(error).__name__}: {error}".strip()[:300]


def silence() -> None:
    """Nothing that a cell writes, by whatever way, is read as a verdict."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    sys.stdout = sys.stderr = io.StringIO()


def read_module(path: str) -> Any:
    found = importlib.util.spec_from_file_location("checks", path)
    assert found and found.loader
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def main() -> None:
    warnings.filterwarnings("ignore")
    job = json.loads(Path(sys.argv[1]).read_text())
    load(job["load"])
    checks = read_module(sys.argv[2])
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write(json.dumps({"ready": True}) + "\n")
        sys.stdout.flush()
        for words in in_a_child(all_work(job, checks)):
            sys.stdout.write(json.dumps(words) + "\n")


if __name__ == "__main__":
    main()
