"""Clues to what a source needs: each signal of its tree, told apart by kind and name, and the packages behind it.

A package is behind a signal because it brings what is asked for (the resolver says so), or because maintainers of other
packages with the same signal needed it (counts learnt on train packages).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sayso.targets.build.reading.resolver import Resolver
from sayso.targets.build.reading.signals import Signal
from sayso.targets.build.reading.tree import Evidence, SourceTree

WORDS = frozenset({"prose", "prose-line", "prose-section", "word"})
DOCUMENT = "doc"
"""The kind of any word of a document; `prose` is one that a line about requirements has."""
UNRESOLVED = frozenset({DOCUMENT, "tree", "system"})

Key = tuple[str, str]


@dataclass
class Fact:
    """What is known of all signals of one kind and name."""

    evidence: Evidence
    optional: bool = True
    """Every file that asks for it says that it can do without."""
    uses: set[str] = field(default_factory=set)
    depth: int = 99


@dataclass(frozen=True)
class Clue:
    """`by` is exact, near or guess where the resolver found it, learnt where counts did."""

    key: Key
    by: str
    fact: Fact
    chance: float = 0.0
    package: str = ""


SYSTEMS: tuple[tuple[str, str], ...] = (
    ("meson.build", "meson"),
    ("CMakeLists.txt", "cmake"),
    ("configure.ac", "autotools"),
    ("configure.in", "autotools"),
    ("Makefile.PL", "perl"),
    ("Build.PL", "perl"),
    ("pyproject.toml", "python"),
    ("setup.py", "python"),
    ("go.mod", "go"),
    ("Cargo.toml", "cargo"),
    ("pom.xml", "maven"),
    ("build.gradle", "gradle"),
    ("build.xml", "ant"),
    ("dune-project", "ocaml"),
    ("package.json", "node"),
    ("Rakefile", "ruby"),
    ("configure", "configure"),
    ("GNUmakefile", "make"),
    ("Makefile", "make"),
    ("makefile", "make"),
)


def system_of(tree: SourceTree) -> str:
    """The build system by what stands at the top; "none" where nothing is known."""
    found = next((system for name, system in SYSTEMS if name in tree.paths), "")
    if found:
        return found
    tops = [path for path in tree.paths if "/" not in path]
    return next(
        (
            name
            for end, name in ((".cabal", "cabal"), (".pro", "qmake"), (".opam", "ocaml"))
            if any(top.endswith(end) for top in tops)
        ),
        "none",
    )


def facts_of(signals: Iterable[Signal], system: str) -> dict[Key, Fact]:
    """Signals by kind and name."""
    facts: dict[Key, Fact] = {}
    for signal in signals:
        keys = [(DOCUMENT, signal.name)] if signal.kind in WORDS else [(signal.kind, signal.name)]
        if signal.kind == "prose":
            keys.append(("prose", signal.name))
        for key in keys:
            fact = facts.setdefault(key, Fact(signal.evidence))
            fact.optional &= signal.optional
            fact.uses.add(signal.use)
            fact.depth = min(fact.depth, signal.evidence.file.count("/"))
    facts["system", system] = Fact(Evidence("", 0, system), False, {"build"}, 0)
    return facts


def resolved(facts: Mapping[Key, Fact], resolver: Resolver) -> dict[str, list[Clue]]:
    """Source -> the clues that a resolver has for it."""
    found: dict[str, list[Clue]] = {}
    for key, fact in facts.items():
        if key[0] not in UNRESOLVED and (one := resolver.resolve(*key)):
            found.setdefault(one.source, []).append(Clue(key, one.by, fact, package=one.package))
    return found
