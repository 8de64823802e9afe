"""A source tree as a reader sees it: every path with its size, the text of what is read, and where a fact stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from sayso.core.types import Piece, Request

LISTING = "tree"
"""The name of the piece of context that lists the tree: `x SIZE PATH` a line, `-` where a file cannot be executed."""


@dataclass(frozen=True)
class Evidence:
    """A line of a file, from 1, and its text; 0 where the file itself is the fact."""

    file: str
    line: int
    text: str


@dataclass(frozen=True)
class SourceTree:
    """`files` are (path, size); `texts` the documents and build files that are read."""

    files: tuple[tuple[str, int], ...]
    texts: Mapping[str, str]

    @cached_property
    def paths(self) -> frozenset[str]:
        return frozenset(path for path, _ in self.files) | frozenset(self.texts)


def tree_of(pieces: Iterable[Piece]) -> SourceTree:
    """The context of a request -> the tree that it shows."""
    files: list[tuple[str, int]] = []
    texts: dict[str, str] = {}
    for piece in pieces:
        if piece.kind == "file":
            texts[piece.name] = piece.text
        elif piece.name == LISTING:
            for line in piece.text.splitlines():
                _, _, rest = line.partition(" ")
                size, _, path = rest.partition(" ")
                if path:
                    files.append((path, int(size) if size.isdigit() else 0))
    return SourceTree(tuple(files), texts)


def asked_tree(request: Request) -> SourceTree:
    return tree_of(request.context)
