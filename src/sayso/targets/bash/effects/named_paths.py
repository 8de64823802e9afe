"""Where a command leads by its words, before it is run: the paths outside the folder that it names, and whether some
of its words are known only when it runs. Too many paths do no harm, too few may."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from sayso.core.errors import BadInstruction
from sayso.targets.bash.effects.risk import risk_of
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import (
    Block,
    Command,
    Compound,
    Expansion,
    Flag,
    InnerScript,
    Literal,
    Node,
    Operand,
    Script,
    Word,
    children,
    inner_commands,
    substitutions,
)

# Types of words that name no file: what looks like a path in them is none.
NO_PATHS = ("Regex", "Program", "Format", "Permission", "Number", "Size", "Marker", "String", "Script")
BINDS = ("read", "mapfile", "readarray", "xargs", "parallel")
"""They take words from what is read, which nobody knows yet."""
VARIABLE = re.compile(r"\$\{?(\w+)\}?")
# In text that another program reads, or that does not parse: all that may be a path out of here.
LOOKS_LIKE_A_PATH = re.compile(
    r"(?<![\w.~}])(?:~[\w+-]*|\.\.|\$HOME|\$\{HOME\}|)(?:/[^\s'\"`;|&<>()$*?\[{},:]*)+|~|\.\."
)
MOST_MATCHES, MOST_BASES = 1000, 8


@dataclass(frozen=True)
class Reach:
    """`named` are paths outside that exist, or whose folder does; `is_open` where not all can be told; `level` is the
    command's risk; `strangers` are homes of others (`~bob`), whom the sandbox does not know."""

    named: tuple[Path, ...]
    is_open: bool
    level: str
    strangers: tuple[Path, ...] = ()

    @property
    def acts(self) -> bool:
        return self.level != "reads"


def reach(command: str, folder: Path, home: Path, variables: Mapping[str, str]) -> Reach:
    level = risk_of(command).level
    walk = Walk(folder, home, {**variables, "HOME": str(home), "PWD": str(folder)})
    try:
        walk.into(parse(command))
    except BadInstruction:
        walk.is_open = True
    if level == "unknown" or walk.is_open:
        walk.is_open = True
        for found in LOOKS_LIKE_A_PATH.findall(command):
            text = found.replace("${HOME}", str(home)).replace("$HOME", str(home))
            path = folder / unescaped(tilde(text, walk))
            if os.path.lexists(path):
                walk.add(path)
    return Reach(tuple(walk.named), walk.is_open, level, tuple(walk.strangers))


def is_dir(path: Path) -> bool:
    """Whether it is a folder and we may know it: pathlib would raise where a folder above is closed."""
    return os.path.isdir(path)  # noqa: PTH112


def used_variables(command: str, environment: Mapping[str, str]) -> dict[str, str]:
    """Those of the environment that a command names; what programs are found by, and the shell's own, stay out."""
    names = {*VARIABLE.findall(command), *(("OLDPWD",) if re.search(r"\bcd +-|~-", command) else ())}
    barred = {"PATH", "HOME", "PWD", "IFS", "ENV", "SHELLOPTS", "BASHOPTS"}
    return {
        name: environment[name]
        for name in sorted(names)
        if name in environment and name not in barred and not name.startswith(("LD_", "BASH_"))
    }


@dataclass
class Walk:
    """The walk over a command's tree: folders that it may stand in, variables that it has set, paths found."""

    folder: Path
    home: Path
    known: dict[str, str]
    bases: list[Path] = field(init=False)
    bound: set[str] = field(default_factory=set)
    named: dict[Path, None] = field(default_factory=dict)
    strangers: dict[Path, None] = field(default_factory=dict)
    is_open: bool = False

    def __post_init__(self) -> None:
        self.bases = [self.folder]

    def into(self, node: Node | Script) -> None:
        if isinstance(node, Command):
            self.command(node)
            for one in substitutions(node):
                self.into(one.body)
            for inner in inner_commands(node):
                self.into(inner)
            return
        if isinstance(node, Compound | Block):
            words = node.words if isinstance(node, Compound) else ()
            for word in (*words, *(one.target for one in node.redirects if one.target)):
                self.word(word)
            if isinstance(node, Compound) and node.name:
                self.bound.add(node.name)  # its values are the words above
        for child in children(node):
            self.into(child)

    def command(self, one: Command) -> None:
        for assignment in one.assignments:
            if assignment.value is not None:
                pattern, is_whole = self.spelt(assignment.value)
                self.found(pattern)
                if is_whole:
                    self.known[assignment.name] = unescaped(pattern)
        self.is_open |= one.utility in BINDS
        words = list(paths_of(one))
        for word in (*words, *(redirect.target for redirect in one.redirects if redirect.target)):
            self.word(word)
        if one.utility in ("cd", "pushd"):
            self.go([self.spelt(word)[0] for word in words if word.text != "--"] or [glob.escape(str(self.home))])
        elif turned := [
            word for flag in one.arguments if isinstance(flag, Flag) and flag.name == "-C" for word in flag.values
        ]:
            self.go([self.spelt(word)[0] for word in turned])

    def go(self, patterns: list[str]) -> None:
        """Every folder that the command may stand in from here on, with all that is in it."""
        for pattern in patterns:
            if pattern == "-":
                pattern = glob.escape(self.known.get("OLDPWD", "."))
            for base in self.bases[:]:
                for path in matches(base, pattern):
                    place = Path(os.path.realpath(path))
                    if is_dir(place) and place not in self.bases and len(self.bases) < MOST_BASES:
                        self.bases.append(place)
                        self.add(place)

    def word(self, word: Word) -> None:
        pattern, is_whole = self.spelt(word)
        self.found(pattern if is_whole else pattern[: pattern.rfind("/") + 1])
        name, sign, value = pattern.partition("=")
        if sign and re.fullmatch(r"[\w-]+", name):  # --output=../x
            self.found(tilde(value, self))

    def spelt(self, word: Word) -> tuple[str, bool]:
        """The word as a pattern of paths, what is quoted taken literally, up to what only the shell will know."""
        text = ""
        for number, part in enumerate(word.parts):
            if isinstance(part, Literal):
                some = part.text if part.quoted else part.text.replace("\\", "")
                if number == 0 and not part.quoted:
                    some = tilde(some, self)
                text += glob.escape(some) if part.quoted else some
                continue
            variable = VARIABLE.fullmatch(part.text) if isinstance(part, Expansion) else None
            if variable is None or variable[1] not in self.known:
                self.is_open |= variable is None or variable[1] not in self.bound
                return text, False
            text += glob.escape(self.known[variable[1]])
        return text, True

    def found(self, pattern: str) -> None:
        """Note all paths that a pattern stands for."""
        if pattern:
            for base in self.bases:
                for path in matches(base, pattern):
                    self.add(Path(path))

    def add(self, path: Path) -> None:
        """Where it lies, and where it leads if it is a link."""
        for one in {Path(os.path.realpath(path.parent), path.name), Path(os.path.realpath(path))}:
            place = Path(os.path.normpath(one))
            if not place.is_relative_to(self.folder) and (os.path.lexists(place) or is_dir(place.parent)):
                self.named[place] = None


def paths_of(one: Command) -> Iterator[Word]:
    """Its words that may name files."""
    for argument in one.arguments:
        if isinstance(argument, Operand) and argument.type not in NO_PATHS:
            yield argument.word
        elif isinstance(argument, Flag):
            types = (*argument.types, *[""] * len(argument.values))
            yield from (word for word, type in zip(argument.values, types, strict=False) if type not in NO_PATHS)
        elif isinstance(argument, InnerScript) and argument.script is None:
            yield from argument.words


def tilde(text: str, walk: Walk) -> str:
    """~/docs -> /home/anna/docs"""
    head, slash, rest = text.partition("/")
    if not head.startswith("~"):
        return text
    own = {"~": str(walk.home), "~+": str(walk.folder), "~-": walk.known.get("OLDPWD", "~-")}
    place = own.get(head) or os.path.expanduser(head)  # noqa: PTH111  # as a shell does, it leaves what is nobody's
    if head not in own and place != head:
        walk.strangers[Path(place)] = None
    return glob.escape(place) + slash + rest


def matches(base: Path, pattern: str) -> Iterator[str]:
    """Paths on this machine; of a pattern with braces, or with too many matches, the folder that holds them all."""
    try:
        full = os.path.join(glob.escape(str(base)), pattern)  # noqa: PTH118  # keeps a slash at the end
        if not glob.has_magic(full) and "{" not in pattern:
            yield full
            return
        found = [] if "{" in pattern else list(islice(glob.iglob(full, include_hidden=True), MOST_MATCHES + 1))  # noqa: PTH207
        yield from found if 0 < len(found) <= MOST_MATCHES else [fixed_part(full)]
    except (OSError, ValueError):  # no path at all
        return


def fixed_part(pattern: str) -> str:
    """/a/b*/c -> /a"""
    parts = pattern.split("/")
    fixed = next(
        (number for number, part in enumerate(parts) if glob.has_magic(unescaped(part)) or "{" in part), len(parts)
    )
    return unescaped("/".join(parts[:fixed])) or "/"


def unescaped(pattern: str) -> str:
    return re.sub(r"\[([*?\[])\]", r"\1", pattern)
