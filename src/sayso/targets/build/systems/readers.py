"""The stages that read: documents, instructions, dependencies and metadata of the tree that a request shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from sayso.core.types import Candidate, Example, Request, Split, System, Workspace
from sayso.targets.build.reading.tree import asked_tree

Tagger = Literal["weak", "hand", "both"]

Stage = Callable[[Request, Mapping[str, str]], str]


def say_documents(request: Request, before: Mapping[str, str], model: str = "default") -> str:
    """The documents that say how to build, a path a line, best first."""
    from sayso.targets.build.reading.documents import THRESHOLD, rank_documents

    return "\n".join(one.path for one in rank_documents(asked_tree(request), model) if one.score >= THRESHOLD)


def say_instructions(request: Request, before: Mapping[str, str], tagger: Tagger = "hand") -> str:
    """`path:line tag` a line, of the documents that the stage before found, else of those that are likely."""
    from sayso.targets.build.reading.documents import LIKELY, rank_documents
    from sayso.targets.build.reading.markup import read_lines
    from sayso.targets.build.reading.tagger import tags_of

    tree = asked_tree(request)
    if "documents" in before:
        paths = [path for path in before["documents"].splitlines() if path in tree.texts]
    else:
        paths = [one.path for one in rank_documents(tree) if one.score >= LIKELY]
    said = []
    for path in paths:
        lines = read_lines(tree.texts[path])
        tags = zip(lines, tags_of(path, lines, tagger), strict=True)
        said += [f"{path}:{line.number} {tag}" for line, tag in tags if tag != "none"]
    return "\n".join(said)


def say_depends(request: Request, before: Mapping[str, str], cache: Path) -> str:
    """`build NAME` or `run NAME` a line, sources of Debian."""
    from sayso.targets.build.reading.depends import find_depends
    from sayso.targets.build.reading.resolver import open_resolver
    from sayso.targets.build.reading.self_names import own_names

    tree = asked_tree(request)
    return edges((one.label, one.source) for one in find_depends(tree, open_resolver(cache), own=own_names(tree)))


def say_same_names(request: Request, before: Mapping[str, str]) -> str:
    """`name-match`: what build files and lines about requirements ask for, where a package has exactly that name."""
    from sayso.targets.build.reading.resolver import embedded
    from sayso.targets.build.reading.scan import scan

    tree, known = asked_tree(request), embedded().source_names
    asked = (
        signal for signal in scan(tree) if signal.kind not in ("word", "prose-section", "prose-line", "tree", "macro")
    )
    found = {name for signal in asked for name in (signal.name.lower(), f"lib{signal.name.lower()}") if name in known}
    return edges((label, name) for label in ("build", "run") for name in sorted(found))


def edges(found: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"{label} {name}" for label, name in found)


def say_metadata(request: Request, before: Mapping[str, str]) -> str:
    from sayso.targets.build.reading.metadata import as_text, read_metadata

    return as_text(read_metadata(asked_tree(request)))


def say_nothing(request: Request, before: Mapping[str, str]) -> str:
    return ""


@dataclass(frozen=True)
class OneStage:
    """Satisfies `Translator`: a stage alone, as the system of its own task."""

    stage: Stage

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [[Candidate(self.stage(request, {}), 1.0)] for request in requests]


def depends(workspace: Workspace) -> Stage:
    return partial(say_depends, cache=workspace.cache)


def depends_alone(workspace: Workspace) -> System:
    return System(OneStage(depends(workspace)))


def alone(workspace: Workspace, stage: Stage) -> System:
    return System(OneStage(stage))


@dataclass(frozen=True)
class Others:
    """Maintainers of another distribution, a human row: what they wrote for the program that is shown."""

    answers: Mapping[int, str]

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        said = (self.answers.get(hash(request.context)) for request in requests)
        return [[Candidate(text, 1.0)] if text is not None else [] for text in said]


def maintainers_of(workspace: Workspace, other: str) -> System:
    """Only its own packages have an answer."""
    from sayso.targets.build.evaluation.stage_tasks import load_depends

    parts: tuple[Split, ...] = ("train", "dev", "test")
    examples: list[Example] = [one for split in parts for one in load_depends(workspace, split)]
    named = {hash(one.request.context): one.meta.get(f"by {other}") for one in examples}
    return System(
        Others(
            {key: edges(("build", name) for name in said.split()) for key, said in named.items() if said is not None}
        )
    )


Named = Mapping[str, Callable[[Workspace], System]]
NULL = partial(alone, stage=say_nothing)
DOCUMENTS: Named = {
    "default": partial(alone, stage=say_documents),
    **{name: partial(alone, stage=partial(say_documents, model=name)) for name in ("weak", "hand", "both")},
    "null": NULL,
}
INSTRUCTIONS: Named = {
    "default": partial(alone, stage=say_instructions),
    "weak": partial(alone, stage=partial(say_instructions, tagger="weak")),
    "both": partial(alone, stage=partial(say_instructions, tagger="both")),
    "null": NULL,
}
DEPENDS: Named = {
    "default": depends_alone,
    "name-match": partial(alone, stage=say_same_names),
    "null": NULL,
    **{other: partial(maintainers_of, other=other) for other in ("alpine", "void", "homebrew", "spack")},
}
METADATA: Named = {"default": partial(alone, stage=say_metadata), "null": NULL}
