"""What a repair starts from: the command that failed, what it said, and what lies around it on this machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sayso.english.constants import word_set
from sayso.english.spelling import likelihood, slips
from sayso.targets.bash.knowledge.utilities import Find, Utility, find_subcommand, find_utility
from sayso.targets.bash.syntax.line_edits import Line, read_line
from sayso.targets.bash.syntax.tree import Command, Word, commands


def nothing_there(folder: str) -> Sequence[str]:
    return ()


def unreadable(path: str) -> str:
    return ""


@dataclass(frozen=True)
class Failure:
    """A command line with its exit code and what it wrote to standard error, as far as they are known."""

    command: str
    exit_code: int | None = None
    stderr: str = ""


@dataclass(frozen=True)
class Surroundings:
    """What may be looked at, never changed: programs that can be run, names in a folder (folders end in /), texts."""

    programs: Collection[str] = frozenset()
    names: Callable[[str], Sequence[str]] = nothing_there
    text: Callable[[str], str] = unreadable
    find: Find = find_utility


@dataclass(frozen=True)
class Repair:
    """A new command line, why it may work, and how sure that is."""

    text: str
    why: str
    sure: float


@dataclass(frozen=True)
class Scene:
    failure: Failure
    here: Surroundings = field(default_factory=Surroundings)

    @property
    def text(self) -> str:
        return self.failure.command

    @property
    def said(self) -> str:
        return self.failure.stderr

    @cached_property
    def line(self) -> Line | None:
        return read_line(self.text, self.here.find)

    @cached_property
    def commands(self) -> tuple[Command, ...]:
        """Every command in it, inner ones last where they are the same words."""
        return tuple(commands(self.line.script)) if self.line else ()

    def named(self, *utilities: str) -> Iterator[Command]:
        """The commands of these utilities."""
        return (one for one in self.commands if one.utility in utilities)

    def heard(self, pattern: str) -> re.Match[str] | None:
        """Where standard error says so, whatever quotes it uses."""
        return re.search(pattern, self.plain, re.M)

    @cached_property
    def plain(self) -> str:
        """Standard error with every kind of quote as '."""
        return re.sub(r"[`‘’´]", "'", self.said)

    def entry(self, command: Command) -> Utility | None:
        """What is known of the utility, or of the sub-command."""
        words = [word.value or "" for word in command.words[1:] if not word.text.startswith("-")]
        return find_subcommand(command.utility, words, self.here.find) or self.here.find(command.utility)

    def word(self, value: str) -> Word | None:
        """The word of this value, the last one where there are several."""
        found = [word for one in self.commands for word in one.words if word.value == value]
        return found[-1] if found else None

    def is_there(self, path: str) -> bool:
        folder, _, name = path.removeprefix("./").rstrip("/").rpartition("/")
        return bool(name) and not {name, f"{name}/"}.isdisjoint(self.here.names(folder or "."))

    def replaced(self, word: Word, new: str) -> str:
        return self.text[: word.start] + new + self.text[word.end :]


Rule = Callable[[Scene], Iterator[Repair]]

# Among names that are equally near, the one that people type more often is meant.
BY_USE = """
git ls cd cat grep sudo rm cp mv find mkdir python python3 docker ssh vim echo make curl less tail head tar man
apt pip npm chmod ps kill df du sed awk sort wc nano touch top htop systemctl ping wget which history clear exit
chown ln diff scp rsync unzip zip node cargo go tmux screen apt-get kubectl terraform journalctl mount umount
rmdir tree xargs uniq cut tr tee whoami pwd date env export source watch free uname file stat brew yarn java gcc
install update upgrade status commit push pull checkout add branch merge log clone build run test start stop
restart exec images logs
"""
COMMON = {name: at for at, name in enumerate(BY_USE.split())}
BUILTINS = word_set(
    """
    alias bg cd command declare dirs echo eval exec exit export false fg getopts hash help history jobs kill let local
    popd printf pushd pwd read readonly return set shift source test time times trap true type ulimit umask unalias
    unset wait
    """
)


def near(typed: str, known: Collection[str], most: int = 3) -> list[str]:
    """Those of `close` that stand for themselves: a name with a dash would be read as a flag."""
    return close(typed, [name for name in known if typed.startswith("-") or not name.startswith("-")], most)


def close(typed: str, known: Collection[str], most: int = 3) -> list[str]:
    """Names that a slip of the fingers turns into what was typed, the likeliest first: gti -> git."""
    if not typed:
        return []
    allowed = 1 if len(typed) < 4 else 2
    low = typed.lower()
    found = []
    for name in known:
        if name == typed or abs(len(name) - len(typed)) > 2:
            continue
        distance = 0 if name.lower() == low else slips(low, name.lower())
        if len(typed) < 3 and len(name) == len(typed) and sorted(low) != sorted(name.lower()):
            continue  # two letters of which one is another: `rg` is not `rm`
        if distance <= allowed and (len(name) > 2 or distance < 2):
            rank = COMMON.get(name, len(COMMON))
            likely = likelihood(low, name.lower()) if distance else 2.0
            found.append((distance - (0.5 if sorted(low) == sorted(name.lower()) else 0), rank, -likely, name))
    return [name for *_, name in sorted(found)][:most]
