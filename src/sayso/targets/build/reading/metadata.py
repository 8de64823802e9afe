"""What a tree says of itself: name, version, summary, licence, address, and what it needs (the paper's whole task)."""

from __future__ import annotations

from dataclasses import dataclass

from sayso.targets.build.reading.depends import find_depends
from sayso.targets.build.reading.tree import SourceTree


@dataclass(frozen=True)
class Metadata:
    """Empty where nothing is known."""

    name: str = ""
    version: str = ""
    summary: str = ""
    licence: str = ""
    url: str = ""
    group: str = ""
    release: str = ""
    arch: str = ""
    requires: tuple[str, ...] = ()
    build_requires: tuple[str, ...] = ()


def read_metadata(tree: SourceTree) -> Metadata:
    depends = find_depends(tree)
    return Metadata(
        requires=tuple(dict.fromkeys(one.source for one in depends if one.label == "run")),
        build_requires=tuple(dict.fromkeys(one.source for one in depends if one.label == "build")),
    )
