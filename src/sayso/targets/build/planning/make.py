"""Plain make: what a Makefile builds first, which variables move `install` below the prefix, and what it forgets."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sayso.targets.build.planning.by_hand import (
    SPARE,
    install_headers,
    install_libraries,
    install_tools,
    make_library,
)
from sayso.targets.build.planning.heeded import OTHERS
from sayso.targets.build.planning.makefile import (
    HOMES,
    NAMES,
    Makefile,
    assigned,
    fixed_places,
    overrides,
    read_makefile,
    wants_root,
)
from sayso.targets.build.planning.plan import PREFIX, Alternative, Ground, Plan, Step, at, entered, inside
from sayso.targets.build.planning.told import FILLED_IN, IDLE, Words, first_cause, of_tool
from sayso.targets.build.planning.walk import NO_GOALS, PLAIN, Act, walk
from sayso.targets.build.reading.tree import Evidence

UNHELPFUL = re.compile(r"(?i)^(?:help|usage|none|default|info|menu|error|what|list|dummy|help-\w+)$")
PLATFORMS = ("linux", "linux-gnu", "gcc", "unix", "posix", "generic", "gnu", "linux-x86_64", "linux64")
GIVEN = re.compile(r"[A-Za-z_]\w*=[\w.+/-]*")
GOAL = re.compile(r"[A-Za-z_][\w./+-]*")
LIBRARY = re.compile(r"^[\w./+-]*\.(?:a|so(?:\.[\w.]+)?)$")
OWNERS = r"/install\|INSTALL/s/ -[og] *[^ ]*//g"
"""The edit that takes owners out of calls of install."""
TOLD_PLACES = re.compile(r"(?i)prefix|dir$|^dest|path$|root$")


def plan_make(ground: Ground, folder: str, told: Sequence[Words]) -> Plan:
    name = makefile_name(ground, folder, told)
    path = inside(folder, name)
    made = read_makefile(path, ground.text)
    call = ["make"] if name in NAMES else ["make", "-f", shlex.quote(name)]
    causes = first_cause(told, ("make", "gmake", "bmake"))
    steps = [Step(entered(folder), "prepare", (at(path),))] if folder else []
    building, installing = told_goals(made, [act for act in walk(ground) if act.folder == folder])
    installs = "install" in made.targets or installs_elsewhere(ground, made, told)
    given = all_overrides(ground, made) if installs else {}
    if installing:
        given = overrides(made, installing[0].goal)
    options, because = told_variables(made, told)
    words = [*options, *(assigned(key, value) for key, (value, _) in given.items())]
    goals, reason = ([building[0].goal], "") if building else goals_of(made, told)
    because = because or tuple(one.cause for one in building)
    if installs:
        steps += unroot(made, name)
    built = " ".join([*call, *goals, *words])
    steps.append(Step(built, "build", because or causes or (at(path),), reason))
    notes: list[str] = []
    if installing:
        steps.append(Step(" ".join([*call, installing[0].goal, *words]), "install", (installing[0].cause,)))
    elif installs:
        cause = first_cause(told, ("make", "gmake", "bmake"), "install") or (
            *(cause for _, cause in given.values()),
            *((made.cause("install"),) if "install" in made.targets else (at(path),)),
        )
        why = "; ".join(f"{key} is {made.variables[key].value}" for key in given if key in made.variables)
        steps.append(Step(" ".join([*call, "install", *further_goals(made), *words]), "install", cause, why))
    elif partial := [
        one for one in made.targets if re.fullmatch(r"install[-_](?!strip|info|html|doc|test|man)\w[\w-]*", one)
    ]:
        moved = {key: value for one in partial for key, value in overrides(made, one).items()}
        words = [*options, *(assigned(key, value) for key, (value, _) in moved.items())]
        steps.append(Step(" ".join([*call, *partial, *words]), "install", (made.cause(partial[0]),)))
    else:
        steps += forgotten(ground, folder, made)
        notes.append(f"{path} has no install target: files are installed by hand")
    alternatives = [
        Alternative(f"make {one}", "another goal of the Makefile")
        for one in ("shared", "static")
        if one in made.targets
    ]
    return Plan("make", folder, tuple(steps), tuple(alternatives), tuple(notes), {"source": path, "makefile": name})


def installs_elsewhere(ground: Ground, made: Makefile, told: Sequence[Words]) -> bool:
    """A target that this reading does not see: told by the documents, or in a file that the Makefile may include."""
    if first_cause(told, ("make", "gmake"), "install"):
        return True
    if not re.search(r"(?m)^[ \t]*[-s]?\.?include\b", made.texts.get(made.path, "")):
        return False
    folder = made.path.rpartition("/")[0]
    return any(
        re.search(r"(?m)^install\s*:", ground.text(path))
        for path in ground.below(folder)
        if path.endswith((".mk", ".mak", ".inc")) or "/Makefile." in f"/{path}"
    )


def all_overrides(ground: Ground, made: Makefile) -> dict[str, tuple[str, Evidence]]:
    """Of a Makefile and of those that its `install` calls in other folders: what is given to make goes down to them."""
    found = overrides(made)
    folder = made.path.rpartition("/")[0]
    if "install" not in made.targets:
        return found
    lines = " ".join(made.expand(line) for _, line in made.targets["install"].recipe)
    if not re.search(r"\bmake\b", lines.lower()):
        return found
    for word in dict.fromkeys(re.split(r"[\s;&|()'\"]+", lines)):
        below = inside(folder, word.strip("/"))
        name = next((name for name in NAMES if name in ground.folders.get(below, ())), "")
        if word and name:
            inner = read_makefile(inside(below, name), ground.text)
            if "install" in inner.targets:
                found = {**overrides(inner), **found}
    return found


@dataclass(frozen=True)
class Told:
    """A goal of a Makefile that a document tells to make."""

    goal: str
    cause: Evidence


def told_goals(made: Makefile, acts: Sequence[Act]) -> tuple[list[Told], list[Told]]:
    """The goals to build and to install that documents tell instead of plain `make` and `make install`, in their order.

    A plain call before any other says that no goal is needed; an installation into one's own folder is for nobody else.
    """
    building: list[Told] = []
    installing: list[Told] = []
    for act in acts:
        if act.words[0] != "make" or not act.sure:
            continue
        goals = [word for word in act.words[1:] if word in made.targets and GOAL.fullmatch(word)]
        other = [word for word in act.words[1:] if "=" not in word and not word.startswith("-") and word not in goals]
        if act.kind == "install":
            installing += [Told(goal, act.cause) for goal in goals if "install" in goal]
        elif not goals and not other and not building:
            building = [Told("", act.cause)]
        elif goals and not other and not installing:
            building += [Told(goal, act.cause) for goal in goals if is_goal(made, goal)]
    building = [] if building and not building[0].goal else building
    plain = [one for one in installing if one.goal == "install"]
    if plain and not installs_at_home(made, "install"):
        installing = []
    return building, [one for one in installing if one.goal != "install"]


def is_goal(made: Makefile, goal: str) -> bool:
    """Whether it builds something that plain `make` does not."""
    aside = NO_GOALS.fullmatch(goal) or IDLE.search(goal) or OTHERS.search(goal)
    return not aside and goal not in reached(made, made.first)


def installs_at_home(made: Makefile, goal: str) -> bool:
    lines = " ".join(line for _, line in made.targets[goal].recipe) if goal in made.targets else ""
    return any(home in lines for home in HOMES)


def makefile_name(ground: Ground, folder: str, told: Sequence[Words]) -> str:
    """The one that documents name with `-f` wherever they call make, else the usual names."""
    names = ground.folders.get(folder, ())
    acts = [act for act in walk(ground) if act.words[0] == "make" and act.folder == folder]
    named = {value for act in acts for flag, value in pairwise(act.words) if flag == "-f" and PLAIN.fullmatch(value)}
    if len(named) == 1 and named <= set(names) and all("-f" in act.words for act in acts):
        return named.pop()
    if found := next((name for name in NAMES if name in names), ""):
        return found
    for one in of_tool(told, "make", "gmake"):
        for flag, value in pairwise(one.rest):
            if flag == "-f" and value in names:
                return value
    return next(
        (name for name in sorted(names) if re.fullmatch(r"(?i)makefile\.(?:linux|unix|gcc|gnu)\w*", name)), "Makefile"
    )


def goals_of(made: Makefile, told: Sequence[Words]) -> tuple[list[str], str]:
    """Nothing where plain `make` builds; else the goal that does."""
    first = made.first
    if not first or not UNHELPFUL.match(first) or made.targets[first].needs:
        return [], ""
    for one in of_tool(told, "make", "gmake"):
        for word in one.rest:
            if word in made.targets and GOAL.fullmatch(word) and word not in ("install", "clean", "check", "test"):
                return [word], f"plain make only says: {first}"
    for goal in ("all", *PLATFORMS):
        if goal in made.targets:
            return [goal], f"plain make only says: {first}"
    return [], ""


def told_variables(made: Makefile, told: Sequence[Words]) -> tuple[list[str], tuple[Evidence, ...]]:
    """Variables that every told call of make gives, but those of places."""
    calls = [one for one in of_tool(told, "make", "gmake") if "clean" not in one.rest]
    if not calls:
        return [], ()
    each = [
        {word for word in one.rest if GIVEN.fullmatch(word) and not FILLED_IN.search(word) and not IDLE.search(word)}
        for one in calls
    ]
    kept = [word for word in calls[0].rest if all(word in others for others in each)]
    plain = [word for word in kept if not TOLD_PLACES.search(word.partition("=")[0])]
    return plain, (calls[0].cause,) if plain else ()


def unroot(made: Makefile, name: str) -> list[Step]:
    """Edits of the Makefile where `install` names system folders outright, or does what only root may."""
    edits: list[str] = []
    causes: list[Evidence] = []
    for number, _ in fixed_places(made):
        if not any("/usr/" in one for one in edits):
            edits.append(rf"s,/usr/\(local/\)\?\(bin\|sbin\|lib\|include\|share\|man\),{PREFIX}/\2,g")
        causes.append(at(made.path, number))
    for number, what, line in wants_root(made):
        if what == "ldconfig" and "/ldconfig/d" not in edits and not re.search(r"[;&|]|\\$", line):
            edits.append("/ldconfig/d")
        elif what == "ldconfig":
            edits.append(r"s,[^ ;&]*ldconfig,: ldconfig,g")
        elif OWNERS not in edits:
            edits.append(OWNERS)
        causes.append(at(made.path, number))
    if not edits:
        return []
    words = " ".join(f"-e '{one}'" for one in dict.fromkeys(edits))
    return [Step(f"sed -i {words} {shlex.quote(name)}", "prepare", tuple(causes), "install writes where only root may")]


def forgotten(ground: Ground, folder: str, made: Makefile) -> list[Step]:
    """Headers, libraries and programs that the Makefile makes and does not install."""
    start = f"{folder}/" if folder else ""
    libraries: dict[str, Evidence] = {}
    tools: dict[str, Evidence] = {}
    first = made.targets.get(made.first)
    for name, target in made.targets.items():
        cause = at(target.file, target.line, f"{name}:")
        if LIBRARY.match(name) and "\0" not in name:
            libraries[name] = cause
        elif (
            first
            and name in first.needs
            and re.fullmatch(r"[\w.+-]+", name)
            and target.recipe
            and "." not in name
            and not name.startswith("test")
        ):
            compiles = any(re.search(r"-o\s*(?:\$@|" + re.escape(name) + r"\b)", line) for _, line in target.recipe)
            if compiles:
                tools[name] = cause
    built = reached(made, made.first)
    for name in sorted(built):  # made by a recipe under another target's name
        for number, line in made.targets[name].recipe:
            for found in ARCHIVED.finditer(made.expand(line)):
                libraries.setdefault(found[1] or found[2], at(made.targets[name].file, number, line))
                built.add(found[1] or found[2])
    goals = [] if built & set(libraries) else [name for name in libraries if "$" not in name][:4]
    libraries = {name: cause for name, cause in libraries.items() if name in built or name in goals}
    tools = {name: cause for name, cause in tools.items() if not SPARE.search(name)}
    if tools and not libraries and not calls_itself_library(ground):  # a program: its headers are its own
        return install_tools(list(tools), next(iter(tools.values())))
    steps = []
    for step in install_headers(ground, folder):
        command = step.command.replace(f" {start}", " ") if start else step.command
        steps.append(Step(command, step.does, step.causes, step.why))
    if steps and not libraries:
        return [
            *steps,
            *make_library(ground, folder, " ".join([*built, *PATTERNS.findall(" ".join(made.texts.values()))])),
            *install_tools(list(tools), at(made.path)),
        ]
    if goals:
        steps.insert(0, Step(f"make {' '.join(goals)}", "build", (libraries[goals[0]],), "plain make leaves it out"))
    steps += install_libraries(list(libraries), next(iter(libraries.values()), at(made.path)))
    return [*steps, *install_tools(list(tools), next(iter(tools.values()), at(made.path)))]


PATTERNS = re.compile(r"%\.o|\.c\.o")
ARCHIVED = re.compile(r"\bar\s+-?[a-zA-Z]+\s+([\w./-]+\.a)\b|-o\s*([\w./-]*lib[\w.-]+\.so[\w.]*)")
FURTHER = re.compile(r"install[-_](?:headers?|libs?|dev(?:el)?|library|includes?|pc|pkgconfig)|dev-install")


def further_goals(made: Makefile) -> list[str]:
    """Install targets for headers and libraries that `install` leaves out."""
    whole = reached(made, "install")
    return [name for name in made.targets if FURTHER.fullmatch(name) and name not in whole]


def reached(made: Makefile, goal: str) -> set[str]:
    """Targets that a goal makes, and those that they make."""
    found: set[str] = set()
    waiting = [goal]
    while waiting:
        name = waiting.pop()
        if name not in found and name in made.targets:
            found.add(name)
            waiting += made.targets[name].needs
    return found


def calls_itself_library(ground: Ground) -> bool:
    readme = next((path for path in sorted(ground.files) if re.match(r"(?i)readme", path)), "")
    return bool(re.search(r"(?i)\blibrar|\broutines\b", ground.text(readme)[:4_000]))
