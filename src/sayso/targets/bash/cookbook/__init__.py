"""The recipes of Bash: reading them, putting values into their commands, meaning, what is prepared."""

from __future__ import annotations

from sayso.targets.bash.cookbook.recipes import cookbook_system

__all__ = ["cookbook_system"]
