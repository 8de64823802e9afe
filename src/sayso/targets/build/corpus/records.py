"""One source package as every reader gives it: what upstream ships, and what a distribution's maintainers wrote.

Weak labels of the stored corpus (kinds of documents, commands found in them) are left out: no system may read them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sayso.core.errors import BadFile


@dataclass(frozen=True)
class Relation:
    """One thing that is needed: `libfoo-dev (>= 1.2) [amd64] <!nocheck> | libbar-dev`; `instead` would do as well."""

    name: str
    version: str = ""
    """With its operator: ">= 1.2"."""
    arches: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ()
    """Each as it stands between < and >."""
    instead: tuple[Relation, ...] = ()

    def __str__(self) -> str:
        parts = [self.name]
        parts += [f"({self.version})"] if self.version else []
        parts += [f"[{' '.join(self.arches)}]"] if self.arches else []
        parts += [f"<{one}>" for one in self.profiles]
        return " | ".join([" ".join(parts), *map(str, self.instead)])


@dataclass(frozen=True)
class Document:
    """A text file of a source tree, `text` cut where it is long; `size` is that of the whole file in bytes."""

    path: str
    text: str
    size: int = 0


@dataclass(frozen=True)
class Entry:
    """A path in a source tree; `link` is where it points."""

    path: str
    size: int = 0
    link: str = ""


@dataclass(frozen=True)
class Binary:
    """What is installed: one of the packages that a source is built into."""

    name: str
    summary: str = ""
    description: str = ""
    section: str = ""
    arch: tuple[str, ...] = ()
    requires: tuple[Relation, ...] = ()


@dataclass(frozen=True)
class Recipe:
    """How another distribution builds the same program."""

    by: str
    name: str
    version: str = ""
    confidence: str = ""
    """How sure it is that this is the same program: "high" or "medium"."""
    requires: tuple[Relation, ...] = ()
    build_requires: tuple[Relation, ...] = ()
    scripts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Package:
    """Everything that is known of one source package (figure 1 of the paper, all six parts)."""

    name: str
    version: str = ""
    """Upstream's; `release` is the distribution's own count."""
    release: str = ""
    summary: str = ""
    description: str = ""
    licence: str = ""
    url: str = ""
    section: str = ""
    """"Group" of a spec file, "Section" of Debian."""
    arch: tuple[str, ...] = ()
    requires: tuple[Relation, ...] = ()
    build_requires: tuple[Relation, ...] = ()
    scripts: Mapping[str, str] = field(default_factory=dict)
    """By the distribution's own names: `prep`, `build`, `install`, `check`, `preun`, …; `rules` is Debian's."""
    files: tuple[str, ...] = ()
    """What a spec file says that it installs."""
    documents: tuple[Document, ...] = ()
    tree: tuple[Entry, ...] = ()
    build_files: tuple[Document, ...] = ()
    build_system: str = ""
    group: str = ""
    """Packages of one group share text: they stay on one side of a split."""
    by: str = ""
    """Whose package it is: "debian", "rpm" or "alpine"."""
    binaries: tuple[Binary, ...] = ()
    recipes: tuple[Recipe, ...] = ()


SCRIPTS = {
    "build": ("build", "rules"),
    "install": ("install", "package"),
    "remove": ("preun", "postun", "pre-deinstall", "post-deinstall"),
    "check": ("check",),
}
"""Footnote 7: packaging systems have build, install and remove scripts, and some a check script."""


def script_of(package: Package | Recipe, kind: str) -> str:
    """The script of a kind of footnote 7 under any distribution's name for it, "" where there is none."""
    found = (package.scripts.get(name, "") for name in SCRIPTS[kind])
    return "\n".join(text for text in found if text)


def as_json(package: Package) -> dict[str, Any]:
    """Plain JSON values, without what is empty."""
    return {name: value for name, value in dataclasses.asdict(package).items() if value}


def from_json(row: Mapping[str, Any]) -> Package:
    """The inverse of `as_json`; raises BadFile on what is no such record."""
    try:
        package: Package = _read(Package, row, _NESTED)
        return package
    except (TypeError, KeyError, AttributeError) as error:
        raise BadFile(f"not a package record: {error}", "delete the file and get the package again") from error


def _relations(rows: Any) -> tuple[Relation, ...]:
    return tuple(_read(Relation, row, {"instead": _relations, "arches": tuple, "profiles": tuple}) for row in rows)


def _rows(kind: type, **nested: Any) -> Any:
    return lambda rows: tuple(_read(kind, row, nested) for row in rows)


_NESTED: dict[str, Any] = {
    "requires": _relations,
    "build_requires": _relations,
    "arch": tuple,
    "files": tuple,
    "documents": _rows(Document),
    "build_files": _rows(Document),
    "tree": _rows(Entry),
    "binaries": _rows(Binary, arch=tuple, requires=_relations),
    "recipes": _rows(Recipe, requires=_relations, build_requires=_relations),
}


def _read(kind: Any, row: Mapping[str, Any], nested: Mapping[str, Any]) -> Any:
    return kind(**{name: nested[name](value) if name in nested else value for name, value in row.items()})


def names_of(relations: tuple[Relation, ...]) -> Iterator[str]:
    """Every name, alternatives included."""
    for one in relations:
        yield one.name
        yield from names_of(one.instead)
