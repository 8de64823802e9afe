"""The systems that ship: recipes, the trunk, both together, and the question back where two readings are close."""

from __future__ import annotations

from sayso.targets.bash.systems.question import question_for

__all__ = ["question_for"]
