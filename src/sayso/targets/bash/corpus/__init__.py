"""NL2Bash: raw pairs, filter, split, constants, statistics, slices, what is held out of training; `asked`: our own."""

from __future__ import annotations

from sayso.targets.bash.corpus.judged_sample import accuracy, is_right, overlap, read_sample
from sayso.targets.bash.corpus.nl2bash import load

__all__ = ["accuracy", "is_right", "load", "overlap", "read_sample"]
