"""Baselines that read no document: a look at the top of the tree, and the usual commands of the build system there.

`sniff` knows configure, autoconf, CMake and make; `sniff2` also bootstrap scripts, Meson, Perl's and Python's ways.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sayso.core.types import Request
from sayso.targets.build.evaluation.reading import TREE, executables

Tree = Mapping[str, bool]
"""Every file, and whether it can be executed."""
Rule = tuple[Callable[[Tree], bool], Sequence[str]]

MAKE = ("make", "make install")
CONFIGURED = ("./configure", *MAKE)
IN_FOLDER = ("mkdir -p b", "cd b", "cmake ..", *MAKE)


def has(*names: str) -> Callable[[Tree], bool]:
    """Whether all of these stand at the top of the tree."""
    return lambda tree: all(name in tree for name in names)


def can_configure(tree: Tree) -> bool:
    return tree.get("configure", False)


SNIFF: tuple[Rule, ...] = (
    (can_configure, CONFIGURED),
    (has("configure.ac"), ("autoreconf -fi", *CONFIGURED)),
    (has("CMakeLists.txt"), IN_FOLDER),
)
SNIFF2: tuple[Rule, ...] = (
    (can_configure, CONFIGURED),
    (has("configure.ac", "autogen.sh"), ("sh autogen.sh", *CONFIGURED)),
    (has("configure.ac", "bootstrap"), ("sh bootstrap", *CONFIGURED)),
    *SNIFF[1:],
    (has("meson.build"), ("meson setup b", "ninja -C b", "ninja -C b install")),
    (has("Build.PL"), ("perl Build.PL", "./Build", "./Build install")),
    (has("Makefile.PL"), ("perl Makefile.PL", *MAKE)),
    (
        lambda tree: "pyproject.toml" in tree or "setup.py" in tree,
        ("pip3 install --no-index --no-deps --no-build-isolation --break-system-packages .",),
    ),
)


def sniffed(rules: Sequence[Rule], request: Request) -> str:
    """The commands of the first rule that fits the tree; make where none does."""
    listing = next((piece.text for piece in request.context if piece.name == TREE and piece.kind == "text"), "")
    tree = executables(listing)
    return "\n".join(next((commands for fits, commands in rules if fits(tree)), MAKE))
