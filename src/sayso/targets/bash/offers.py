"""What is asked of Bash beside answers, loaded when asked for: a question back, an edit, a table, a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.core.progress import Progress
from sayso.core.types import (
    Asked,
    Candidate,
    CorpusStats,
    Example,
    Followed,
    Labels,
    Membership,
    Question,
    Request,
    System,
    Table,
    Workspace,
)

if TYPE_CHECKING:
    from sayso.targets.bash.knowledge.machine import MachineIndex
    from sayso.targets.bash.systems.installed import Proposed
    from sayso.targets.bash.systems.stepped import Reader


def question(request: Request, candidates: Sequence[Candidate]) -> Question | None:
    from sayso.targets.bash.systems.question import question_for

    return question_for([(one.text, one.score) for one in candidates], request.text)


def follow(command: str, words: str, before: Sequence[str]) -> Followed:
    """An edit of the command, or the command before it."""
    from sayso.targets.bash.follow_up.follow_ups import follow, is_undo

    if not is_undo(words):
        return follow(command, words)
    if not before:
        return Followed((), "there is nothing to undo", undone=True)
    return Followed((Candidate(before[-1], 1.0, ("as it was before",)),), undone=True)


def installed(asked: Asked, index: MachineIndex, is_here: Callable[[str], bool], is_known: bool) -> Proposed:
    """Commands of tools that only this machine's manual pages know."""
    from sayso.targets.bash.systems.installed import proposals

    return proposals(asked, index, is_here, is_known)


def behind(request: str, command: str, act: str, read: Reader) -> list[Candidate]:
    """The command with a further act behind it."""
    from sayso.targets.bash.systems.stepped import behind

    return behind(request, command, act, read)


def open_cookbook(folder: Path, workspace: Workspace) -> System:
    from sayso.neural.bundle import load_bundle
    from sayso.targets.bash.cookbook.recipes import cookbook_system

    return cookbook_system(load_bundle(folder))


def count_nl2bash(workspace: Workspace, membership: Membership, progress: Progress) -> CorpusStats:
    from sayso.targets.bash.corpus.stats import corpus_stats

    return corpus_stats(workspace.data, membership, progress)


def count_asked(workspace: Workspace, membership: Membership, progress: Progress) -> CorpusStats:
    from sayso.targets.bash.corpus.asked.stats import asked_stats

    return asked_stats(progress=progress)


def count_weighing(workspace: Workspace, membership: Membership, progress: Progress) -> CorpusStats:
    from sayso.targets.bash.corpus.asked.pairs import WEIGHING
    from sayso.targets.bash.corpus.asked.stats import asked_stats

    return asked_stats(WEIGHING, progress)


def commands_page() -> str:
    from sayso.targets.bash.review.page import page

    return page()


def slices(workspace: Workspace) -> Mapping[str, Labels]:
    from sayso.targets.bash.corpus.slices import slices

    return slices(workspace)


def annotated_errors(
    workspace: Workspace, examples: Sequence[Example], answers: Mapping[str, Sequence[Sequence[Candidate]]]
) -> Table | None:
    from sayso.targets.bash.corpus.annotated import annotated_errors

    return annotated_errors(workspace, examples, answers)
