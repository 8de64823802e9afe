"""What this machine lacks for a plan: programs of its steps, packages that it needs, and one line that installs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from sayso.targets.build.handing.answer import Answer, packages

STATUS = Path("/var/lib/dpkg/status")
BUILTIN = frozenset(
    (
        "cd",
        "sh",
        "set",
        "export",
        ":",
        "true",
        "test",
        "[",
        "mkdir",
        "cp",
        "rm",
        "ln",
        "touch",
        "sed",
        "install",
        "find",
    )
)
PROVIDED = {
    "autoreconf": "autoconf automake libtool",
    "make": "make",
    "cmake": "cmake",
    "meson": "meson",
    "ninja": "ninja-build",
    "perl": "perl",
    "pip3": "python3-pip",
    "python3": "python3",
    "cargo": "cargo",
    "go": "golang-go",
    "npm": "npm",
    "mvn": "maven",
    "gradle": "gradle",
    "ant": "ant",
    "cabal": "cabal-install",
    "runhaskell": "ghc",
    "dune": "ocaml-dune",
    "scons": "scons",
    "qmake": "qtbase5-dev",
    "gem": "ruby",
    "bash": "bash",
    "gcc": "gcc",
    "g++": "g++",
    "pkg-config": "pkg-config",
}
COMPILES = {"autotools": "gcc", "cmake": "g++", "meson": "gcc", "make": "gcc"}


@dataclass(frozen=True)
class Missing:
    programs: tuple[str, ...]
    packages: tuple[str, ...]
    known: bool
    """Whether this machine has a list of packages at all."""

    @property
    def install(self) -> str:
        """One line that installs everything; "" where nothing is missing."""
        names = [word for one in self.programs for word in PROVIDED.get(one, one).split()]
        wanted = list(dict.fromkeys([*names, *self.packages]))
        return f"sudo apt-get install {' '.join(wanted)}" if wanted else ""


def programs_of(answer: Answer) -> list[str]:
    found: dict[str, None] = {}
    for step in answer.plan.steps:
        for part in re.split(r"&&|\|\||;", step.command):
            words = [word for word in part.split() if not re.match(r"[A-Za-z_]\w*=", word)]
            if words and re.fullmatch(r"[\w.+-]+", words[0]) and words[0] not in BUILTIN:
                found[words[0]] = None
    if compiler := COMPILES.get(answer.plan.system):
        found[compiler] = None
    return list(found)


def installed_packages(status: Path = STATUS) -> frozenset[str] | None:
    """Names that dpkg has; None on a machine without it."""
    try:
        text = status.read_text("utf-8", errors="replace")
    except OSError:
        return None
    found: set[str] = set()
    for record in text.split("\n\n"):
        fields = dict(re.findall(r"^(Package|Status|Provides): (.*)$", record, re.M))
        if fields.get("Status", "").endswith(" installed"):
            found.add(fields["Package"])
            found.update(re.sub(r"\s*\(.*", "", one).strip() for one in fields.get("Provides", "").split(","))
    return frozenset(found)


def missing_here(
    answer: Answer,
    which: Callable[[str], str | None] = shutil.which,
    installed: Iterable[str] | None = None,
) -> Missing:
    have = installed_packages() if installed is None else frozenset(installed)
    programs = tuple(one for one in programs_of(answer) if which(one) is None)
    wanted = packages(answer.depends, "build")
    lacking = () if have is None else tuple(one for one in wanted if one not in have)
    return Missing(programs, lacking, have is not None)
