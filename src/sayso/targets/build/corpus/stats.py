"""Section 4 of the paper, Fedora 17 beside Debian: the graph, the scripts, the records, and what is set apart.

Every source of Debian has a build script, debian/rules (Policy 4.9), so that what has a dependency has both. What the
paper calls a DAG has cycles here, also by build edges alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median

from sayso.core.errors import MissingData
from sayso.core.progress import Progress, silent
from sayso.targets.build.corpus.breaks import claim_table, recorded_outcomes
from sayso.targets.build.corpus.graph import Edges, Graph, Shape, components, leaf_targets, read_graph, shape_of
from sayso.targets.build.corpus.neighbours import Network, readable_neighbourhood
from sayso.targets.build.corpus.records import Package, Recipe
from sayso.targets.build.corpus.splits import evaluated_names, set_apart, split_of
from sayso.targets.build.corpus.stored import read_packages

Cell = Mapping[str, float | None]
Rows = dict[str, Cell]

PAPER = {
    "packages": 2_121,
    "with a build script and a dependency": 1_673,
    "non-blank lines of a build script": 6.9,
    "leaves": 1_009,
    "internal": 664,
    "dependents of an internal one": 7.0,
    "needed by a leaf for its build": 218,
    "such leaves of each": 12.4,
}
INFRASTRUCTURE = 0.01
"""What more than this share of all packages needs for the build tells no package from another."""
MOST_NEEDED, MOST_NAMED = 30, 10


@dataclass(frozen=True)
class PackageStats:
    """Tables as row -> column -> number; figures as label -> count; networks are drawn as such."""

    corpus: str
    tables: Mapping[str, Mapping[str, Cell]]
    dropped: Mapping[str, int]
    figures: Mapping[str, Mapping[str, int]]
    networks: Mapping[str, Network] = field(default_factory=dict)
    constants: Sequence[object] = ()
    grounds: Mapping[str, str] = field(default_factory=dict)


def corpus_stats(data: Path, membership: str = "paper", progress: Progress = silent) -> PackageStats:
    """Three seconds. There is one membership: what is stored and what was fetched here, less T and V."""
    progress("packages read", 0, 3)
    packages = list(read_packages(data))
    progress("packages read", 1, 3)
    try:
        evaluated, with_evaluation = evaluated_names(data), True
    except MissingData:  # then the tables that need it are left out
        evaluated, with_evaluation = frozenset(), False
    kept, dropped = set_apart(packages, evaluated)
    tables: dict[str, Rows] = {"records": record_table(kept), "build systems": system_table(kept)}
    tables |= {"documents": document_table(kept), "scripts": script_table(kept), "needs of a package": need_table(kept)}
    figures: dict[str, Mapping[str, int]] = {}
    networks: dict[str, Network] = {}
    try:
        graph = read_graph(data)
    except MissingData:
        graph = None
    progress("packages read", 2, 3)
    if graph is not None:
        counted = {"build": graph.build, "run": graph.run, "build and run": graph.both}
        shapes = {name: shape_of(edges) for name, edges in counted.items()}
        tables = {
            "section 4": section_4(graph, shapes, kept),
            "edges and cycles": cycle_table(counted, shapes),
            **tables,
        }
        tables["infrastructure"] = infrastructure_table(graph, shapes)
        tables["needed most for the build"] = needed_table(graph, shapes["build"])
        figures = degree_figures(counted, shapes) | {
            f"the {MOST_NEEDED} that are needed most, build edges": most_needed(graph, shapes["build"])
        }
        networks = {"neighbourhood": readable_neighbourhood(graph, evaluated)}
        if with_evaluation:
            tables["builds that break without what they need"] = dict(claim_table(recorded_outcomes(data), graph))
    progress("packages read", 3, 3)
    return PackageStats(
        "packages",
        tables,
        dropped if with_evaluation else {},
        figures,
        networks,
        grounds={
            "T or V of README-EVAL": "scored on: nothing may be learnt from them",
            "in a group with T or V": "the same program, or one that shares its documents",
        },
    )


def section_4(graph: Graph, shapes: Mapping[str, Shape], packages: Iterable[Package]) -> Rows:
    def row(name: str, count: Callable[[Shape], float]) -> Cell:
        both, build = (round(count(shapes[kind]), 2) for kind in ("build and run", "build"))
        return {"ours": both, "ours, build edges": build, "paper": PAPER[name]}

    lines = [lines_of(recipe.scripts["build"]) for recipe in recipes(packages, "alpine") if "build" in recipe.scripts]
    script = round(mean(lines), 2) if lines else None
    targets = {kind: leaf_targets(graph.build, shape.leaves) for kind, shape in shapes.items()}
    of = {id(shapes[kind]): found for kind, found in targets.items()}
    return {
        "packages": row("packages", lambda shape: len(graph.names)),
        "with a build script and a dependency": row(
            "with a build script and a dependency", lambda shape: len(graph.names) - len(shape.isolated)
        ),
        "non-blank lines of a build script": {
            "ours": script,
            "ours, build edges": None,
            "paper": PAPER["non-blank lines of a build script"],
        },
        "leaves": row("leaves", lambda shape: len(shape.leaves)),
        "internal": row("internal", lambda shape: len(shape.internal)),
        "isolated": {
            "ours": len(shapes["build and run"].isolated),
            "ours, build edges": len(shapes["build"].isolated),
            "paper": None,
        },
        "dependents of an internal one": row("dependents of an internal one", lambda shape: shape.mean_dependents),
        "needed by a leaf for its build": row("needed by a leaf for its build", lambda shape: len(of[id(shape)])),
        "such leaves of each": row(
            "such leaves of each", lambda shape: sum(of[id(shape)].values()) / max(len(of[id(shape)]), 1)
        ),
    }


def cycle_table(counted: Mapping[str, Edges], shapes: Mapping[str, Shape]) -> Rows:
    rows: dict[str, dict[str, float | None]] = {
        name: {} for name in ("edges", "components larger than one", "packages in them", "largest component")
    }
    for kind, edges in counted.items():
        found = [one for one in components(edges) if len(one) > 1]
        rows["edges"][kind] = shapes[kind].edges
        rows["components larger than one"][kind] = len(found)
        rows["packages in them"][kind] = sum(map(len, found))
        rows["largest component"][kind] = len(found[0]) if found else 1
    return dict(rows)


def infrastructure_table(graph: Graph, shapes: Mapping[str, Shape]) -> Rows:
    """How much of the graph leads to packages that nearly everything needs, and what section 4 is without them."""
    needed_by = shapes["build"].needed_by
    common = {number for number, count in enumerate(needed_by) if count > INFRASTRUCTURE * len(graph.names)}
    into = sum(needed_by[number] for number in common)
    rows: Rows = {
        f"needed by more than {INFRASTRUCTURE:.0%} of all for the build": {"ours": len(common)},
        "build edges that lead to them": {"ours": into},
        "share of all build edges": {"ours": round(into / max(shapes["build"].edges, 1), 3)},
    }
    left = {
        number: count
        for number, count in leaf_targets(graph.build, shapes["build and run"].leaves).items()
        if number not in common
    }
    rows["needed by a leaf for its build, without them"] = {"ours": len(left)}
    rows["such leaves of each, without them"] = {"ours": round(sum(left.values()) / max(len(left), 1), 2)}
    return rows


def needed_table(graph: Graph, shape: Shape) -> Rows:
    """The packages that most others are built with."""
    return {
        name: {"dependents": count, "share of all": round(count / len(graph.names), 3)}
        for name, count in list(most_needed(graph, shape).items())[:MOST_NAMED]
    }


def record_table(packages: Sequence[Package]) -> Rows:
    """Parts by group, after what README-EVAL is scored on was set apart."""
    parts = {"all": packages} | {
        split: [one for one in packages if split_of(one) == split] for split in ("train", "dev", "test")
    }
    counted: dict[str, Callable[[Package], object]] = {
        "packages": lambda one: True,
        "with debian/rules": lambda one: "rules" in one.scripts,
        "with an Alpine build()": lambda one: any(
            recipe.by == "alpine" and "build" in recipe.scripts for recipe in one.recipes
        ),
        "with a recipe of another distribution": lambda one: one.recipes,
        "with a licence": lambda one: one.licence,
        "with a document": lambda one: one.documents,
        "with a build file": lambda one: one.build_files,
    }
    rows: Rows = {
        name: {part: sum(bool(fits(one)) for one in found) for part, found in parts.items()}
        for name, fits in counted.items()
    }
    return {**rows, "groups": {part: len({one.group for one in found}) for part, found in parts.items()}}


def system_table(packages: Iterable[Package]) -> Rows:
    counts: dict[str, Counter[str]] = {}
    for package in packages:
        for part in ("all", split_of(package)):
            counts.setdefault(package.build_system or "none", Counter())[part] += 1
    ranked = sorted(counts, key=lambda name: (-counts[name]["all"], name))
    return {name: {part: counts[name][part] for part in ("all", "train", "dev", "test")} for name in ranked}


def document_table(packages: Sequence[Package]) -> Rows:
    """By file name; what a document is about is another task."""
    kinds = ("readme", "install", "build", "hacking", "contributing", "copying", "license", "changelog", "news")
    rows: Rows = {}
    for kind in kinds:
        found = [[one for one in package.documents if name_of(one.path).startswith(kind)] for package in packages]
        with_one = sum(map(bool, found))
        share = round(with_one / max(len(packages), 1), 3)
        rows[kind] = {"documents": sum(map(len, found)), "packages": with_one, "share": share}
    with_any = sum(bool(package.documents) for package in packages)
    total = sum(len(package.documents) for package in packages)
    share = round(with_any / max(len(packages), 1), 3)
    return {**rows, "any": {"documents": total, "packages": with_any, "share": share}}


def name_of(path: str) -> str:
    return path.rpartition("/")[2].lower()


def script_table(packages: Sequence[Package]) -> Rows:
    """Non-blank lines, as the paper counts them."""
    alpine = recipes(packages, "alpine")
    whole = [f"{one.scripts['build']}\n{one.scripts.get('install', '')}" for one in alpine if "build" in one.scripts]
    found = {
        "Alpine build()": scripts(alpine, "build"),
        "Alpine build() and package()": whole,
        "Alpine check()": scripts(alpine, "check"),
        "debian/rules": [one.scripts["rules"] for one in packages if "rules" in one.scripts],
        "Homebrew install": scripts(recipes(packages, "homebrew"), "install"),
        "Void do_build": scripts(recipes(packages, "void"), "build"),
    }
    rows: Rows = {}
    for name, texts in found.items():
        counts = [lines_of(text) for text in texts]
        if counts:
            paper = PAPER["non-blank lines of a build script"] if name == "Alpine build()" else None
            rows[name] = {
                "n": len(counts),
                "ours": round(mean(counts), 2),
                "median": median(counts),
                "max": max(counts),
                "paper": paper,
            }
    return rows


def need_table(packages: Sequence[Package]) -> Rows:
    alpine = recipes(packages, "alpine")
    found = {
        "Debian, to build": [len(one.build_requires) for one in packages],
        "Debian, to run": [len(one.requires) for one in packages],
        "Alpine, to build": [len(one.build_requires) for one in alpine],
        "Alpine, to run": [len(one.requires) for one in alpine],
    }
    return {
        name: {"n": len(counts), "ours": round(mean(counts), 2), "median": median(counts), "max": max(counts)}
        for name, counts in found.items()
        if counts
    }


def recipes(packages: Iterable[Package], by: str) -> list[Recipe]:
    return [recipe for package in packages for recipe in package.recipes if recipe.by == by]


def scripts(found: Iterable[Recipe], name: str) -> list[str]:
    return [one.scripts[name] for one in found if name in one.scripts]


def lines_of(script: str) -> int:
    """ "make\\n\\nmake install" -> 2"""
    return sum(bool(line.strip()) for line in script.splitlines())


def degree_figures(counted: Mapping[str, Edges], shapes: Mapping[str, Shape]) -> dict[str, Mapping[str, int]]:
    """How many packages have so many dependents, and so many needs, in bins that double."""
    figures: dict[str, Mapping[str, int]] = {}
    for kind in ("build", "run"):
        figures[f"by dependents, {kind} edges"] = doubling(shapes[kind].needed_by)
        figures[f"by needs, {kind} edges"] = doubling([len(targets) for targets in counted[kind]])
    return figures


def doubling(numbers: Iterable[int]) -> dict[str, int]:
    """[0, 1, 3, 3, 9] -> {"0": 1, "1": 1, "2–3": 2, "4–7": 0, "8–15": 1}"""
    counts = Counter(number.bit_length() for number in numbers)
    names = ["0", "1", *(f"{1 << bits - 1}–{(1 << bits) - 1}" for bits in range(2, max(counts, default=0) + 1))]
    return {name: counts[bits] for bits, name in enumerate(names[: max(counts, default=0) + 1])}


def most_needed(graph: Graph, shape: Shape) -> dict[str, int]:
    ranked = sorted(range(len(graph.names)), key=lambda number: (-shape.needed_by[number], graph.names[number]))
    return {graph.names[number]: shape.needed_by[number] for number in ranked[:MOST_NEEDED]}
