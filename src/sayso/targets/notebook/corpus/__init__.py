"""Notebooks as examples: read, mined (JuICe §3.1), curated (§3.2), counted (§4)."""

from __future__ import annotations

from sayso.targets.notebook.corpus.prepared import examples

__all__ = ["examples"]
