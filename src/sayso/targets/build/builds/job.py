"""One build: a source, the script to run in it, what lies installed below, and the limits. Everything that decides its
outcome, but for the base system, is in its digest."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import cached_property

from sayso.core.types import Limits
from sayso.targets.build.builds.source import Source

FORMAT = "1"
PREFIX = "/usr/local"
"""Where a build may install to."""

TEST_LIMITS = Limits(
    cpu_seconds=120,
    wall_seconds=900,
    memory_mb=3072,
    output_bytes=16_000_000,
    file_bytes=512_000_000,
    disk_mb=1024,
    processes=512,
)
"""Of a package under test. CPU time decides; the wall is a safety stop that a busy machine must not reach."""
VALIDATION_LIMITS = Limits(**{**TEST_LIMITS.__dict__, "cpu_seconds": 60})
"""Of a package that depends on those under test."""

RULES = "chmod +x debian/rules\ndebian/rules build\n"
"""The maintainers' script of a package in V."""

# `ldconfig` cannot run inside, where nobody is root, so that the loader does not know of libraries that packages below
# installed: this names the two folders under the prefix in which ldconfig would have looked.
LIBRARIES = f"{PREFIX}/lib:{PREFIX}/lib/{os.uname().machine}-linux-gnu"
ENVIRONMENT = (
    ("DEB_BUILD_OPTIONS", "parallel=1"),
    ("HOME", "/tmp"),
    ("LC_ALL", "C.UTF-8"),
    ("LD_LIBRARY_PATH", LIBRARIES),
)


@dataclass(frozen=True)
class Job:
    """`below` is exactly what lies below, bottom first: what one of them was itself built over does not come along."""

    source: Source
    script: str
    below: tuple[Job, ...] = ()
    limits: Limits = TEST_LIMITS
    environment: tuple[tuple[str, str], ...] = ()
    """Beside, and over, what every build finds."""

    @cached_property
    def digest(self) -> str:
        facts = [
            *(FORMAT, self.source.digest, self.script, [job.digest for job in self.below]),
            *(astuple(self.limits), sorted(self.variables().items())),
        ]
        return hashlib.sha256(json.dumps(facts).encode("utf-8", "surrogateescape")).hexdigest()

    def variables(self) -> dict[str, str]:
        return {**dict(ENVIRONMENT), **dict(self.environment)}


def with_all_below(jobs: Sequence[Job]) -> list[Job]:
    """Every distinct job once, and each after everything that lies below it."""
    ordered: dict[str, Job] = {}

    def add(job: Job) -> None:
        if job.digest not in ordered:
            for other in job.below:
                add(other)
            ordered[job.digest] = job

    for job in jobs:
        add(job)
    return list(ordered.values())
