"""What is asked of the build target beside answers, loaded when asked for: the corpus of packages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sayso.core.progress import Progress
from sayso.core.types import CorpusStats, Membership, Workspace


def count_packages(workspace: Workspace, membership: Membership, progress: Progress) -> CorpusStats:
    from sayso.targets.build.corpus.stats import corpus_stats

    return corpus_stats(workspace.data, membership, progress)


def show_package(data: Path, name: str) -> Mapping[str, object]:
    from sayso.targets.build.corpus.show import show_package as show

    return show(data, name)


def get_packages(
    workspace: Workspace, progress: Progress, names: Sequence[str] = (), limit: int | None = None
) -> Mapping[str, object]:
    from sayso.targets.build.corpus.fetch import fetch_packages, fetching_of

    return fetch_packages(workspace, progress, fetching_of(names, limit))


def get_contents(workspace: Workspace, progress: Progress) -> Mapping[str, object]:
    from sayso.targets.build.corpus.contents_fetch import fetch_contents

    return fetch_contents(workspace, progress)
