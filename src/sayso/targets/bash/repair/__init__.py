"""A command that failed, its message and its surroundings, turned into one that works."""

from __future__ import annotations

from sayso.targets.bash.repair.programs import programs_called
from sayso.targets.bash.repair.repairs import Failure, Surroundings, repair

__all__ = ["Failure", "Surroundings", "programs_called", "repair"]
