"""From a tree and what its documents say to a plan: the folder first, the build system second, the steps last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sayso.targets.build.planning.autotools import plan_autotools
from sayso.targets.build.planning.by_hand import install_headers, make_library
from sayso.targets.build.planning.choice import choose, features_of
from sayso.targets.build.planning.cmake import plan_cmake, plan_meson
from sayso.targets.build.planning.finding import Found, find_systems, systems_in
from sayso.targets.build.planning.following import followed, main_folder, scripted
from sayso.targets.build.planning.heeded import ways_heeded
from sayso.targets.build.planning.languages import LANGUAGES, Planner
from sayso.targets.build.planning.make import plan_make
from sayso.targets.build.planning.plan import Alternative, Ground, Plan, Step, entered, inside
from sayso.targets.build.planning.told import Words, told_words
from sayso.targets.build.planning.walk import Act, entered_folders, walk

PLANNERS: Mapping[str, Planner] = {
    "autotools": plan_autotools,
    "cmake": plan_cmake,
    "meson": plan_meson,
    "make": plan_make,
    **LANGUAGES,
}
MOST_PROJECTS = 4
NOTHING = "nothing here says how it is built"


def make_plan(ground: Ground, folder: str = "") -> Plan:
    """The best plan, with what else the tree offers as alternatives; a plan without steps where it offers nothing."""
    plans = ranked_plans(ground, folder)
    if not plans:
        return Plan("none", folder, notes=(NOTHING,))
    best, *others = plans
    rest = tuple(Alternative(one.system, reason(best, one), one.script) for one in others)
    return replace(best, alternatives=(*best.alternatives, *rest))


def reason(best: Plan, other: Plan) -> str:
    if other.folder != best.folder:
        return f"{other.folder or 'the top'} is not where the documents lead"
    return f"{best.system} is likelier to be what maintainers build this with"


def ranked_plans(ground: Ground, folder: str = "") -> list[Plan]:
    """Every plan that the tree allows, the likeliest first; what documents add to one goes before it as it was."""
    acts = walk(ground)
    plans = tree_plans(ground, folder, acts)
    with_more = [one for plan in plans[:1] if (one := followed(plan, acts)) != plan]
    by_script = [one for one in [scripted(acts, folder)] if one]
    return [*by_script, *with_more, *plans]


def tree_plans(ground: Ground, folder: str, acts: Sequence[Act]) -> list[Plan]:
    """What the build systems of the tree offer, where documents lead to one of them that first."""
    told = told_words(ground)
    found = find_systems(ground, folder)
    if not found:
        steps = (*install_headers(ground, folder), *make_library(ground, folder))
        return (
            [Plan("headers", folder, steps, notes=("nothing is built: the headers are the library",))] if steps else []
        )
    folders = list(dict.fromkeys(one.folder for one in found))
    if folders != [folder]:
        return several_folders(ground, found, folders, told, acts)
    plans = [one for one in (planned(ground, each, told, acts) for each in in_order(ground, found, told)) if one.steps]
    main = main_folder(ground, acts, folder)
    below = f"{folder}/" if folder else ""
    entered = [place for place in entered_folders(acts) if place != folder and place.startswith(below)]
    led = [one for place in dict.fromkeys([main, *entered[:2]]) for one in best_in(ground, place, told, acts, folder)]
    return [*led, *plans] if main != folder else [*plans, *led]


def best_in(ground: Ground, place: str, told: Sequence[Words], acts: Sequence[Act], top: str) -> list[Plan]:
    """The likeliest plan of a folder below the top, if it has any."""
    found = [one for one in find_systems(ground, place) if one.folder == place] if place != top else []
    plans = [planned(ground, one, told, acts) for one in in_order(ground, found, told)[:1]]
    return [one for one in plans if one.steps]


def several_folders(
    ground: Ground, found: Sequence[Found], folders: list[str], told: Sequence[Words], acts: Sequence[Act]
) -> list[Plan]:
    """Where nothing stands at the top: what the documents enter, else all of a few folders one after the other."""
    installed = {act.folder for act in acts if act.kind == "install" and act.sure}
    # A folder that documents install from counts whatever it is called.
    chosen = [place for place in entered_folders(acts) if place in folders or place in installed] or folders
    each = [
        planned(ground, in_order(ground, rivals, told)[0], told, acts)
        for place in chosen
        if (rivals := [one for one in found if one.folder == place] or list(systems_in(ground, place)))
    ]
    each = [one for one in each if one.steps]
    if len(each) == 1 or not each or len(each) > MOST_PROJECTS:
        return each
    steps: list[Step] = []
    for at, one in enumerate(each):
        steps += one.steps
        moved = one.steps[0].command.startswith("cd ")
        if moved and at < len(each) - 1:
            back = "/".join([".."] * (one.folder.count("/") + 1))
            steps.append(Step(f"cd {back}", "prepare", one.steps[0].causes))
    notes = (f"{len(each)} projects stand side by side: {', '.join(one.folder for one in each)}",)
    return [Plan(each[0].system, each[0].folder, tuple(steps), notes=notes), *each]


def planned(ground: Ground, found: Found, told: Sequence[Words], acts: Sequence[Act]) -> Plan:
    plan = PLANNERS[found.system](ground, found.folder, told)
    if not found.folder:
        return plan
    causes = entered_folders(acts)
    if found.folder not in causes:
        return plan
    steps = tuple(
        replace(step, causes=(causes[found.folder],)) if step.command == entered(found.folder) else step
        for step in plan.steps
    )
    return replace(plan, steps=steps)


def in_order(ground: Ground, found: Sequence[Found], told: Sequence[Words]) -> list[Found]:
    """The likeliest first, by the linear choice that was learnt from maintainers."""
    if len(found) < 2:
        return list(found)
    scores = choose([features_of(ground, one, told) for one in found])
    against, advised = ways_heeded(ground)

    def rank(at: int) -> tuple[bool, bool, bool, float]:
        one = found[at]
        return one.system in against, one.system not in advised, not was_released_with(ground, one, told), -scores[at]

    return [found[at] for at in sorted(range(len(found)), key=rank)]


def was_released_with(ground: Ground, found: Found, told: Sequence[Words]) -> bool:
    """A generated configure in a source was shipped to be run: what it installs is what dependents were made for. Where
    documents speak of another system alone, it is left over."""
    made = found.system == "autotools" and ground.has(inside(found.folder, "configure"))
    spoken = {one.tool for one in told} & {"configure", "cmake", "meson"}
    return made and ground.files.get(inside(found.folder, "configure"), True) and (not spoken or "configure" in spoken)
