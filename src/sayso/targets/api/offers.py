"""What is asked of the api target beside answers, loaded when asked for: its bundles as systems, Okapi's tables."""

from __future__ import annotations

from pathlib import Path

from sayso.core.progress import Progress
from sayso.core.types import CorpusStats, Membership, System, Workspace


def open_grammar(folder: Path, workspace: Workspace) -> System:
    from sayso.neural.bundle import load_bundle
    from sayso.targets.api.systems.induced import open_induced

    return open_induced(load_bundle(folder), workspace)


def open_parser(folder: Path, workspace: Workspace) -> System:
    from sayso.neural.bundle import load_bundle
    from sayso.targets.api.systems.shipped import open_system

    return open_system(load_bundle(folder), workspace)


def count_okapi(workspace: Workspace, membership: Membership, progress: Progress) -> CorpusStats:
    from sayso.targets.api.corpus.stats import corpus_stats

    return corpus_stats(workspace.data, membership, progress)
