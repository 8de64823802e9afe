"""What maintainers say that a package needs, at the level of sources: the truth of `build/depends`, and the human rows.

Debian's edges are the truth. Those of Alpine, Void, Homebrew and Spack are in the same names, as the stored corpus maps
them. No system reads any of this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sayso.core.errors import BadFile
from sayso.core.types import Split
from sayso.targets.build.corpus.graph import read_graph
from sayso.targets.build.corpus.records import Package
from sayso.targets.build.corpus.splits import evaluated_names, split_of
from sayso.targets.build.corpus.stored import FOLDER, HINT, STORED, package_of, read_rows

DEBIAN = "debian"
OTHERS = ("alpine", "void", "homebrew", "spack")


@dataclass(frozen=True)
class Edges:
    """Names of sources; `by` has those of every distribution that has the package."""

    build: frozenset[str]
    run: frozenset[str]
    agreed: frozenset[str]
    """Of `build`, what another distribution needs too."""
    by: dict[str, frozenset[str]]
    binaries: tuple[tuple[str, str], ...] = ()
    """(binary package, its source) of Debian's build dependencies."""


def stored_part(data: Path, split: Split) -> Iterator[tuple[Package, Mapping[str, Any]]]:
    """The stored packages of a part with their whole rows, without what README-EVAL is scored on and its groups."""
    rows = list(read_rows(data / FOLDER / STORED))
    evaluated = evaluated_names(data)
    groups = {row.get("group") for row in rows if row["name"] in evaluated} | evaluated
    for row in rows:
        # Most rows are of another part: only those of this one are read further.
        named = Package(row["name"], group=row.get("group", "") or row["name"])
        if named.name not in evaluated and named.group not in groups and split_of(named) == split:
            yield package_of(row), row


def read_edges(data: Path, split: Split) -> Iterator[tuple[Package, Edges]]:
    """The packages of a part with their edges."""
    path = data / FOLDER / STORED
    graph = read_graph(data)
    for package, row in stored_part(data, split):
        try:
            agreed: dict[str, list[str]] = row["consensus_deps"]
            build = frozenset(name for name, said in agreed.items() if DEBIAN in said)
            both = frozenset(name for name in build if len(agreed[name]) > 1)
            by = {
                one: frozenset(name for name, said in agreed.items() if one in said) for one in OTHERS if row.get(one)
            }
            wanted = row["debian"]["build_depends"]
            binaries = tuple((one["name"], one["src"]) for one in wanted if one.get("src"))
        except (KeyError, TypeError, AttributeError) as error:
            raise BadFile(f"{path}: {package.name} does not say what it needs: {error!r}", HINT) from error
        number = graph.numbers.get(package.name)
        run = frozenset(graph.names[at] for at in graph.run[number]) if number is not None else frozenset()
        yield package, Edges(build, run - {package.name}, both, by, binaries)
