"""What is asked of the api target beside answers, loaded when asked for: its bundles as systems, Okapi's tables."""

from __future__ import annotations

from pathlib import Path

from sayso.core.progress import Progress
from sayso.core.types import CorpusStats, Membership, System, Target, Workspace


def open_grammar(folder: Path, workspace: Workspace) -> System:
    from sayso.neural.bundle import load_bundle
    from sayso.targets.api.systems.induced import open_induced

    return open_induced(load_bundle(folder), workspace)


def open_parser(folder: Path, workspace: Workspace) -> System:
    from sayso.neural.bundle import load_bundle
    from sayso.targets.api.systems.shipped import open_system

    return open_system(load_bundle(folder), workspace)


def open_described(workspace: Workspace) -> System:
    from sayso.targets.api.specs.described import open_described

    return open_described(workspace)


def target_of_spec(path: Path) -> Target:
    """Calls of the API that a file describes, as an instruction language; nothing is learnt or kept for it."""
    from sayso.targets.api.specs.language import Calls
    from sayso.targets.api.specs.reader import reader_of
    from sayso.targets.api.specs.store import read_api

    calls = Calls(reader_of(read_api(path)[0]))
    return Target(
        name="api",
        normalise=calls.normalise,
        template=calls.template,
        split=calls.split,
        join=calls.join,
        risk=calls.risk,
        check=calls.check,
        explain=calls.explain,
        run=calls.run,
        draft=calls.draft,
        follow=calls.follow,
    )


def count_okapi(workspace: Workspace, membership: Membership, progress: Progress) -> CorpusStats:
    from sayso.targets.api.corpus.stats import corpus_stats

    return corpus_stats(workspace.data, membership, progress)
