"""What a run keeps beside its scores: a row for each cell, and the logs of what was built with its labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from os import SEEK_END
from pathlib import Path
from typing import Any

from sayso.targets.build.builds.built import Built
from sayso.targets.build.evaluation.score import Cell, failed
from sayso.targets.build.evaluation.worlds import Ran

LONGEST = 200_000


def row_of(cell: Cell) -> dict[str, Any]:
    """Plain JSON values: B by loss and by labels, R printed and corrected, what was built and what broke."""
    sums = {
        loss: {**asdict(one), **({"printed": one.printed, "corrected": one.corrected} if one.scale else {})}
        for loss, one in cell.sums.items()
    }
    return {"packages": cell.names, "built": dict(cell.built), "broke": cell.broke, "B": sums}


def logs_of(first: str, ran: Ran) -> Iterator[tuple[str, str]]:
    """One file for each package of V in the world of a cell, and for the packages under test themselves."""
    for name, built in ran.validation.items():
        yield f"logs/{first}/V.{name}.log", log_of(name, built)
    if first in ran.tests:
        yield f"logs/{first}/T.{first}.log", log_of(first, ran.tests[first])


def log_of(name: str, built: Built) -> str:
    how = f"stopped: {built.stopped}" if built.stopped else f"exit code {built.exit_code}"
    verdict = "failed" if failed(built) else "built"
    head = f"{name} {verdict}, {how}, {built.cpu_seconds:.2f} CPU-s, {built.failed_steps} of {built.steps} steps failed"
    return "\n".join([head, *(f"it {one}" for one in built.said), "", text_of(built)])


def text_of(built: Built) -> str:
    """The end of what it printed; nothing where its log was removed."""
    try:
        with Path(built.log).open("rb") as file:
            file.seek(max(0, file.seek(0, SEEK_END) - LONGEST))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""
