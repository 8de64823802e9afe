"""Scripts run for `trying`, each in the sandbox by a `Builder`: what it recorded is not run again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sayso.core.types import Limits
from sayso.targets.build.builds.builder import Builder
from sayso.targets.build.builds.built import Built
from sayso.targets.build.builds.job import TEST_LIMITS, Job
from sayso.targets.build.builds.source import Source
from sayso.targets.build.trying.trying import Ended, Run

MOST_LOG = 200_000
"""Bytes of a log that are read, from its end."""


def run_in(
    builder: Builder,
    source: Source,
    below: tuple[Job, ...] = (),
    limits: Limits = TEST_LIMITS,
    told: Callable[[str, Built], None] | None = None,
) -> Run:
    """What runs a script over a source; `told` hears of each outcome."""

    def run(script: str) -> Ended:
        job = Job(source, script, below, limits)
        built = builder.build(job)
        if told:
            told(script, built)
        installed = tuple(builder.left_by(job)) if built.installed else ()
        done = built.steps - built.failed_steps
        return Ended(built.succeeded, installed, log_end(built), done, built.stopped, built.cpu_seconds)

    return run


def log_end(built: Built) -> str:
    try:
        with Path(built.log).open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - MOST_LOG))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""
