"""What a fixture is: files under the names that outputs show them by, and the shell text that completes them."""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from sayso.core.types import FileSpec
from sayso.targets.bash.executed.facts import HERE, HOME, NUMBERED, tilde

Shape = Literal["rich", "sparse", "swapped"]
SHAPES: tuple[Shape, ...] = ("rich", "sparse", "swapped")

BIND = "IO::Socket::UNIX->new(Local => shift, Listen => 1)"
STDIN = "/opt/.answers"
"""What commands read as their input: lines that begin with y, or with n in the swapped shape."""


@dataclass
class Fixture:
    """Files, what to do before the command (sizes and access times that no file spec holds), and what lies where."""

    files: dict[str, FileSpec] = field(default_factory=dict)
    sparse: dict[str, int] = field(default_factory=dict)
    accessed: dict[str, float] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    numbered: dict[tuple[str, str], str] = field(default_factory=dict)
    """Test of find and number in the command -> the file that has it: no file can be given such a number, so the
    number in the command is changed."""
    same: dict[str, str] = field(default_factory=dict)
    """Further name -> first name of one file."""
    sockets: list[str] = field(default_factory=list)
    """No file spec makes one: it is opened, bound to its name and left there."""
    opening: str = ""
    """What each shell does before its command."""
    hour: int = 12
    """Of the day on which it was made. Commands run in a time zone in which that was noon, so that what -daystart shows
    does not move with the clock."""

    def folders(self) -> set[str]:
        """Every folder, those that only stand in a path included; "." is the work folder."""
        found = {path for path, spec in self.files.items() if spec.kind == "dir"} | {"."}
        return found.union(*map(above, self.files))

    def is_made(self, path: str) -> bool:
        """Whether the prelude makes what lies at the path of a change, which is relative to the home folder."""
        at = place(posixpath.join(HOME, path))
        return at in self.sparse or at in self.same or at in self.sockets

    def prelude(self) -> str:
        """Shell text that completes the files; it prints nothing and never fails."""
        lines = [f"cd {HERE}", *(f"truncate -s {size} -- {shlex.quote(path)}" for path, size in self.sparse.items())]
        lines += [f"ln -- {shlex.quote(old)} {shlex.quote(new)}" for new, old in self.same.items()]
        lines += [f"perl -MIO::Socket::UNIX -e {shlex.quote(BIND)} {shlex.quote(path)}" for path in self.sockets]
        times: dict[float, list[str]] = {}
        for path, time in self.accessed.items():
            times.setdefault(time, []).append(shlex.quote(path))
        lines += [f"touch -m -d @{self.files[path].mtime:.0f} -- {shlex.quote(path)}" for path in self.sparse]
        lines += [f"touch -ah -d @{time:.0f} -- {' '.join(paths)}" for time, paths in times.items()]
        setup = f"{{ {'; '.join(lines)}; }} 2>/dev/null\nexport TZ=NOON{self.hour - 12}\n"
        for name, value in self.variables.items():
            if name.isidentifier():
                setup += f"export {name}={shlex.quote(value)}\n"
        for (test, number), path in self.numbered.items():
            setup += f"export {given(test, number)}=$(stat -c {NUMBERED[test]} -- {shlex.quote(path)})\n"
        numbered = [self.variables.get(str(number), "") for number in range(1, 10)]
        while numbered and not numbered[-1]:
            numbered.pop()
        if numbered:
            setup += f"set -- {' '.join(map(shlex.quote, numbered))}\n"
        return setup


def given(test: str, number: str) -> str:
    """The variable that holds the number which a file has in truth: GIVEN_inum_752010"""
    return f"GIVEN_{test.strip('-')}_{number}"


def place(path: str) -> str:
    """The name under which a path is kept: relative to the work folder where it lies in it."""
    full = full_path(tilde(path))
    return "." if full == HERE else full.removeprefix(f"{HERE}/")


def full_path(at: str) -> str:
    """The absolute path; `normpath` would keep two slashes at the start."""
    return "/" + posixpath.normpath(posixpath.join(HERE, at)).lstrip("/")


def above(at: str) -> Iterator[str]:
    """north/inner/a -> north/inner, north; of absolute paths the root is left out."""
    while (at := posixpath.dirname(at)).strip("/"):
        yield at
