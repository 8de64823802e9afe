"""Bars that are never learnt and never thinned: deeds nobody asked for, all deleted where some were meant."""

from __future__ import annotations

from sayso.targets.bash.safety.barring import bars, read

__all__ = ["bars", "read"]
