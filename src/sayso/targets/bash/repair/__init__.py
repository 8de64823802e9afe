"""A command that failed, its message and its surroundings, turned into one that works."""

from __future__ import annotations

from sayso.targets.bash.repair.programs import packages_named, programs_called
from sayso.targets.bash.repair.repairs import Failure, Surroundings, repair

__all__ = ["Failure", "Surroundings", "packages_named", "programs_called", "repair"]
