"""The loop: try the best plan, read what went wrong, try what may be better; within a budget, and the best is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from sayso.targets.build.planning.plan import Ground, Plan, Step
from sayso.targets.build.trying.completing import complete
from sayso.targets.build.trying.failures import Failure, read_failure
from sayso.targets.build.trying.repairs import REPAIRS
from sayso.targets.build.trying.wanting import lacks

BUDGET = 4
CHEAP = 5.0
"""CPU seconds of a build that may be repeated only to make its script shorter."""


@dataclass(frozen=True)
class Ended:
    """How the run of a script ended, as far as trying cares."""

    succeeded: bool
    installed: tuple[str, ...] = ()
    log: str = ""
    steps_done: int = 0
    stopped: str = ""
    cpu_seconds: float = 0.0


Run = Callable[[str], Ended]


@dataclass(frozen=True)
class Try:
    plan: Plan
    ended: Ended
    failure: Failure | None = None
    lacking: tuple[str, ...] = ()

    @property
    def worth(self) -> tuple[bool, bool, int, int, int]:
        """Better is larger: it ends well, installs anything, lacks little, installs much, says it shortly."""
        installed = len(self.ended.installed)
        return self.ended.succeeded, installed > 0, -len(self.lacking), installed, -len(self.plan.steps)


@dataclass(frozen=True)
class Tried:
    """The best of all tries, and all of them in order."""

    best: Try
    tries: tuple[Try, ...] = field(default=())


def try_plans(ground: Ground, plans: Sequence[Plan], run: Run, budget: int = BUDGET, shorten: bool = True) -> Tried:
    """Until one installs all that its tree promises, or the budget is spent."""
    tries: list[Try] = []
    seen: set[str] = set()
    waiting = [plan for plan in plans if plan.steps]
    if not waiting:
        return Tried(Try(plans[0] if plans else Plan("none"), Ended(False), Failure("no plan")))
    while waiting and len(tries) < budget:
        plan = waiting.pop(0)
        if plan.script in seen:
            continue
        seen.add(plan.script)
        one = judged(ground, plan, run(plan.script))
        tries.append(one)
        if one.ended.succeeded and not one.lacking:
            break
        waiting = [*better(ground, one), *waiting]
    best = max(tries, key=lambda one: one.worth)
    if (
        shorten
        and best is not tries[0]
        and best.ended.succeeded
        and best.ended.cpu_seconds < CHEAP
        and len(tries) < budget
    ):
        best = shortened(ground, best, run, budget - len(tries), tries)
    return Tried(best, tuple(tries))


def judged(ground: Ground, plan: Plan, ended: Ended) -> Try:
    if not ended.succeeded:
        return Try(plan, ended, read_failure(ended.log, ended.stopped), tuple(lacks(ground, ended.installed)))
    return Try(plan, ended, None, tuple(lacks(ground, ended.installed)))


def better(ground: Ground, one: Try) -> Iterator[Plan]:
    if one.failure:
        yield from REPAIRS[one.failure.kind](one.plan, one.failure, ground)
    elif one.lacking:
        yield from complete(one.plan, one.lacking, ground)


def shortened(ground: Ground, best: Try, run: Run, left: int, tries: list[Try]) -> Try:
    """Without a step that nobody misses: only what repairs and guesses added is doubted."""
    for at, step in enumerate(best.plan.steps):
        if left <= 0 or not step.why or step.does == "build":
            continue
        steps: tuple[Step, ...] = (*best.plan.steps[:at], *best.plan.steps[at + 1 :])
        plan = replace(best.plan, steps=steps)
        if not any(one.does in ("install", "build") for one in steps):
            continue
        left -= 1
        shorter = judged(ground, plan, run(plan.script))
        tries.append(shorter)
        if shorter.ended.succeeded and set(shorter.ended.installed) >= set(best.ended.installed):
            return shorter
    return best
