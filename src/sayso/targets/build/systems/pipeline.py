"""The paper's `pipeline` (§5): classifier of documents, chain of lines, and a policy from instructions to actions.

The policy is that of Branavan et al. (2009): log-linear over what an instruction says, what the tree looks like
(`observed.py`) and what was done so far. It goes through the instructions in their order and does each as written,
with our prefix, with the places of its Makefile moved, or not at all; then it goes on with moves that no document tells
until it stops. Its weights are learnt from rewards alone (`experiments/build_pipeline.py`); without weights it does all
instructions as they are written and stops: the system `pipeline-untrained`. What a document tells is done only where
the planner would do it too (`is_allowed`); the rest can only be passed over.
"""

from __future__ import annotations

import gzip
import json
import math
import posixpath
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from sayso.core.types import Request, Workspace
from sayso.targets.build.planning.guard import refusal
from sayso.targets.build.planning.plan import PREFIX, Ground, entered, inside
from sayso.targets.build.planning.walk import INTERPRETERS, LEADS_OUT, PLAIN, Act, in_tree, is_plain_make, walk
from sayso.targets.build.systems.observed import Seen, Sight, goals_of, said_of
from sayso.targets.build.systems.planned import ground_of

WEIGHTS = Path(__file__).parents[1] / "data" / "pipeline.json.gz"

MOST_TOLD, MOST_MORE = 24, 6
"""Instructions that are looked at, and moves beyond them."""
TO_PREFIX: Mapping[str, tuple[str, ...]] = {
    "configure": (f"--prefix={PREFIX}",),
    "cmake": (f"-DCMAKE_INSTALL_PREFIX={PREFIX}",),
    "meson": (f"--prefix={PREFIX}",),
    "make": (f"PREFIX={PREFIX}", f"prefix={PREFIX}"),
}
MORE: Mapping[str, str] = {
    "bootstrap": "autoreconf -fi",
    "configure": f"./configure --prefix={PREFIX}",
    "cmake": f"cmake -DCMAKE_INSTALL_PREFIX={PREFIX} .",
    "edit": "",
    "make": "make",
    "make-install": "make install",
    "make-install-prefix": f"make install PREFIX={PREFIX} prefix={PREFIX}",
    "make-install-places": "",
    "by-hand": "",
    "perl": "perl Makefile.PL",
    "pip": "pip3 install --no-index --no-deps --no-build-isolation --break-system-packages .",
}
"""Moves that need no instruction, by name; those without a command take it from what is seen of the Makefile."""
NEEDS: Mapping[str, tuple[str, ...]] = {
    "bootstrap": ("configure.ac", "configure.in"),
    "configure": ("configure", "configure.ac", "configure.in"),
    "cmake": ("CMakeLists.txt",),
    "perl": ("Makefile.PL",),
    "pip": ("setup.py", "pyproject.toml"),
}
"""Files of which a move needs one at the top; those of make may also come of a move before."""
STOP = "stop"
PLACES = ("--prefix", "PREFIX=", "prefix=", "DESTDIR=", "-DCMAKE_INSTALL_PREFIX")
"""How words begin that say where to install to: a place of our own stands for them."""
OPTIONS: Mapping[str, re.Pattern[str]] = {
    "cmake": re.compile(r"-D\w+(?::\w+)?=[\w.+-]*|-[SB]|--build|--install|--target|-j\d*|\w[\w./+-]*|\."),
    "meson": re.compile(r"-D[\w:-]+=[\w.+-]*|--(?:buildtype|default-library)=\w+|-C|\w[\w./+-]*|\."),
    "ninja": re.compile(r"-C|-j\d*|\w[\w./+-]*"),
    "pip": re.compile(r"install|\.|--no-index|--no-deps|--no-build-isolation|--break-system-packages|--user"),
}
"""Words that a tool may be called with as a document has them: none that runs or reads another file."""
RUN_BY_PLANNERS = frozenset({"configure", "Makefile.PL", "Build.PL", "setup.py"})
"""Scripts of a tree that planners call without reading them first."""


@dataclass(frozen=True)
class Move:
    """What can be done in a state: its name for the policy, and the line of the script that it is, if any."""

    name: str
    command: str = ""


Weights = Mapping[str, float]
Choose = Callable[[Sequence[Move], Sequence[Sequence[str]]], int]
"""Moves and the features of each -> the one to make."""


def tool_of(act: Act) -> str:
    name = act.words[0].rpartition("/")[2]
    return name if name in TO_PREFIX or name in ("pip", "pip3", "perl", "python3", "ninja", "cp") else act.kind


def called(act: Act) -> Act:
    """A configure that a sentence names is the one of the tree: a shell looks for it nowhere else."""
    return replace(act, words=("./configure", *act.words[1:])) if act.words[0] == "configure" else act


def moves_told(ground: Ground, act: Act, seen: Seen | None = None) -> list[Move]:
    """As written, with the prefix or the places where the tool has them, or not at all; from the top of the tree."""
    if act.kind == "set":
        return [Move("as written", f"export {act.words[0]}"), Move("skip")]
    act = called(act)
    moves = [Move("as written", placed(act.command, act.folder))] if is_allowed(ground, act, act.words) else []
    words = tuple(word for word in act.words if not word.startswith(PLACES))
    extra = TO_PREFIX.get(tool_of(act))
    if extra and is_allowed(ground, act, words):
        moves.append(Move("with prefix", placed(shlex.join([*act.settings, *words, *extra]), act.folder)))
        if seen and seen.places and act.words[0] == "make":
            command = " ".join([shlex.join([*act.settings, *words]), *seen.places])
            moves.append(Move("with places", placed(command, act.folder)))
    return [*moves, Move("skip")]


def is_allowed(ground: Ground, act: Act, words: Sequence[str]) -> bool:
    """Whether a call can do no more than the tree's own build: what the planner would plan as it is written, or a tool
    of a build system on the tree, with options that lead nowhere else."""
    if refusal(shlex.join(words)) or not all(PLAIN.fullmatch(word) for word in words):
        return False
    if act.checked and tuple(words) == act.words:
        return True
    name, rest = words[0], words[1:]
    if name == "make":
        return is_plain_make(replace(act, words=tuple(words)))
    if any(LEADS_OUT.search(word) for word in rest):
        return False
    if options := OPTIONS.get(name.removesuffix("3")):
        return all(map(options.fullmatch, rest))
    called = next((word for word in words[name in INTERPRETERS :]), "")
    if posixpath.basename(called) not in RUN_BY_PLANNERS:
        return False
    is_made = posixpath.normpath(called) == "configure" and any(
        ground.has(inside(act.folder, source)) for source in ("configure.ac", "configure.in")
    )
    return bool(in_tree(ground, act.folder, called)) or is_made


def placed(command: str, folder: str) -> str:
    return f"({entered(folder)} && {command})" if folder else command


def features(act: Act | None, move: Move, done: Sequence[str], seen: Seen, left: int) -> list[str]:
    """What speaks for a move: its name with the instruction, with the tree, and with what was done."""
    name, what = move.name, f"{tool_of(act)} {act.kind}" if act else "more"
    last = done[-1] if done else "nothing"
    views = [what, f"{what} after {last}", *(f"{what} by {one}" for one in (*seen.files, *seen.facts))]
    views += [f"{what} done {one}" for one in sorted(set(done))]
    views += [f"{what} with {', '.join(sorted(set(done))) or 'nothing'} done"]
    if act:
        said = list(said_of(act))
        views += [one for each in said for one in (each, f"{what} {each}")]
        goals = goals_of(act)
        views += ["goal that is no target"] if goals and seen.targets and not set(goals) <= seen.targets else []
        views += [f"{what} goal {goal}" for goal in goals]
        views += [f"{what} again"] if f"{tool_of(act)} {act.kind}" in done else []
        views += [f"{what} first"] if not done else []
    else:
        views += [f"{what}, nothing was told"] if not left else []
    return ["bias " + name, *(f"{name} | {view}" for view in views)]


def script_by(sight: Sight, choose: Choose, acts: Sequence[Act] | None = None) -> str:
    """The script that a way to choose leads to."""
    ground = sight.ground
    lines: list[str] = []
    done: list[str] = []
    told = [act for act in (walk(ground) if acts is None else acts) if act.kind != "enter"][:MOST_TOLD]
    for act in told:
        seen = sight.of(act.folder)
        moves = moves_told(ground, act, seen)
        if len(moves) < 2 or any(move.command in lines for move in moves):
            continue  # nothing to decide, or decided before
        move = moves[choose(moves, [features(act, one, done, seen, len(told)) for one in moves])]
        if move.command:
            lines.append(move.command)
            done.append(f"{tool_of(act)} {act.kind}")
    top = sight.of("")
    for _ in range(MOST_MORE):
        offers = ((name, further(name, top)) for name in offered(ground, done, top))
        moves = [Move(STOP), *(Move(name, command) for name, command in offers if command and command not in lines)]
        move = moves[choose(moves, [features(None, one, done, top, len(told)) for one in moves])]
        if move.name == STOP:
            break
        lines.append(move.command)
        done.append(move.name)
    return "\n".join(lines)


def further(name: str, seen: Seen) -> str:
    """The command of a move that no document tells."""
    if name == "edit":
        return "\n".join(seen.edits)
    if name == "by-hand":
        return "\n".join(seen.by_hand)
    return " ".join(["make install", *seen.places]) if name == "make-install-places" and seen.places else MORE[name]


def offered(ground: Ground, done: Sequence[str], seen: Seen) -> list[str]:
    """Moves beyond the instructions that the tree, or what was done, has the files for."""
    has_makefile = bool(done) or "Makefile" in seen.files or bool(seen.targets)
    return [name for name in MORE if (any(map(ground.has, NEEDS[name])) if name in NEEDS else has_makefile)]


@cache
def learnt_weights() -> Weights:
    """The policy that comes with the package."""
    told: dict[str, float] = json.loads(gzip.decompress(WEIGHTS.read_bytes()))["weights"]
    return told


def chances(weights: Weights, each: Sequence[Sequence[str]]) -> list[float]:
    sums = [sum(weights.get(name, 0.0) for name in names) for names in each]
    most = max(sums)
    powers = [math.exp(one - most) for one in sums]
    return [one / sum(powers) for one in powers]


def greedy(weights: Weights) -> Choose:
    """The likeliest move, of equal ones the first: as written, and stop."""

    def choose(moves: Sequence[Move], each: Sequence[Sequence[str]]) -> int:
        likely = chances(weights, each)
        return max(range(len(moves)), key=lambda at: (likely[at], -at))

    return choose


@dataclass(frozen=True)
class Acting:
    """The script stage: the likeliest moves of a policy on the instructions that the stages before found."""

    workspace: Workspace
    weights: Weights

    def __call__(self, request: Request, before: Mapping[str, str]) -> str:
        return script_by(Sight(ground_of(self.workspace, request, before)), greedy(self.weights))
