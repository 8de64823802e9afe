"""Candidate frames: a pair in which one or two parts that are understood already are taken out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from sayso.induction.chart import Cells
from sayso.induction.rules import HOLES, Rule

WORD_COST, HOLE_COST, RULE_COST = 8, 1, 1


def cost(source: str, target: str) -> int:
    """The code length of a rule, up to scale: a hole is said more cheaply than a word."""
    holes = sum((source + target).count(hole) for hole in HOLES)
    return RULE_COST + HOLE_COST * holes + WORD_COST * (len(source) + len(target) - holes)


def frames_of(source: str, target: str, cells: Cells, limit: int) -> Iterator[Rule]:
    """Every rule that with phrases of the chart derives the pair at once; a hole is never all of the source."""
    parts = sorted((span, value) for span, values in cells.items() for value in values if span != (0, len(source)))
    made = 0
    for (start, end), value in parts:
        yield Rule(source[:start] + HOLES[0] + source[end:], target.replace(value, HOLES[0]))
    for ((start, end), one), ((begin, stop), other) in combinations(parts, 2):
        if end > begin or one == other:
            continue
        made += 1
        if made > limit:
            return
        frame = source[:start] + HOLES[0] + source[end:begin] + HOLES[1] + source[stop:]
        for meaning in dict.fromkeys(
            (replace_both(target, one, other), replace_both(target, other, one, swapped=True))
        ):
            if all(hole in meaning for hole in HOLES):
                yield Rule(frame, meaning)


def replace_both(target: str, first: str, second: str, swapped: bool = False) -> str:
    """The target with the first value taken out wherever it stands, then the second where it still does."""
    one, two = (1, 0) if swapped else (0, 1)
    return target.replace(first, HOLES[one]).replace(second, HOLES[two])
