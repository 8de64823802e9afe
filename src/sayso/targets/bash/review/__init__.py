"""What a reader would point at in a command, what each word does, what a machine lacks for it."""

from __future__ import annotations

from sayso.targets.bash.review.check import findings
from sayso.targets.bash.review.explain import notes
from sayso.targets.bash.review.machine_lacks import differing, lacking

__all__ = ["differing", "findings", "lacking", "notes"]
