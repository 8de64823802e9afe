"""The examples of the stages' own tasks: packages of the corpus, with what readers or maintainers say as references."""

from __future__ import annotations

from collections.abc import Iterator

from sayso.core.types import Example, Split, Workspace
from sayso.targets.build.corpus.edges import Edges, read_edges, stored_part
from sayso.targets.build.corpus.labels import NONE, read_labels, text_digest
from sayso.targets.build.corpus.records import Package
from sayso.targets.build.evaluation.packages import request_of
from sayso.targets.build.reading.needs_model import INFRASTRUCTURE

LABELLED = "labelled"
"""Of meta: what readers looked at, a line each; what a system says of anything else is not scored."""


def load_documents(workspace: Workspace, split: Split) -> Iterator[Example]:
    """Packages with labelled documents; the reference has those that say how to build."""
    documents, _ = read_labels()
    by_package = {package.name: package for package, _ in stored_part(workspace.data, split)}
    for name in sorted({one.package for one in documents if one.part == split}):
        package = by_package.get(name)
        texts = {one.path: text_digest(one.text) for one in package.documents} if package else {}
        # A label holds for the text that was read: a corpus with another text has one label less.
        kept = [one for one in documents if one.package == name and texts.get(one.path) == one.digest]
        if package and kept:
            right = "\n".join(one.path for one in kept if one.holds)
            shown = "\n".join(one.path for one in kept)
            request = request_of(package, "which documents say how to build this source?")
            yield Example(f"{name}:documents", request, (right,), {"name": name, LABELLED: shown})


def load_instructions(workspace: Workspace, split: Split) -> Iterator[Example]:
    """Packages with a document whose lines are labelled; the reference has `path:line tag` a line."""
    _, lined = read_labels()
    by_package = {package.name: package for package, _ in stored_part(workspace.data, split)}
    for one in lined:
        package = by_package.get(one.package) if one.part == split else None
        if package and any(d.path == one.path and text_digest(d.text) == one.digest for d in package.documents):
            right = "\n".join(f"{one.path}:{line} {tag}" for line, tag in one.tags.items() if tag != NONE)
            shown = "\n".join(f"{one.path}:{line}" for line in one.tags)
            request = request_of(package, "which lines say how to build this source?")
            yield Example(f"{one.package}:instructions", request, (right,), {"name": one.package, LABELLED: shown})


def load_depends(workspace: Workspace, split: Split) -> Iterator[Example]:
    """Every package; the reference has `build NAME` and `run NAME` of Debian, without infrastructure."""
    for package, edges in read_edges(workspace.data, split):
        request = request_of(package, "what does this source need to be built and to run?")
        yield Example(f"{package.name}:depends", request, (written(edges),), depends_meta(package, edges))


def written(edges: Edges) -> str:
    lines = [f"build {name}" for name in sorted(edges.build - INFRASTRUCTURE)]
    return "\n".join([*lines, *(f"run {name}" for name in sorted(edges.run - INFRASTRUCTURE))])


def depends_meta(package: Package, edges: Edges) -> dict[str, str]:
    """What the human rows say stands in the metric's part of an example; no system is shown it."""
    said = {f"by {name}": " ".join(sorted(needs - INFRASTRUCTURE)) for name, needs in edges.by.items()}
    return {"name": package.name, "agreed": " ".join(sorted(edges.agreed - INFRASTRUCTURE)), **said}


def load_metadata(workspace: Workspace, split: Split) -> Iterator[Example]:
    """Every package; the reference has a line `field: value` for each field that its maintainers filled."""
    for package, edges in read_edges(workspace.data, split):
        values = {
            "name": package.name,
            "version": package.version,
            "summary": package.summary,
            "licence": package.licence,
            "url": package.url,
            "group": package.section,
            "release": package.release,
            "arch": " ".join(sorted(set(package.arch))),
            "requires": " ".join(sorted(edges.run - INFRASTRUCTURE)),
            "build-requires": " ".join(sorted(edges.build - INFRASTRUCTURE)),
        }
        lists = ("requires", "build-requires")
        lines = [f"{field}: {' '.join(value.split())}" for field, value in values.items() if value or field in lists]
        request = request_of(package, "what is this source, and what does it need?")
        yield Example(f"{package.name}:metadata", request, ("\n".join(lines),), {"name": package.name})
