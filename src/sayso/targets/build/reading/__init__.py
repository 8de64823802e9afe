"""What a source tree says about its own building: documents, instructions, dependencies, metadata."""

from sayso.targets.build.reading.depends import find_depends
from sayso.targets.build.reading.documents import rank_documents
from sayso.targets.build.reading.instructions import read_instructions
from sayso.targets.build.reading.metadata import read_metadata
from sayso.targets.build.reading.tree import SourceTree

__all__ = ["SourceTree", "find_depends", "rank_documents", "read_instructions", "read_metadata"]
