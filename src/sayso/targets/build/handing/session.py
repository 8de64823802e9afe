"""One call of `sayso build`: open what was given, read it, and try it where that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from sayso.targets.build.builds.builder import Builder
from sayso.targets.build.builds.built import Built
from sayso.targets.build.builds.job import TEST_LIMITS
from sayso.targets.build.handing.answer import Answer, plans_of, read_given, with_tried
from sayso.targets.build.handing.given import forget, open_given, source_of
from sayso.targets.build.trying.sandboxed import run_in
from sayso.targets.build.trying.trying import BUDGET, Ended, Run, try_plans


def answer_for(
    path: Path,
    cache: Path,
    tries: int = 0,
    fetch: bool = False,
    hear: Callable[[str], None] | None = None,
    told: Callable[[str, Built], None] | None = None,
) -> Answer:
    """`tries` 0 only plans; more build it in the sandbox that often at the most. `hear` is told what a build prints."""
    with open_given(path) as given:
        answer = read_given(given, fetch)
        if not tries or not answer.plan.steps:
            return answer
        try:
            source = source_of(given, cache)
            limits = replace(TEST_LIMITS, network=True) if fetch else TEST_LIMITS
            run = run_in(Builder(cache, hear=hear), source, limits=limits, told=told)
            counted = announced(run, hear) if hear else run
            return with_tried(answer, try_plans(answer.survey.ground, plans_of(answer), counted, min(tries, BUDGET)))
        finally:
            forget(cache)


def announced(run: Run, hear: Callable[[str], None]) -> Run:
    """Says before each try but the first that the log of another begins."""
    begun = 0

    def count(script: str) -> Ended:
        nonlocal begun
        begun += 1
        if begun > 1:
            hear(f"-- try {begun}\n")
        return run(script)

    return count
