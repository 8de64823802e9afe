"""What a system is shown of a package of the corpus: its tree, build files and documents, as context of a request."""

from __future__ import annotations

from sayso.core.types import Piece, Request
from sayso.targets.build.corpus.records import Package
from sayso.targets.build.evaluation.reading import TREE


def pieces_of(package: Package) -> tuple[Piece, ...]:
    """The same shape as an archive's; who may execute a file is not known."""
    listing = "\n".join(f"- {entry.size} {entry.path}" for entry in package.tree)
    files = {one.path: one.text for one in (*package.build_files, *package.documents)}
    return (Piece("text", listing, TREE), *(Piece("file", text, path) for path, text in files.items()))


def request_of(package: Package, sentence: str) -> Request:
    return Request(sentence, pieces_of(package))
