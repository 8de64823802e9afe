"""Where packages are built: the root that a set asks for, made when it is first needed, or the host's own programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sayso.core.progress import Progress, silent
from sayso.core.types import Workspace
from sayso.scale import Engine
from sayso.targets.build.builds.builder import Builder
from sayso.targets.build.builds.built import Built
from sayso.targets.build.builds.job import Job
from sayso.targets.build.builds.root import find_root, make_root, root_digest
from sayso.targets.build.evaluation.sets import EvalSet

HOST = "host"
UNMADE = "unmade"


class Builds(Protocol):
    """What is asked of a `Builder`."""

    def build(self, job: Job) -> Built: ...

    def build_all(self, jobs: Sequence[Job], engine: Engine | None = None, progress: Progress = silent) -> list[Built]:
        """In the order of the jobs; raises RunFailed where one could not be run."""
        ...


class Workshop(Protocol):
    """What a bench asks for; `root_name` goes into signatures."""

    @property
    def root_name(self) -> str: ...

    def builder(self, progress: Progress = silent) -> Builds: ...


@dataclass(frozen=True)
class RootedWorkshop:
    """`packages` lists what the root holds; None builds with what the host has."""

    cache: Path
    packages: Path | None

    @property
    def root_name(self) -> str:
        if self.packages is None:
            return HOST
        root = find_root(self.packages, self.cache)
        return root_digest(root)[:12] if root else UNMADE

    def builder(self, progress: Progress = silent) -> Builder:
        return Builder(self.cache, make_root(self.packages, self.cache, progress) if self.packages else None)


def open_workshop(found: EvalSet, workspace: Workspace) -> Workshop:
    return RootedWorkshop(workspace.cache, found.root_packages)
