"""How cells are run: one after the other in a real IPython kernel, inside the sandbox and nowhere else.

A cell that fails is told and the next one runs, as in a notebook; a cell over a limit ends the kernel, and what stands
below it is told as not run. Figures are closed after each cell up to the candidate, whose own stay open for its tests.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args

from sayso.core.errors import SandboxFailed
from sayso.core.types import FileSpec, Limits, Outcome, Request, Sandbox
from sayso.targets.notebook.kernel_packages import FONTS, INSIDE, OWN_PYTHON, Kernel, at_hand

VERSION = 1
"""Counts up when what a cell does may change: the driver, the environment, the seeds."""
Status = Literal["ok", "error", "stopped", "not run"]

PLACE = "/opt/cells"
"""Where the driver lies inside, away from the folder that cells see."""
# One thread each: threads count as processes, and sums in another order are other sums.
ENVIRONMENT = {
    "IPYTHONDIR": "/tmp/ipython",
    "JUPYTER_RUNTIME_DIR": "/tmp",
    "LD_LIBRARY_PATH": f"{OWN_PYTHON}/lib",
    "MKL_NUM_THREADS": "1",
    "MPLBACKEND": "Agg",
    "MPLCONFIGDIR": "/tmp/matplotlib",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONPATH": f"{PLACE}:{INSIDE}",
}
ENDS: tuple[Literal["cpu", "wall", "memory"], ...] = ("cpu", "wall", "memory")
START_CPU, START_WALL = 10.0, 120.0
"""What the kernel itself may take before the first cell."""


@dataclass(frozen=True)
class CellLimits:
    """Of each cell; memory and processes are those of all together. `wall_seconds` are those in which nothing of it
    runs: standing in line on a busy machine does not count. Threads count as processes for the sandbox."""

    cpu_seconds: float = 10.0
    wall_seconds: float = 60.0
    memory_mb: int = 2048
    processes: int = 24

    def whole(self, cells: int) -> Limits:
        """Of the run, which the sandbox enforces where the driver was overrun."""
        cpu, wall = (min(cells, 12) * one for one in (self.cpu_seconds, self.wall_seconds))
        return Limits(
            cpu_seconds=START_CPU + cpu,
            wall_seconds=START_WALL + wall,
            memory_mb=self.memory_mb,
            output_bytes=10_000_000,
            processes=self.processes + 40,
        )


LIMITS = CellLimits()


@dataclass(frozen=True)
class CellRun:
    """What one cell did. `error` is the name of what it raised; `value` its words, or why it was stopped or not run."""

    status: Status
    error: str = ""
    value: str = ""
    text: str = ""
    cpu_seconds: float = 0.0
    limit: str = ""
    """Which one stopped it: cpu, wall, memory, processes; "" where it ended its own kernel."""

    def told(self, number: int) -> str:
        """One clear line: "cell 3 was stopped: it took more than 10 s of CPU time"."""
        words = {"ok": "ran", "error": "failed", "stopped": "was stopped", "not run": "was not run"}[self.status]
        why = ": ".join(part for part in (self.error, *self.value.strip().splitlines()[:1]) if part)
        return f"cell {number} {words}: {why}" if why else f"cell {number} {words}"


@dataclass(frozen=True)
class CellsRun:
    """What all cells did, in their order, none left out."""

    cells: tuple[CellRun, ...]
    outcome: Outcome


def run(text: str, request: Request, sandbox: Sandbox) -> Outcome:
    """A cell below its context; pieces of kind "file" lie beside it. `stdout` is what the cell shows."""
    kernel = at_hand(Path(getattr(sandbox, "cache", "")))
    above = [piece.text for piece in request.context if piece.kind == "code"]
    beside = {piece.name: piece.text for piece in request.context if piece.kind == "file"}
    found = run_cells([*above, text], len(above), sandbox, kernel, beside)
    lines = [cell.told(number) for number, cell in enumerate(found.cells, 1) if cell.status != "ok"]
    last = found.cells[-1]
    return replace(
        found.outcome,
        exit_code=0 if last.status == "ok" else 1,
        stdout=last.text.encode(errors="replace"),
        stderr="".join(f"{line}\n" for line in lines).encode(errors="replace"),
        stopped=next((name for name in ENDS if any(cell.limit == name for cell in found.cells)), ""),
        changes=tuple(change for change in found.outcome.changes if not change.path.startswith("/")),
    )


def run_cells(
    cells: Sequence[str],
    shown: int,
    sandbox: Sandbox,
    kernel: Kernel,
    beside: Mapping[str, str] | None = None,
    limits: CellLimits = LIMITS,
) -> CellsRun:
    """Run `cells` among the files `beside`; the figures of cell `shown` stay open for those below it.

    Raises SandboxFailed where no kernel starts, which is no verdict on the cells.
    """
    job = {"cells": list(cells), "shown": shown, **vars(limits)}
    put = [
        *(FileSpec(name, text.encode(errors="surrogateescape")) for name, text in (beside or {}).items()),
        FileSpec("/tmp/cells.json", json.dumps(job).encode()),
        *(FileSpec(f"{PLACE}/{name}.py", text) for name, text in _programs().items()),
    ]
    outcome = showing(sandbox, kernel).run(_script(kernel), put, limits.whole(len(cells)))
    return CellsRun(tuple(read_lines(outcome, len(cells), limits)), outcome)


def read_cell(words: dict[str, Any]) -> CellRun | None:
    """None where a line has another shape than ours, as one that a cell printed."""
    texts = [words.get(name) for name in ("status", "name", "value", "text", "limit")]
    cpu = words.get("cpu")
    if type(words.get("cell")) is not int or not isinstance(cpu, int | float) or not all(type(t) is str for t in texts):
        return None
    status = next((one for one in get_args(Status) if one == texts[0]), None)
    _, name, value, text, limit = map(str, texts)
    return CellRun(status, name, value, text, float(cpu), limit) if status else None


def read_lines(outcome: Outcome, cells: int, limits: CellLimits) -> list[CellRun]:
    """What the driver said of each cell; where it was cut short, the cell that had begun was what stopped it."""
    ready, begun, found = False, -1, dict[int, CellRun]()
    for line in outcome.stdout.splitlines():
        try:
            words = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(words, dict):
            continue
        if "ready" in words:
            ready = True
        elif "status" in words:
            if cell := read_cell(words):
                found[words["cell"]] = cell
        elif type(words.get("cell")) is int:
            begun = words["cell"]
    if not ready:
        said = (outcome.stderr.decode(errors="replace").strip().splitlines() or ["it said nothing"])[-1]
        why = f"the {outcome.stopped} limit ended it" if outcome.stopped else said
        raise SandboxFailed(f"no IPython kernel starts: {why[:200]}", "`sayso doctor`", reason="sandbox: no kernel")
    if begun >= 0 and begun not in found:
        found[begun] = CellRun("stopped", value=_why(outcome, limits), limit=outcome.stopped)
    last = max((number for number, cell in found.items() if cell.status == "stopped"), default=begun)
    for number in range(cells):
        if number not in found:
            found[number] = CellRun("not run", value=f"cell {last + 1} ended the kernel")
    return [found[number] for number in range(cells)]


def _why(outcome: Outcome, limits: CellLimits) -> str:
    """Why the sandbox ended everything inside."""
    if outcome.stopped == "memory":
        return f"it needed more than {limits.memory_mb} MB of memory"
    if outcome.stopped == "output":
        return "it printed too much"
    if outcome.stopped:
        return "all cells together took too long"
    return f"it ended everything around it (exit code {outcome.exit_code})"


def showing(sandbox: Sandbox, kernel: Kernel) -> Sandbox:
    """A sandbox that shows the kernel's folders: the one given, or another like it that is kept for the next run."""
    from sayso.sandbox.bubblewrap import BubblewrapSandbox

    if not isinstance(sandbox, BubblewrapSandbox) or kernel.shown.items() <= sandbox.readable.items():
        return sandbox
    return _opened(sandbox.cache, sandbox.root, tuple({**sandbox.readable, **kernel.shown}.items()))


@lru_cache(maxsize=4)
def _opened(cache_folder: Path, root: Path | None, shown: tuple[tuple[str, Path], ...]) -> Sandbox:
    from sayso.sandbox.bubblewrap import BubblewrapSandbox

    return BubblewrapSandbox(cache_folder, root, dict(shown))


def _script(kernel: Kernel) -> str:
    settings = " ".join(f"{name}={value}" for name, value in ENVIRONMENT.items())
    fonts = f"mkdir -p /tmp/matplotlib; cp {INSIDE}/{FONTS}/* /tmp/matplotlib 2>/dev/null"
    return f"{fonts}\nexport {settings}\nexec {kernel.python} -S {PLACE}/driver.py /tmp/cells.json\n"


@cache
def _programs() -> dict[str, bytes]:
    folder = files("sayso.targets.notebook").joinpath("inside")
    return {name: folder.joinpath(f"{name}.py").read_bytes() for name in ("driver", "manners")}
