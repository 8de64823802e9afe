"""What a command may do to the machine, the words that make it so, where it leads, and what may run unasked."""

from __future__ import annotations

from sayso.targets.bash.effects.named_paths import Reach, reach, used_variables

__all__ = ["Reach", "reach", "used_variables"]
