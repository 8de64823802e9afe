"""Whether cells do what an everyday request asks: all that answer one request in one run of the sandbox.

A kernel a cell would take seconds each, so cells run in forked children of one process (`inside/everyday_runner`).
Verdicts are kept in the cache, one file a request. A request is unscored only where its own right cell is rejected or
a blank one accepted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from sayso.core.errors import SandboxFailed
from sayso.core.types import Example, FileSpec, Limits, Metric, Sandbox, Unscored, Workspace
from sayso.targets.notebook.asked.tried import LOAD, named_in
from sayso.targets.notebook.everyday.reader import digest, folder
from sayso.targets.notebook.execute import ENVIRONMENT, PLACE, showing
from sayso.targets.notebook.kernel_packages import FONTS, INSIDE, Kernel, fetched
from sayso.targets.notebook.metrics.tests import (
    BLANK,
    BLANK_PASSES,
    REFERENCE_FAILS,
    code_above,
    load,
    of_each_k,
    save,
)
from sayso.targets.notebook.syntax.magics import without_magics

VERSION = 1
"""Counts up when a verdict may change: the runner, its limits."""
CPU_SECONDS, WALL_SECONDS = 10, 120
"""Of one cell with its check."""
TOGETHER = 5
"""Candidates that are judged in one run: as many as the widest score looks at."""


def everyday_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    """None without a sandbox; raises MissingPart without the kernel's packages."""
    if workspace.sandbox is None:
        return ()
    kernel = fetched(workspace.cache)
    name = f"forked-v{VERSION}-{kernel.digest[:12]}-{CPU_SECONDS}s-set:{digest()[:12]}"
    return of_each_k(Judge(workspace.sandbox, workspace.cache, kernel), name, TOGETHER)


@dataclass(frozen=True)
class Judge:
    """Verdicts on cells. Pickles with its sandbox, so that workers judge on their own."""

    sandbox: Sandbox
    cache: Path
    kernel: Kernel

    def __call__(self, example: Example, texts: Sequence[str]) -> list[bool] | Unscored:
        path = self.cache / "notebook-everyday" / f"{self.key(example)}.json"
        known = load(path)
        if "unscored" in known:
            return Unscored(known["unscored"])
        problems: dict[str, str] = known.get("problems", {})
        right = example.meta["runnable"]
        if new := [text for text in dict.fromkeys([right, BLANK, *texts]) if text not in problems]:
            problems = {**problems, **dict(zip(new, self.problems(example, new), strict=True))}
            if reason := REFERENCE_FAILS if problems[right] else "" if problems[BLANK] else BLANK_PASSES:
                save(path, {"id": example.id, "unscored": reason, "why": problems[right]})
                return Unscored(reason)
            save(path, {"id": example.id, "problems": problems})
        return [not problems[text] for text in texts]

    def problems(self, example: Example, texts: Sequence[str]) -> list[str]:
        """Why each cell is not right, in one line; "" where it is. SandboxFailed is no verdict on any."""
        above = code_above(example)
        whole = "\n".join([example.meta["hidden"], *above, *texts])
        job = {
            "load": [LOAD[name] for name in named_in(whole)],
            "hidden": example.meta["hidden"],
            "above": above,
            "cells": [without_magics(text) for text in texts],
            "check": example.meta["tests"],
            "cpu": CPU_SECONDS,
            "wall": WALL_SECONDS,
        }
        outcome = showing(self.sandbox, self.kernel).run(script(self.kernel), put(job), limits(len(texts)))
        lines = [json.loads(line) for line in outcome.stdout.splitlines() if line.startswith(b"{")]
        if not lines:
            said = outcome.stderr.decode(errors="replace").strip()[-300:]
            raise SandboxFailed(f"no cell was judged: {said or outcome.stopped}", "`sayso doctor`", reason="sandbox")
        found = [str(line["problem"]) for line in lines[1:]]
        return [*found, *["it took too long with those before it"] * (len(texts) - len(found))]

    def key(self, example: Example) -> str:
        """Everything that a verdict depends on but the candidate."""
        meta = [example.meta[name] for name in ("runnable", "hidden", "tests")]
        parts = [str(VERSION), self.kernel.digest, digest(), *code_above(example), *meta]
        return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()[:32]


def limits(cells: int) -> Limits:
    return Limits(
        cpu_seconds=20 + CPU_SECONDS * (cells + 1),
        wall_seconds=60 + WALL_SECONDS * (cells + 1),
        memory_mb=3072,
        output_bytes=1_000_000,
        processes=64,
    )


def put(job: dict[str, Any]) -> list[FileSpec]:
    inside = files("sayso.targets.notebook").joinpath("inside")
    return [
        FileSpec("/tmp/everyday.json", json.dumps(job).encode()),
        FileSpec(f"{PLACE}/checks.py", (folder() / "checks.py").read_bytes()),
        FileSpec(f"{PLACE}/everyday_runner.py", inside.joinpath("everyday_runner.py").read_bytes()),
        FileSpec(
            f"{PLACE}/sayso/targets/notebook/inside/small_cells.py", inside.joinpath("small_cells.py").read_bytes()
        ),
    ]


def script(kernel: Kernel) -> str:
    told = " ".join(f"{name}={value}" for name, value in ENVIRONMENT.items())
    fonts = f"mkdir -p /tmp/matplotlib; cp {INSIDE}/{FONTS}/* /tmp/matplotlib 2>/dev/null"
    program = f"{PLACE}/everyday_runner.py /tmp/everyday.json {PLACE}/checks.py"
    return f"{fonts}\nexport {told}\nexec {kernel.python} -S {program}\n"
