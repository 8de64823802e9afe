"""What is known of utilities and flags: the shipped base, this machine's own manuals, dialects of tools."""

from __future__ import annotations

from sayso.targets.bash.knowledge.machine import MachineIndex, lookup

__all__ = ["MachineIndex", "lookup"]
