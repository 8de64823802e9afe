"""The depends stage of the systems that plan: what the readers find likely, and what build files ask for by name.

A name that no index knows is spelled as Debian would spell its source: Foo::Bar is libfoo-bar-perl. What is asked for
and never there costs nothing; what is left out is not below a build that needs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from sayso.core.types import Request
from sayso.targets.build.reading.tree import SourceTree, asked_tree
from sayso.targets.build.systems.readers import say_depends

PERL = re.compile(r"(?:^|[\s'\"{(,;])(?:use|require)?\s*['\"]?(?P<name>[A-Z]\w+(?:::\w+)+)['\"]?", re.M)
MODULES = re.compile(
    r"PKG_CHECK_(?:MODULES|EXISTS)\s*\(\s*\[?\w+\]?\s*,\s*\[?(?P<names>[^\],)]+)|pkg_check_modules\s*\(\s*\w+\s+(?P<more>[^)]+)"
)
MESON = re.compile(r"\bdependency\s*\(\s*['\"](?P<name>[\w.+-]+)")
CMAKE = re.compile(r"(?i)\bfind_package\s*\(\s*(?P<name>\w+)")
LINKED = re.compile(
    r"AC_CHECK_LIB\s*\(\s*\[?(?P<name>\w+)|AC_SEARCH_LIBS\s*\(\s*\[?\w+\]?\s*,\s*\[?(?P<more>\w+)"
    r"|(?<![\w-])-l(?P<other>[a-zA-Z][\w+-]+)"
)
WORD = re.compile(r"[a-z][a-z0-9+.-]{1,40}")


def say_named(request: Request, before: Mapping[str, str], cache: Path) -> str:
    """`build NAME` a line, after what the readers say."""
    said = say_depends(request, before, cache).splitlines()
    return "\n".join(dict.fromkeys([*said, *(f"build {name}" for name in named(asked_tree(request)))]))


def named(tree: SourceTree) -> Iterator[str]:
    for path, text in tree.texts.items():
        name = path.rpartition("/")[2]
        if name in ("Makefile.PL", "Build.PL", "cpanfile"):
            for found in PERL.finditer(text):
                yield f"lib{found['name'].lower().replace('::', '-').replace('_', '-')}-perl"
        elif name in ("configure.ac", "configure.in", "CMakeLists.txt", "meson.build") or "akefile" in name:
            for word in asked_for(text):
                low = word.lower()
                for spelled in (low, low.removeprefix("lib"), f"lib{low}", re.sub(r"-?\d[\d.]*$", "", low)):
                    if WORD.fullmatch(spelled):
                        yield spelled


def asked_for(text: str) -> Iterator[str]:
    for found in MODULES.finditer(text):
        yield from re.findall(r"(?<![\w.><=])[A-Za-z][\w.+-]+", found["names"] or found["more"])
    for pattern in (MESON, CMAKE):
        yield from (found["name"] for found in pattern.finditer(text))
    for found in LINKED.finditer(text):
        yield found["name"] or found["more"] or found["other"]
