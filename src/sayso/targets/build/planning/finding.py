"""Which build systems a tree holds and where: a table of the files that each is known by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sayso.targets.build.planning.plan import Ground

KNOWN_BY: dict[str, tuple[str, ...]] = {
    "autotools": ("configure", "configure.ac", "configure.in"),
    "cmake": ("CMakeLists.txt",),
    "meson": ("meson.build",),
    "make": (
        *("GNUmakefile", "makefile", "Makefile", "Makefile.linux", "Makefile.unix", "makefile.unix", "Makefile.gcc"),
        *("makefile.gcc", "Makefile.gnu", "makefile.linux"),
    ),
    "perl": ("Makefile.PL", "Build.PL"),
    "python": ("pyproject.toml", "setup.py"),
    "cargo": ("Cargo.toml",),
    "go": ("go.mod",),
    "node": ("package.json",),
    "maven": ("pom.xml",),
    "gradle": ("build.gradle", "build.gradle.kts"),
    "ant": ("build.xml",),
    "cabal": ("Setup.hs", "Setup.lhs", "cabal.project"),
    "ocaml": ("dune-project",),
    "scons": ("SConstruct",),
    "waf": ("wscript",),
    "ruby": ("Rakefile",),
}
ENDINGS = {"cabal": ".cabal", "qmake": ".pro", "ruby": ".gemspec"}
ASIDE = re.compile(
    r"(?i)(?:^|/)(?:tests?|testing|testsuite|examples?|samples?|demos?|docs?|doc|contrib|extras?|third[-_]?party|3rdparty|vendor|"
    r"external|externals|deps|subprojects|bench(?:marks?)?|fuzz(?:ing)?|win(?:32|64|dows)?|msvc|vc\w*|visualc|macosx?|osx|ios|"
    r"android|debian|packaging|pkg|rpm|scripts?|tools?|ci|\.\w+|node_modules|m4|po|man|build-aux|gnulib\w*|t)(?:/|$)"
)
QMAKE = re.compile(r"(?m)^[ \t]*(?:TEMPLATE|SOURCES|SUBDIRS)\s*\+?=")
DEEPEST = 3


@dataclass(frozen=True)
class Found:
    """A build system in a folder, by the file that tells of it."""

    system: str
    folder: str
    file: str


def systems_in(ground: Ground, folder: str) -> Iterator[Found]:
    names = set(ground.folders.get(folder, ()))
    for system, files in KNOWN_BY.items():
        if name := next((one for one in files if one in names), ""):
            yield Found(system, folder, f"{folder}/{name}" if folder else name)
    for system, ending in ENDINGS.items():
        if name := next((one for one in sorted(names) if one.endswith(ending)), ""):
            if system == "qmake" and not QMAKE.search(ground.text(f"{folder}/{name}" if folder else name)):
                continue
            yield Found(system, folder, f"{folder}/{name}" if folder else name)


def find_systems(ground: Ground, top: str = "") -> list[Found]:
    """Of the folder itself; where it has none, of the nearest folders below that are no tests and no examples."""
    here = list(systems_in(ground, top))
    if here:
        return here
    start = f"{top}/" if top else ""
    folders = sorted(
        (folder for folder in ground.folders if folder.startswith(start) and folder != top),
        key=lambda folder: (folder.count("/"), folder),
    )
    nearest: list[Found] = []
    depth = -1
    for folder in folders:
        rest = folder.removeprefix(start)
        if rest.count("/") >= DEEPEST or ASIDE.search(rest):
            continue
        if nearest and folder.count("/") > depth:
            break
        found = list(systems_in(ground, folder))
        if found:
            nearest += found
            depth = folder.count("/")
    return nearest
