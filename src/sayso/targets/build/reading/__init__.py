"""What a source tree says about its own building: documents, instructions, dependencies, metadata."""

from sayso.targets.build.reading.depends import Dependency, find_depends
from sayso.targets.build.reading.documents import RankedDocument, rank_documents
from sayso.targets.build.reading.instructions import Instruction, read_instructions
from sayso.targets.build.reading.metadata import Metadata, read_metadata
from sayso.targets.build.reading.resolver import Resolver
from sayso.targets.build.reading.tree import Evidence, SourceTree, tree_of

__all__ = [
    "Dependency",
    "Evidence",
    "Instruction",
    "Metadata",
    "RankedDocument",
    "Resolver",
    "SourceTree",
    "find_depends",
    "rank_documents",
    "read_instructions",
    "read_metadata",
    "tree_of",
]
