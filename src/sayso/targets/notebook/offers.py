"""What is asked of notebooks beside answers, loaded when asked for: a table, examples from a user's own files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sayso.core.progress import Progress
from sayso.core.types import CorpusStats, Membership, Mining, System, Workspace


def open_cells(folder: Path, workspace: Workspace) -> System:
    """A bundle of notebook cells that lies in a folder, beside the one that is installed."""
    from sayso.targets.notebook.systems.cells import opened

    found = opened(folder)
    return System(found.translator, bundle=found.bundle)


def count_notebooks(workspace: Workspace, membership: Membership, progress: Progress) -> CorpusStats:
    from sayso.targets.notebook.corpus.stats import corpus_stats

    return corpus_stats(workspace, progress)


def count_asked(workspace: Workspace, membership: Membership, progress: Progress) -> CorpusStats:
    from sayso.targets.notebook.asked.stats import asked_stats

    return asked_stats()


def mine_notebooks(mining: Mining, progress: Progress) -> Mapping[str, object]:
    from sayso.targets.notebook.corpus.given_paths import mine_paths

    return mine_paths(mining, progress)


def get_kernel(workspace: Workspace, progress: Progress) -> Mapping[str, object]:
    from sayso.targets.notebook.kernel_fetch import get_kernel

    return get_kernel(workspace, progress)
