"""Manual pages and `--help` texts read into rows of the knowledge base."""

from __future__ import annotations

from sayso.targets.bash.manual.grown import grown_knowledge
from sayso.targets.bash.manual.index import build_index, find_pages, is_fresh

__all__ = ["build_index", "find_pages", "grown_knowledge", "is_fresh"]
