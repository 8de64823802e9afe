"""How sure a call is, and which words of the request it leaves unused."""

from __future__ import annotations

from sayso.targets.api.evidence.chances import better_fit
from sayso.targets.api.evidence.unused_words import left_out

__all__ = ["better_fit", "left_out"]
