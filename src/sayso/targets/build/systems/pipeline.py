"""The paper's `pipeline` (§5): classifier of documents, chain of lines, and a policy from instructions to actions.

The policy is that of Branavan et al. (2009): log-linear over what an instruction says and what the tree and the moves
so far look like. It goes through the instructions in their order and does each as written, with our prefix, or not at
all; then it goes on with moves that no document tells until it stops. Its weights are learnt from rewards alone
(`experiments/build_pipeline.py`); without weights it does all instructions as they are written and stops, and that is
the system of that name: no run has yet learnt weights that help. What a document tells is done only where the planner
would do it too (`is_allowed`); the rest can only be passed over.
"""

from __future__ import annotations

import math
import posixpath
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sayso.core.types import Request, Workspace
from sayso.targets.build.planning.guard import refusal
from sayso.targets.build.planning.plan import PREFIX, Ground, entered, inside
from sayso.targets.build.planning.walk import INTERPRETERS, LEADS_OUT, PLAIN, Act, in_tree, is_plain_make, walk
from sayso.targets.build.systems.planned import ground_of

MOST_TOLD, MOST_MORE = 24, 5
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
    "make": "make",
    "make-install": "make install",
    "make-install-prefix": f"make install PREFIX={PREFIX} prefix={PREFIX}",
    "perl": "perl Makefile.PL",
    "pip": "pip3 install --no-index --no-deps --no-build-isolation --break-system-packages .",
}
"""Moves that need no instruction, by name."""
NEEDS: Mapping[str, tuple[str, ...]] = {
    "bootstrap": ("configure.ac", "configure.in"),
    "configure": ("configure", "configure.ac", "configure.in"),
    "cmake": ("CMakeLists.txt",),
    "perl": ("Makefile.PL",),
    "pip": ("setup.py", "pyproject.toml"),
}
"""Files of which a move needs one at the top; those of make may also come of a move before."""
BESIDE = ("configure", "configure.ac", "CMakeLists.txt", "Makefile", "meson.build", "Makefile.PL", "setup.py")
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


def moves_told(ground: Ground, act: Act) -> list[Move]:
    """As written, with the prefix where the tool has one, or not at all; from the top of the tree."""
    if act.kind == "set":
        return [Move("as written", f"export {act.words[0]}"), Move("skip")]
    moves = [Move("as written", placed(act.command, act.folder))] if is_allowed(ground, act, act.words) else []
    words = tuple(word for word in act.words if not word.startswith(PLACES))
    extra = TO_PREFIX.get(tool_of(act))
    if extra and is_allowed(ground, act, words):
        moves.append(Move("with prefix", placed(shlex.join([*act.settings, *words, *extra]), act.folder)))
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


def features(ground: Ground, act: Act | None, move: Move, done: Sequence[str]) -> list[str]:
    """What speaks for a move: its name with the instruction, with the files beside it, and with what was done."""
    what = f"{tool_of(act)} {act.kind}" if act else "more"
    folder = act.folder if act else ""
    last = done[-1] if done else "nothing"
    found = [f"{move.name} | {what}", f"{move.name} | {what} after {last}"]
    found += [f"{move.name} | {what} by {name}" for name in BESIDE if ground.has(inside(folder, name))]
    found += [f"{move.name} | {what} done {one}" for one in sorted(set(done))]
    if act:
        found.append(f"{move.name} | {what} {'sure' if act.sure else 'maybe'}")
        found += [f"{move.name} | again"] if f"{tool_of(act)} {act.kind}" in done else []
    return found


def script_by(ground: Ground, choose: Choose, acts: Sequence[Act] | None = None) -> str:
    """The script that a way to choose leads to."""
    lines: list[str] = []
    done: list[str] = []
    for act in [act for act in (walk(ground) if acts is None else acts) if act.kind != "enter"][:MOST_TOLD]:
        moves = moves_told(ground, act)
        move = moves[choose(moves, [features(ground, act, one, done) for one in moves])]
        if move.command and move.command not in lines:
            lines.append(move.command)
            done.append(f"{tool_of(act)} {act.kind}")
    for _ in range(MOST_MORE):
        moves = [Move(STOP), *(Move(name, MORE[name]) for name in offered(ground, done) if MORE[name] not in lines)]
        move = moves[choose(moves, [features(ground, None, one, done) for one in moves])]
        if move.name == STOP:
            break
        lines.append(move.command)
        done.append(move.name)
    return "\n".join(lines)


def offered(ground: Ground, done: Sequence[str]) -> list[str]:
    """Moves beyond the instructions that the tree, or what was done, has the files for."""
    has_makefile = bool(done) or any(ground.has(name) for name in ("Makefile", "makefile", "GNUmakefile"))
    return [name for name in MORE if (any(map(ground.has, NEEDS[name])) if name in NEEDS else has_makefile)]


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
        return script_by(ground_of(self.workspace, request, before), greedy(self.weights))
