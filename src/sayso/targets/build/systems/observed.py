"""What the policy of `pipeline` sees of a tree when it decides on a move: files, the Makefile, the way so far.

Observations are words; the policy pairs each with the name of a move. None of them runs anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sayso.targets.build.planning.make import all_overrides, forgotten, makefile_name, unroot
from sayso.targets.build.planning.makefile import Makefile, assigned, destinations, overrides, read_makefile
from sayso.targets.build.planning.plan import Ground, inside
from sayso.targets.build.planning.walk import Act

BESIDE = ("configure", "configure.ac", "CMakeLists.txt", "Makefile", "meson.build", "Makefile.PL", "setup.py")
GOAL = re.compile(r"[A-Za-z][\w./+-]*")


@dataclass(frozen=True)
class Seen:
    """A folder of the tree: which files of build systems stand there, and what its Makefile, if any, would do."""

    files: tuple[str, ...]
    facts: tuple[str, ...]
    targets: frozenset[str]
    places: tuple[str, ...]
    """Variables, as words of the shell, that lead `install` below the prefix."""
    edits: tuple[str, ...]
    """Commands that take out of the Makefile what only root may do."""
    by_hand: tuple[str, ...]
    """Commands that install what no rule does."""


class Sight:
    """A tree, each folder of which is looked at once."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.seen: dict[str, Seen] = {}

    def of(self, folder: str) -> Seen:
        if folder not in self.seen:
            self.seen[folder] = seen_in(self.ground, folder)
        return self.seen[folder]


def seen_in(ground: Ground, folder: str) -> Seen:
    files = tuple(name for name in BESIDE if ground.has(inside(folder, name)))
    name = makefile_name(ground, folder, ())
    path = inside(folder, name)
    if not ground.has(path):
        return Seen(files, ("no Makefile",), frozenset(), (), (), ())
    made = read_makefile(path, ground.text)
    edits = tuple(step.command for step in unroot(made, name))
    by_hand = tuple(step.command for step in forgotten(ground, folder, made))
    places = tuple(assigned(key, value) for key, (value, _) in all_overrides(ground, made).items())
    facts = tuple(facts_of(made, places, edits, by_hand))
    return Seen(files, facts, frozenset(made.targets), places, edits, by_hand)


def facts_of(made: Makefile, places: Sequence[str], edits: Sequence[str], by_hand: Sequence[str]) -> Iterator[str]:
    yield "installs" if "install" in made.targets else "no install rule"
    yield "places can be moved" if places else "no place to move"
    if edits:
        yield "install wants root"
    if by_hand:
        yield "something to install by hand"
    if "install" in made.targets and not overrides(made) and any(destinations(made, "install")):
        yield "install is below the prefix"
    text = made.texts.get(made.path, "")
    yield from (f"reads {name}" for name in ("PREFIX", "prefix", "DESTDIR") if re.search(rf"\$[({{]{name}\b", text))


def said_of(act: Act) -> Iterator[str]:
    """What an instruction itself says."""
    yield "sure" if act.sure else "maybe"
    name = act.cause.file.rpartition("/")[2].lower()
    yield "of README" if name.startswith("readme") else "of INSTALL" if name.startswith("install") else "of another"
    if act.folder:
        yield "below"
    if act.words[0] == "make":
        yield from ("plain",) if len(act.words) == 1 else ()
        yield from ("chooses a place",) if any(re.match(r"(?i)prefix=|destdir=", word) for word in act.words) else ()


def goals_of(act: Act) -> list[str]:
    return [word for word in act.words[1:] if GOAL.fullmatch(word)] if act.words[0] == "make" else []
