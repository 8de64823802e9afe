"""What a source needs to be built and to run: signals of its files, resolved to packages (§5, stage 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sayso.targets.build.reading.resolver import Resolver, embedded
from sayso.targets.build.reading.scan import scan
from sayso.targets.build.reading.tree import Evidence, SourceTree

Label = Literal["build", "run"]


@dataclass(frozen=True)
class Dependency:
    """`name` as the tree has it; `package` is Debian's binary package, None where none is known; `source` its source."""

    kind: str
    name: str
    package: str | None
    label: Label
    evidence: Evidence
    source: str = ""
    score: float = 1.0


def find_depends(tree: SourceTree, resolver: Resolver | None = None) -> list[Dependency]:
    """Each package once a label, with the first evidence for it."""
    known = resolver or embedded()
    found: dict[tuple[str, Label], Dependency] = {}
    for signal in scan(tree):
        if signal.kind in ("word", "prose", "prose-section", "prose-line", "tree"):
            continue
        one = known.resolve(signal.kind, signal.name)
        if one is None or one.by == "guess":
            continue
        label: Label = "run" if signal.use == "run" else "build"
        found.setdefault(
            (one.source, label),
            Dependency(signal.kind, signal.name, one.package or None, label, signal.evidence, one.source),
        )
    return list(found.values())
