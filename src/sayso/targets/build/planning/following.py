"""Plans with what documents say beyond the build files: what comes first, which goals, and scripts that do it all.

Each step that is added has the line of the document behind it. The plan as it was before stays as the next to try.
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sayso.targets.build.planning.plan import Ground, Plan, Step, entered
from sayso.targets.build.planning.walk import Act, is_plain_make

MOST_BEFORE = 4
"""Steps of a document that may come before a plan; a longer list is a tour, not a preparation."""


def followed(plan: Plan, acts: Sequence[Act]) -> Plan:
    """A plan with the preparations and the installation that documents tell, itself where they tell none."""
    before = preparations(plan, acts)
    steps = [*prepared(plan, before)]
    if (by := installed_by(plan, acts)) is not None:
        kept = [step for step in steps if step.does != "install"]
        steps = [*kept, Step(placed(plan, by), "install", (by.cause,))]
    return replace(plan, steps=tuple(steps)) if tuple(steps) != plan.steps else plan


def scripted(acts: Sequence[Act], folder: str) -> Plan | None:
    """A plan of nothing but scripts of the tree, where documents tell of no other way and one of them installs."""
    own = [act for act in acts if act.sure and act.folder == folder]
    done = [act for act in own if act.kind in ("script", "build", "install") and is_script(act)]
    if not any(act.kind == "install" for act in done) or not all(act.checked for act in done):
        return None
    if any(act.kind in ("configure", "build", "install") and not is_script(act) for act in own):
        return None
    steps = [Step(entered(folder), "prepare", (done[0].cause,))] if folder else []
    steps += [Step(f"export {act.words[0]}", "prepare", (act.cause,)) for act in own if act.kind == "set"]
    for act in done:
        steps.append(Step(act.command, "install" if act.kind == "install" else "build", (act.cause,)))
    return Plan("script", folder, tuple(steps))


def is_script(act: Act) -> bool:
    return act.words[0] not in ("make", "cmake", "meson", "ninja", "pip", "pip3") and not any(
        posixpath.basename(word) in ("configure", "setup.py", "Makefile.PL", "Build.PL") for word in act.words[:2]
    )


def preparations(plan: Plan, acts: Sequence[Act]) -> list[Act]:
    """What a document tells to do before it first builds in the folder of the plan."""
    found: dict[str, Act] = {}
    for file in dict.fromkeys(act.cause.file for act in acts):
        if posixpath.dirname(file) not in ("", plan.folder, "doc", "docs"):
            continue
        told = [act for act in acts if act.cause.file == file]
        begins = next((at for at, act in enumerate(told) if is_of_plan(plan, act)), None)
        if begins is None:
            continue
        for act in told[:begins]:
            is_other = act.kind == "build" and is_plain_make(act) and act.folder != plan.folder
            if act.sure and (act.kind in ("copy", "set") or is_other or (act.kind == "script" and is_script(act))):
                found.setdefault(f"{act.folder}\0{act.command}", act)
        for setting in told[begins].settings if told[begins].sure else ():
            act = Act("set", plan.folder, (setting,), told[begins].cause)
            found.setdefault(f"{act.folder}\0{act.command}", act)
    return list(found.values()) if len(found) <= MOST_BEFORE else []


def is_of_plan(plan: Plan, act: Act) -> bool:
    """Whether it is where the plan itself begins: the first call of its build system in its folder."""
    return act.folder == plan.folder and act.kind in ("configure", "build", "install")


def prepared(plan: Plan, before: Sequence[Act]) -> Iterator[Step]:
    """Settings first, then what is done in other folders, then the plan, with what is done in its own folder after it
    is entered."""
    at = 1 if plan.folder and plan.steps and plan.steps[0].command.startswith("cd ") else 0
    for act in before:
        if act.kind == "set":
            yield Step(f"export {act.words[0]}", "prepare", (act.cause,))
    for act in before:
        if act.kind != "set" and (act.folder != plan.folder or not at):
            yield Step(placed_from("", act), "prepare", (act.cause,))
    yield from plan.steps[:at]
    for act in before:
        if act.kind != "set" and act.folder == plan.folder and at:
            yield Step(act.command, "prepare", (act.cause,))
    yield from plan.steps[at:]


def placed_from(here: str, act: Act) -> str:
    """The command, as it is typed in another folder than its own."""
    if act.folder == here:
        return act.command
    if act.words[0] == "make":
        return shlex.join(["make", "-C", act.folder, *act.words[1:]])
    return f"({entered(act.folder)} && {act.command})"


def placed(plan: Plan, act: Act) -> str:
    moved = bool(plan.folder) and bool(plan.steps) and plan.steps[0].command.startswith("cd ")
    return placed_from(plan.folder if moved else "", act)


def installed_by(plan: Plan, acts: Sequence[Act]) -> Act | None:
    """A script that documents tell to install with, where they do not tell it of the build system."""
    own = [act for act in acts if act.sure and act.folder == plan.folder and act.kind == "install"]
    return own[0] if own and own[0].checked and all(is_script(act) for act in own) else None


def main_folder(ground: Ground, acts: Sequence[Act], top: str) -> str:
    """Where the documents at the top install from, where that is one folder below and never the top itself."""
    told = [act for act in acts if act.sure and posixpath.dirname(act.cause.file) in (top, "doc", "docs")]
    places = list(dict.fromkeys(act.folder for act in told if act.kind == "install"))
    if len(places) == 1 and places[0] != top and places[0] in ground.folders:
        return places[0]
    return top
