"""The Bash target and its tasks, as values."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from sayso.answer.verify import Verified
from sayso.core.types import Metric, System, Target, Task, Workspace
from sayso.targets.bash import language, offers
from sayso.targets.bash.corpus.nl2bash import load
from sayso.targets.bash.corpus.released import SYSTEMS as RELEASED
from sayso.targets.bash.everyday.scores import (
    Safe,
    dangerous_examples,
    everyday_examples,
    everyday_metrics,
    fresh_examples,
)
from sayso.targets.bash.evidence.against import evidence
from sayso.targets.bash.execute import run
from sayso.targets.bash.knowledge.machine import MachineIndex
from sayso.targets.bash.metrics import metrics
from sayso.targets.bash.review.check import findings
from sayso.targets.bash.review.explain import notes
from sayso.targets.bash.safety import bars, read
from sayso.targets.bash.systems.combined import best_system
from sayso.targets.bash.systems.composed_request import default_system
from sayso.targets.bash.systems.neural import neural_system


def knowing_machine(cache: Path) -> Target:
    """The target whose check and explain also ask the index that `sayso bash --index-man` left in this cache."""
    find = MachineIndex(cache).lookup
    return replace(BASH, check=partial(findings, find=find), explain=partial(notes, find=find))


BASH = Target(
    name="bash",
    normalise=language.normalise,
    template=language.template,
    split=language.split,
    join=language.join,
    risk=language.risk,
    check=language.check,
    explain=language.explain,
    run=run,
    draft=language.drafts,
    read=read,
    evidence=evidence,
    bars=bars,
    unasked=language.unasked,
    answered_by="bash/command",
    question=offers.question,
    follow=offers.follow,
    made_from={"machine": knowing_machine},
    openers={"cookbook": offers.open_cookbook},
    corpora={"nl2bash": offers.count_nl2bash, "asked": offers.count_asked, "asked-weighing": offers.count_weighing},
    pages={"papers/bash-commands.md": offers.commands_page},
)


def safety_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    return (Safe(language.risk),)


def best(workspace: Workspace) -> System:
    """What the prompt shows; `cookbook` and `trunk` are its sources."""
    return best_system(BASH, workspace)


def verified_trunk(workspace: Workspace) -> System:
    """The embedded trunk alone, its candidates checked and reordered like the default's."""
    system = neural_system(workspace)
    return replace(system, translator=Verified(system.translator, BASH))


SHIPPED = {"default": best, "cookbook": default_system, "trunk": verified_trunk}
COMMAND = Task(
    name="bash/command",
    target=BASH,
    load=load,
    metrics=metrics,
    systems={**SHIPPED, **RELEASED},
    slices=offers.slices,
    breakdowns=(offers.annotated_errors,),
)
EVERYDAY = Task(name="bash/everyday", target=BASH, load=everyday_examples, metrics=everyday_metrics, systems=SHIPPED)
FRESH = Task(name="bash/fresh", target=BASH, load=fresh_examples, metrics=everyday_metrics, systems=SHIPPED)
DANGEROUS = Task(name="bash/dangerous", target=BASH, load=dangerous_examples, metrics=safety_metrics, systems=SHIPPED)
TASKS = {task.name: task for task in (COMMAND, EVERYDAY, FRESH, DANGEROUS)}
