"""What a source needs to be built and to run: signals of its files, weighed and resolved to packages (§5, stage 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from sayso.targets.build.reading.clues import Clue, Fact, Key, facts_of, resolved, system_of
from sayso.targets.build.reading.needs_model import Model, Needs, read_needs
from sayso.targets.build.reading.resolver import Resolver, embedded
from sayso.targets.build.reading.scan import scan
from sayso.targets.build.reading.tree import Evidence, SourceTree

Label = Literal["build", "run"]
ORDER = ("exact", "near", "learnt", "guess")
NAMED = {"doc": "prose", "system": "tree", "macro": "macro"}


@dataclass(frozen=True)
class Dependency:
    """`name` as the tree has it; `package` is Debian's binary package, None where none is known; `source` its source.

    `kind` is header, library, pkg-config, cmake, a language, program, macro, prose or tree.
    """

    kind: str
    name: str
    package: str | None
    label: Label
    evidence: Evidence
    source: str = ""
    score: float = 1.0


@dataclass(frozen=True)
class Looked:
    """A tree as the models look at it."""

    facts: Mapping[Key, Fact]
    direct: Mapping[str, list[Clue]]
    system: str
    folders: frozenset[str]


def look(tree: SourceTree, resolver: Resolver) -> Looked:
    system = system_of(tree)
    facts = facts_of(scan(tree), system)
    folders = frozenset(path.partition("/")[0].lower() for path, _ in tree.files if "/" in path)
    return Looked(facts, resolved(facts, resolver), system, folders)


def likely_needs(looked: Looked, model: Model, own: Iterable[str] = ()) -> list[tuple[str, float, list[Clue]]]:
    """Every candidate with how likely it is needed, best first; a source does not need itself."""
    ranked = []
    barred = {word for name in own for word in (name, f"lib{name}")}
    for source, clues in model.candidates(looked.facts, looked.direct).items():
        if source not in barred:
            ranked.append((source, model.score(model.features(source, clues, looked.system, looked.folders)), clues))
    return sorted(ranked, key=lambda one: (-one[1], one[0]))


def find_depends(
    tree: SourceTree, resolver: Resolver | None = None, needs: Needs | None = None, own: Iterable[str] = ()
) -> list[Dependency]:
    """What is likelier than the threshold of its label, likeliest first; `own` are names of the source itself."""
    known, learnt = resolver or embedded(), needs or read_needs()
    looked = look(tree, known)
    found: list[Dependency] = []
    for label in ("build", "run"):
        model = learnt.models[label]
        for source, score, clues in likely_needs(looked, model, own):
            if score >= model.threshold:
                found.append(dependency(source, score, clues, label, learnt.packages))
    return found


def dependency(source: str, score: float, clues: Iterable[Clue], label: str, packages: Mapping[str, str]) -> Dependency:
    """The best clue is the evidence: one that the resolver has, else the likeliest of the learnt ones."""
    best = min(
        clues,
        key=lambda clue: (ORDER.index(clue.by), clue.key[0] in ("prose", "system"), -clue.chance, clue.key),
        default=None,
    )
    package = (best.package if best else "") or packages.get(source, "") or None
    if best is None:
        return Dependency("tree", source, package, label, Evidence("", 0, ""), source, score)  # type: ignore[arg-type]
    kind = NAMED.get(best.key[0], best.key[0])
    return Dependency(kind, best.key[1], package, label, best.fact.evidence, source, score)  # type: ignore[arg-type]
