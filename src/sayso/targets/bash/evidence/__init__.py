"""What speaks against a command for one request, as named numbers with a reason; the columns that are weighed."""

from __future__ import annotations

from sayso.targets.bash.evidence.machine import tools_lack

__all__ = ["tools_lack"]
