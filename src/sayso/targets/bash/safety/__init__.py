"""Bars that are never learnt and never thinned: deeds nobody asked for, all deleted where some were meant."""

from __future__ import annotations

from sayso.targets.bash.safety.taken_words import taken_over
from sayso.targets.bash.safety.unasked_deeds import unasked

__all__ = ["taken_over", "unasked"]
