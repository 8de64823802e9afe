"""Source packages and what needs what: records, their readers, Debian's graph, splits by group, statistics."""

from sayso.targets.build.corpus.graph import Graph, read_graph
from sayso.targets.build.corpus.records import Package
from sayso.targets.build.corpus.splits import load_packages, split_of

__all__ = ["Graph", "Package", "load_packages", "read_graph", "split_of"]
