"""A builder that builds nothing: a script says what it installs, and what a dependent asks for.

`install x` installs x, `fail` fails, `want x` fails where nothing below has installed x.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sayso.core.errors import SandboxFailed
from sayso.core.progress import Progress, silent
from sayso.scale import Engine
from sayso.targets.build.builds.built import Built
from sayso.targets.build.builds.job import Job
from sayso.targets.build.evaluation.sets import Archive, Dependent, EvalSet, Package, digest_of


class PretendBuilder:
    """Satisfies what the bench asks of a `Builder`; `broken` names packages on which the sandbox breaks."""

    def __init__(self, broken: Sequence[str] = ()) -> None:
        self.broken = broken
        self.kept: dict[str, Built] = {}
        self.order: list[str] = []
        """What was built, not what was kept already."""

    def build_all(self, jobs: Sequence[Job], engine: Engine | None = None, progress: Progress = silent) -> list[Built]:
        return [self.build(job) for job in jobs]

    def build(self, job: Job) -> Built:
        if job.digest not in self.kept:
            if job.source.name in self.broken:
                raise SandboxFailed("it broke", reason="sandbox failed")
            self.order.append(job.source.name)
            self.kept[job.digest] = self.outcome(job)
        return self.kept[job.digest]

    def outcome(self, job: Job) -> Built:
        found = {name for below in job.below for name in self.installs(below)}
        lines = [line.split() for line in job.script.splitlines() if not line.startswith("chmod")]
        done = 0
        for deed, *names in lines:
            if deed == "fail" or (deed == "want" and not found.issuperset(names)):
                break
            done += 1
        failed = done < len(lines)
        return Built(
            job.digest, int(failed), "", 1.0 * len(lines), len(lines), len(lines) - done,
            len(self.installs(job)), (f"told of {job.source.name}",),
        )  # fmt: skip

    def installs(self, job: Job) -> list[str]:
        """What its script leaves behind, before it fails too."""
        found: list[str] = []
        for line in job.script.splitlines():
            deed, *names = line.split()
            if deed == "fail" or (
                deed == "want" and not {one for below in job.below for one in self.installs(below)}.issuperset(names)
            ):
                break
            found += names if deed == "install" else []
        return found


@dataclass(frozen=True)
class PretendWorkshop:
    made: PretendBuilder
    root_name: str = "root"

    def builder(self, progress: Progress = silent) -> PretendBuilder:
        return self.made


def made(tests: Mapping[str, tuple[str, ...]], validation: Mapping[str, tuple[str, ...]]) -> EvalSet:
    """made({"a": (), "b": ("a",)}, {"v": ("b",)}): T whose scripts install their names, V that want all they need."""
    packages = tuple(
        Package(name, "1", (Archive(f"{name}.tar", "0" * 64),), "\n".join([*wants(needs), f"install {name}"]), needs)
        for name, needs in tests.items()
    )
    dependents = tuple(
        Dependent(name, "1", (Archive(f"{name}.tar", "1" * 64),), "\n".join(["true", *wants(needs)]), needs)
        for name, needs in validation.items()
    )
    return EvalSet(Path("nowhere"), packages, (), dependents, digest_of(packages, dependents))


def wants(needs: Sequence[str]) -> list[str]:
    return [f"want {name}" for name in needs]
