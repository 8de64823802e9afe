"""The packages of one README-EVAL run: T and what supports it, V, and the edges between them, from `eval.json`.

Outcomes that the file records are no part of this: `recorded.py` reads them for a cross-check, and nothing else does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sayso.core.errors import BadFile, MissingData
from sayso.core.given import parse_json, read_plain

FOLDER, FILE, SOURCES, ROOT = "readme_eval", "eval.json", "sources", "root_packages.txt"
LARGEST = 64 << 20


@dataclass(frozen=True)
class Archive:
    """One file of a source, by the path below the set's folder."""

    path: str
    sha256: str


@dataclass(frozen=True)
class Package:
    """A package of T (or one that only supports it): its upstream source, and the maintainers' script as its label."""

    name: str
    version: str
    archives: tuple[Archive, ...]
    script: str
    needs: tuple[str, ...] = ()
    """Packages of T, or supporting ones, that must be there when it is built."""


@dataclass(frozen=True)
class Dependent:
    """A package of V: built with its own maintainers' script, to see whether what it needs is good."""

    name: str
    version: str
    archives: tuple[Archive, ...]
    script: str
    needs: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()

    @property
    def is_debian(self) -> bool:
        return any(archive.path.endswith(".dsc") for archive in self.archives)


@dataclass(frozen=True)
class EvalSet:
    """C is the root that everything is built on."""

    folder: Path
    tests: tuple[Package, ...]
    support: tuple[Package, ...]
    validation: tuple[Dependent, ...]
    digest: str

    @cached_property
    def packages(self) -> Mapping[str, Package]:
        """T and what supports it, by name."""
        return {package.name: package for package in (*self.tests, *self.support)}

    @cached_property
    def reach(self) -> Mapping[str, frozenset[str]]:
        """Every package of T and V, with all that it needs, directly or through another."""
        found: dict[str, frozenset[str]] = {}

        def visit(name: str, needs: Sequence[str]) -> frozenset[str]:
            if name not in found:
                below = (visit(one, self.packages[one].needs) for one in needs)
                found[name] = frozenset(needs).union(*below)
            return found[name]

        for package in self.packages.values():
            visit(package.name, package.needs)
        return {
            **found,
            **{v.name: frozenset(v.needs).union(*(found[one] for one in v.needs)) for v in self.validation},
        }

    def affected_by(self, names: Iterator[str] | Sequence[str] | frozenset[str]) -> tuple[Dependent, ...]:
        """The packages of V whose build can come out otherwise when these packages do."""
        under_test = frozenset(names)
        return tuple(v for v in self.validation if self.reach[v.name] & under_test)

    @property
    def root_packages(self) -> Path | None:
        """The list of what the root holds; a set without one is built with the host's own programs."""
        path = self.folder / ROOT
        return path if path.is_file() else None


def set_folder(data: Path) -> Path:
    return data / FOLDER


def read_set(folder: Path) -> EvalSet:
    """The set in a folder; MissingData where none is there, BadFile where it cannot be used."""
    path = folder / FILE
    if not path.is_file():
        raise MissingData(
            f"there is no README-EVAL set at {folder}", "set SAYSO_DATA to the folder of the corpora, which holds it"
        )
    content = read_plain(path, LARGEST)
    try:
        row = parse_json(content)
        tests = tuple(package(one) for one in row["T"])
        support = tuple(package(one) for one in row.get("support_T", ()))
        validation = tuple(dependent(one) for one in row["V"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadFile(f"{path} is not a README-EVAL set: {error!r}", "fetch it again") from error
    found = EvalSet(folder, tests, support, validation, digest_of(tests, support, validation))
    check(found, path)
    return found


def package(row: Mapping[str, Any]) -> Package:
    archive = Archive(f"{SOURCES}/{row['source_file']}", row["sha256"])
    return Package(
        row["name"], row["version"], (archive,), row["gold_script"].strip("\n"), tuple(row.get("t_deps", ()))
    )


def dependent(row: Mapping[str, Any]) -> Dependent:
    archives = tuple(Archive(f"{SOURCES}/{one['file']}", one["sha256"]) for one in row["files"])
    environment = tuple(sorted((str(name), str(value)) for name, value in row.get("env", {}).items()))
    return Dependent(row["name"], row["version"], archives, row["build_command"], tuple(row["edges"]), environment)


def digest_of(*parts: Sequence[Package] | Sequence[Dependent]) -> str:
    """Of everything that decides what is built: sources by their sums, scripts, edges."""
    text = json.dumps([[repr(one) for one in sorted(part, key=lambda one: one.name)] for part in parts])
    return hashlib.sha256(text.encode()).hexdigest()


def check(found: EvalSet, path: Path) -> None:
    """Disjoint sets, edges that lead somewhere and never in a circle: what the score takes for granted (§6)."""
    everything: list[Package | Dependent] = [*found.tests, *found.support, *found.validation]
    names = [one.name for one in everything]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise BadFile(f"{path}: {twice[0]} comes twice: T, its support and V must be disjoint")
    for one in everything:
        for need in one.needs:
            if need not in found.packages:
                raise BadFile(f"{path}: {one.name} needs {need}, which is not in T")
    for circle in circles(found.packages):
        raise BadFile(f"{path}: {' needs '.join(circle)}: no order to build them in")


def circles(packages: Mapping[str, Package]) -> Iterator[tuple[str, ...]]:
    """["a needs b needs a"], one for each package that a circle leads back to."""
    for start in packages:
        trail: dict[str, tuple[str, ...]] = {start: ()}
        waiting = [start]
        while waiting:
            name = waiting.pop()
            for need in packages[name].needs:
                if need == start:
                    yield (*trail[name], name, start)
                    return
                if need not in trail:
                    trail[need] = (*trail[name], name)
                    waiting.append(need)
