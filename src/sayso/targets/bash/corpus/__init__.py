"""NL2Bash: raw pairs, filter, split, constants, statistics, slices, what is held out of training; `asked`: our own."""

from __future__ import annotations

from sayso.targets.bash.corpus.nl2bash import load

__all__ = ["load"]
