"""The bench of a workspace: the set in its data folder, and what everything is built on."""

from __future__ import annotations

from sayso.core.types import Workspace
from sayso.targets.build.builds.builder import Builder
from sayso.targets.build.evaluation.bench import Bench
from sayso.targets.build.evaluation.partition import SINGLETONS, Partition
from sayso.targets.build.evaluation.sets import read_set, set_folder


def open_bench(workspace: Workspace, partition: Partition = SINGLETONS) -> Bench:
    found = read_set(set_folder(workspace.data))
    return Bench(found, Builder(), "host", partition)
