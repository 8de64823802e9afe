"""Everyday requests for notebook cells, with checks that any right cell passes: written apart, frozen, two halves."""

from sayso.targets.notebook.everyday.judging import everyday_metrics
from sayso.targets.notebook.everyday.reader import Entry, digest, entries, examples

__all__ = ["Entry", "digest", "entries", "everyday_metrics", "examples"]
