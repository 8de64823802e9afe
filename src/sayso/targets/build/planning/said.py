"""The commands that the documents of a tree tell to run, as the readers of documents and instructions find them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sayso.targets.build.planning.plan import Said
from sayso.targets.build.reading.documents import THRESHOLD, rank_documents
from sayso.targets.build.reading.instructions import read_instructions
from sayso.targets.build.reading.tree import SourceTree

MOST_DOCUMENTS = 8


def documents_read(tree: SourceTree) -> list[str]:
    """Those that are likely to say how to build, the likeliest first."""
    return [one.path for one in rank_documents(tree) if one.score >= THRESHOLD][:MOST_DOCUMENTS]


def said_in(path: str, text: str, lines: Collection[int] | None = None) -> Iterator[Said]:
    """The commands of one document; `lines` keeps only what stands on one of them."""
    for one in read_instructions(path, text):
        if one.command and (lines is None or one.evidence.line in lines):
            yield Said(one.command, one.evidence, one.section)
