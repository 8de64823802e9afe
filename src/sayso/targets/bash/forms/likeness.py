"""How alike two commands are: their utilities aligned by place, and the flags of each (the score of NLC2CMD)."""

from __future__ import annotations

from collections.abc import Sequence

Utilities = Sequence[tuple[str, frozenset[str]]]


def command_score(found: Utilities, wanted: Utilities) -> float:
    """The mean over aligned utilities: [(ls, {-l})] for [(ls, {-l, -a})] -> (1 + 0) / 2"""
    longest = max(len(found), len(wanted))
    if not longest:
        return 1.0
    total = -1.0 * (longest - min(len(found), len(wanted)))
    for (name, flags), (right_name, right_flags) in zip(found, wanted, strict=False):
        total += (1 + flag_score(flags, right_flags)) / 2 if name == right_name else -1.0
    return total / longest


def flag_score(found: frozenset[str], wanted: frozenset[str]) -> float:
    """S_F = (2 |both| − |either|) / max(1, |found|, |wanted|); 1 when neither has flags."""
    if not found and not wanted:
        return 1.0
    return (2 * len(found & wanted) - len(found | wanted)) / max(1, len(found), len(wanted))
