"""From a name of some kind to the package that brings it: an index of this machine where there is one, else the table.

The embedded table knows no package that README-EVAL is scored on; what it does not know may still be a package of that
very name, which is a guess and said so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from sayso.targets.build.reading.contents import PATTERNS
from sayso.targets.build.reading.names import KEPT, TABLE, Known, read_table

DPKG = Path("/var/lib/dpkg")
OTHERS: Mapping[str, tuple[str, ...]] = {
    "pkg-config": ("pkg-config", "cmake", "program"),
    "cmake": ("cmake", "pkg-config", "library", "program"),
    "library": ("library",),
    "macro": ("aclocal",),
    "prose": ("pkg-config", "program", "cmake", "python", "library"),
    "python": ("python",),
}
"""Kinds under which a name is looked up, in order; a kind that is not here is its own."""
GUESSED = ("pkg-config", "cmake", "prose")
"""Kinds whose unknown names may be a package's own name."""
VERSION = re.compile(r"[-_.]?\d[\d.]*$")


@dataclass(frozen=True)
class Found:
    """`by` says how: "exact", "near" (another spelling or kind) or "guess" (a package may be called so)."""

    package: str
    source: str
    by: str


@dataclass(frozen=True)
class Resolver:
    """Names by kind; later indices answer only what earlier ones do not know."""

    known: Mapping[tuple[str, str], Known]
    source_of: Mapping[str, str] = field(default_factory=dict)
    """Binary package -> source, where an index says so."""

    def resolve(self, kind: str, name: str) -> Found | None:
        """The first way that leads to a package."""
        if kind == "debian":
            source = self.sources_of_packages.get(name)
            return Found(name, source, "exact") if source else None
        for at, (other, spelled) in enumerate(spellings(kind, name)):
            if one := self.known.get((other, spelled)):
                return Found(one.package, one.source, "near" if at else "exact")
        if kind in GUESSED and re.fullmatch(r"[a-z][a-z0-9+.-]+", name.lower()):
            return Found("", name.lower(), "guess")
        return None

    @cached_property
    def sources_of_packages(self) -> Mapping[str, str]:
        return {one.package: one.source for one in self.known.values()} | dict(self.source_of)

    @cached_property
    def source_names(self) -> frozenset[str]:
        return frozenset(one.source for one in self.known.values())


def spellings(kind: str, name: str) -> Iterator[tuple[str, str]]:
    """Where a name may stand in a table, the likeliest first."""
    if kind == "header":
        yield "header", name
        parts = name.split("/")
        if len(parts) > 1:
            yield "header", parts[0] + "/"
            yield "header", parts[-1]
        return
    if kind == "go":
        parts = name.split("/")
        for n in range(len(parts), 1, -1):
            yield "go", "/".join(parts[:n])
        return
    if kind == "perl":
        yield "perl", name
        yield "perl", name.rpartition("::")[0]
        return
    for other in OTHERS.get(kind, (kind,)):
        yield other, name
        for spelled in dict.fromkeys((name.lower(), name.lower().replace("-", "_"), name.lower().replace("_", "-"))):
            yield other, spelled
        if other in ("pkg-config", "cmake", "library") and kind != "library":
            bare = VERSION.sub("", name.lower())
            yield other, bare
            yield other, f"lib{bare}"
            yield other, bare.removeprefix("lib")


@cache
def embedded(table: Path = TABLE) -> Resolver:
    """The table that is in the package, or another of the same shape."""
    return Resolver({(one.kind, one.name): one for one in read_table(table)})


def open_resolver(cache: Path) -> Resolver:
    """Debian's index of files where `sayso data get contents` brought it, else the table that is in the package."""
    kept = cache / KEPT
    return embedded(kept) if kept.is_file() else embedded()


def installed(dpkg: Path = DPKG) -> Resolver:
    """What is installed on this machine, from dpkg's own lists of files; empty where there is no dpkg."""
    known: dict[tuple[str, str], Known] = {}
    sources = {}
    status = dpkg / "status"
    if status.is_file():
        for paragraph in status.read_text("utf-8", "replace").split("\n\n"):
            fields = dict(
                line.split(": ", 1) for line in paragraph.splitlines() if line.startswith(("Package: ", "Source: "))
            )
            if "Package" in fields:
                sources[fields["Package"]] = fields.get("Source", fields["Package"]).split()[0]
    for path in sorted((dpkg / "info").glob("*.list")):
        package = path.stem.partition(":")[0]
        for line in path.read_text("utf-8", "replace").splitlines():
            for kind, pattern, name in PATTERNS:
                if match := pattern.fullmatch(line.lstrip("/")):
                    kind = "header" if kind == "inner" else kind
                    one = Known(kind, name(match), package, sources.get(package, package))
                    known.setdefault((one.kind, one.name), one)
    return Resolver(known, sources)


def joined(*resolvers: Resolver) -> Resolver:
    """What the first knows, then the next."""
    known: dict[tuple[str, str], Known] = {}
    sources: dict[str, str] = {}
    for one in reversed(resolvers):
        known |= one.known
        sources |= one.source_of
    return Resolver(known, sources)
