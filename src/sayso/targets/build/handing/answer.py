"""The whole answer for one source: plan, dependencies, metadata and warnings, as plain JSON values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sayso.targets.build.handing.given import Given
from sayso.targets.build.handing.needs import needs_of
from sayso.targets.build.planning.finding import find_systems
from sayso.targets.build.planning.plan import Ground, Plan, inside
from sayso.targets.build.planning.plan import place as shown
from sayso.targets.build.planning.planner import make_plan, ranked_plans
from sayso.targets.build.planning.survey import Survey, survey_folder
from sayso.targets.build.planning.walk import BOOTSTRAPS, INTERPRETERS, walk
from sayso.targets.build.reading.commands import PROGRAMS
from sayso.targets.build.reading.depends import Dependency
from sayso.targets.build.reading.metadata import Metadata, read_metadata
from sayso.targets.build.reading.tree import Evidence
from sayso.targets.build.trying.trying import Tried


@dataclass(frozen=True)
class Answer:
    name: str
    survey: Survey
    plan: Plan
    depends: tuple[Dependency, ...] = ()
    about: Metadata = field(default_factory=Metadata)
    tried: Tried | None = None


def read_given(given: Given, fetch: bool = False) -> Answer:
    survey = survey_folder(given.folder, fetch=fetch)
    survey = replace(survey, warnings=tuple(dict.fromkeys([*survey.warnings, *absent(survey.ground)])))
    plan = make_plan(survey.ground)
    about = read_metadata(survey.tree)
    # A README that says little but `make` would else have its tree called make.
    name = given.name if about.name in PROGRAMS else about.name or given.name
    return Answer(name, survey, plan, needs_of(survey), about)


def absent(ground: Ground) -> Iterator[str]:
    """Steps that a document tells and the tree cannot take: a script at its beginning that is not there, nor made."""
    for act in walk(ground):
        called = act.words[act.words[0] in INTERPRETERS] if len(act.words) > 1 or "/" in act.words[0] else ""
        name = called.removeprefix("./")
        makes = ("configure.ac", "configure.in") if name == "configure" else ()
        is_there = any(ground.has(inside(act.folder, one)) for one in (name, *makes))
        if act.sure and called.startswith("./") and BOOTSTRAPS.fullmatch(name) and not is_there:
            yield f"{shown(act.cause)}: {called} is not in the tree, and left out"


def with_tried(answer: Answer, tried: Tried) -> Answer:
    return replace(answer, plan=replace(tried.best.plan, alternatives=answer.plan.alternatives), tried=tried)


def plans_of(answer: Answer) -> list[Plan]:
    return ranked_plans(answer.survey.ground)


def projects_below(answer: Answer) -> list[str]:
    """Folders with build files of their own, where the top has none or a monorepo hides more."""
    return sorted({one.folder for one in find_systems(answer.survey.ground) if one.folder})


def outcomes(answer: Answer) -> list[str]:
    """Of each step: "" where nothing was tried, else done, failed or not reached."""
    if answer.tried is None:
        return [""] * len(answer.plan.steps)
    ended = answer.tried.best.ended
    if ended.succeeded:
        return ["done"] * len(answer.plan.steps)
    done = min(ended.steps_done, len(answer.plan.steps) - 1)
    return ["done"] * done + ["failed"] + ["not reached"] * (len(answer.plan.steps) - done - 1)


def as_json(answer: Answer) -> dict[str, Any]:
    """`plan[{command, evidence, outcome}]`, `depends[{kind, name, package, evidence}]`, `script`, `tried`."""
    plan = answer.plan
    return {
        "name": answer.name,
        "version": answer.about.version,
        "system": plan.system,
        "folder": plan.folder,
        "plan": [
            {
                "command": step.command,
                "does": step.does,
                "why": step.why,
                "evidence": place(step.cause),
                "outcome": outcome,
            }
            for step, outcome in zip(plan.steps, outcomes(answer), strict=True)
        ],
        "alternatives": [{"what": one.what, "why": one.why, "script": one.script} for one in plan.alternatives],
        "depends": [
            {
                "kind": one.kind,
                "name": one.name,
                "package": one.package,
                "label": one.label,
                "evidence": place(one.evidence),
            }
            for one in answer.depends
        ],
        "script": plan.script,
        "notes": list(plan.notes),
        "warnings": list(answer.survey.warnings),
        "failed": failed_line(answer),
        "tried": None if answer.tried is None else tried_json(answer.tried),
    }


def place(evidence: Evidence | None) -> dict[str, Any] | None:
    return {"file": evidence.file, "line": evidence.line, "text": evidence.text[:200]} if evidence else None


def tried_json(tried: Tried) -> dict[str, Any]:
    best = tried.best
    return {
        "succeeded": best.ended.succeeded,
        "tries": [
            {
                "script": one.plan.script,
                "succeeded": one.ended.succeeded,
                "failure": {"kind": one.failure.kind, "what": one.failure.what, "line": one.failure.line}
                if one.failure
                else None,
                "lacking": list(one.lacking),
                "cpu_seconds": one.ended.cpu_seconds,
            }
            for one in tried.tries
        ],
        "installed": list(best.ended.installed),
        "lacking": list(best.lacking),
    }


def failed_line(answer: Answer) -> str:
    """ "README.md:12: `make install` failed: …": of the first try, since that is what the documents say; "" where the
    best try succeeded."""
    if answer.tried is None or answer.tried.best.ended.succeeded:
        return ""
    first = answer.tried.tries[0]
    step = first.plan.steps[min(first.ended.steps_done, len(first.plan.steps) - 1)]
    said = f": {first.failure.line}" if first.failure and first.failure.line else ""
    where = f"{shown(step.cause)}: " if step.cause else ""
    return f"{where}`{step.command}` failed{said}"


def packages(depends: Sequence[Dependency], label: str) -> list[str]:
    """Names of binary packages, once each."""
    return list(dict.fromkeys(one.package for one in depends if one.label == label and one.package))
