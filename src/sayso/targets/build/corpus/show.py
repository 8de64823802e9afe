"""The corpus explorer that footnote 5 wants: everything that is known of one package, at a glance.

A name of the graph is shown with its neighbours even where no record of it is stored; a path to a .spec file, an
APKBUILD or a .dsc is read from disk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path

from sayso.core.errors import MissingData, UnknownName
from sayso.targets.build.corpus.apkbuild import read_apkbuild
from sayso.targets.build.corpus.debian import read_source_package
from sayso.targets.build.corpus.graph import Graph, read_graph
from sayso.targets.build.corpus.neighbours import neighbourhood
from sayso.targets.build.corpus.records import Document, Package, Recipe, Relation
from sayso.targets.build.corpus.spec import read_spec
from sayso.targets.build.corpus.splits import evaluated_names, split_of
from sayso.targets.build.corpus.stored import read_packages

LONGEST_LINE, MOST_NEAR = 90, 8
KINDS = ("build", "run", "build and run")


def show_package(data: Path, name: str) -> dict[str, object]:
    """One package as plain JSON values, what is empty left out; raises UnknownName with near misses."""
    try:
        graph: Graph | None = read_graph(data)
    except MissingData:
        graph = None
    names: list[str] = []
    package = read_recipe(name)
    if package is None:
        package, names = find_record(data, name)
    if package is None and (graph is None or name not in graph.numbers):
        raise UnknownName("package", name, near_misses(name, [*names, *(graph.names if graph else ())]))
    record: dict[str, object] = {"name": package.name if package else name}
    record |= facts_of(package, data) if package else {"record": "none stored: only the graph knows it"}
    if graph is not None:
        record |= edges_of(graph, str(record["name"]))
    return {key: value for key, value in record.items() if value}


def read_recipe(name: str) -> Package | None:
    """The package of a file on disk, None where the name is not one of a file."""
    path = Path(name)
    if path.suffix == ".spec":
        return read_spec(path)
    if path.suffix == ".dsc":
        return read_source_package(path)
    return read_apkbuild(path) if path.name == "APKBUILD" else None


def find_record(data: Path, name: str) -> tuple[Package | None, list[str]]:
    """(the record, or None; the names that were read on the way)."""
    names: list[str] = []
    try:
        for package in read_packages(data):
            if package.name == name:
                return package, names
            names.append(package.name)
    except MissingData:
        if not names and not (data / "packages").is_dir():
            raise
    return None, names


def near_misses(name: str, names: Iterable[str]) -> list[str]:
    known = list(dict.fromkeys(names))
    inside = [one for one in known if len(name) > 2 and name.lower() in one]
    return list(dict.fromkeys([*get_close_matches(name, known, n=3, cutoff=0.7), *sorted(inside, key=len)]))[:MOST_NEAR]


def facts_of(package: Package, data: Path) -> dict[str, object]:
    return {
        "version": package.version,
        "release": package.release,
        "summary": package.summary,
        "description": package.description,
        "licence": package.licence,
        "url": package.url,
        "section": package.section,
        "arch": " ".join(package.arch),
        "distribution": package.by,
        "part": part_of(package, data),
        "group": package.group,
        "build system": package.build_system,
        "build requires": written(package.build_requires),
        "requires": written(package.requires),
        "binary packages": {one.name: one.summary for one in package.binaries},
        "documents": {one.path: glance(one) for one in package.documents},
        "build files": {one.path: glance(one) for one in package.build_files},
        "tree": [f"{one.path} -> {one.link}" if one.link else one.path for one in package.tree],
        "scripts": dict(package.scripts),
        "installs": list(package.files),
        "other distributions": {one.by: recipe_of(one) for one in package.recipes},
    }


def part_of(package: Package, data: Path) -> str:
    try:
        evaluated = evaluated_names(data)
    except MissingData:
        evaluated = frozenset()
    return "README-EVAL: in no part" if {package.name, package.group} & evaluated else split_of(package)


def written(relations: Iterable[Relation]) -> list[str]:
    return [str(one) for one in relations]


def glance(document: Document) -> str:
    """ "686 bytes: the first line that says something"."""
    line = next((line.strip() for line in document.text.splitlines() if any(map(str.isalnum, line))), "")
    return f"{document.size:,} bytes: {line[:LONGEST_LINE]}"


def recipe_of(recipe: Recipe) -> Mapping[str, object]:
    facts = {
        "name": recipe.name,
        "version": recipe.version,
        "match": recipe.confidence,
        "needs to build": " ".join(written(recipe.build_requires)),
        "needs to run": " ".join(written(recipe.requires)),
        **recipe.scripts,
    }
    return {name: value for name, value in facts.items() if value}


def edges_of(graph: Graph, name: str) -> dict[str, object]:
    """Dependencies and dependents by kind; the counts first, since some have twenty thousand."""
    found = neighbourhood(graph, name)
    counts = {"needs": len(found.needs), "is needed by": len(found.needed_by)}
    edges: dict[str, object] = {"in the graph": ", ".join(f"{words} {n:,}" for words, n in counts.items())}
    for words, side in (("needs", found.needs), ("needed by", found.needed_by)):
        for kind in KINDS:
            edges[f"{words} ({kind})"] = [one for one, how in side.items() if how == kind]
    return edges if name in graph.numbers else {"in the graph": "no"}
