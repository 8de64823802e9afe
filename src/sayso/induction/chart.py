"""How the spans of a source derive parts of a goal, and what a known rule says of a part that is not yet known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from sayso.induction.rules import HOLES, Book, Rule, Span, holes_of


@dataclass(frozen=True)
class Step:
    """A rule and the parts that fill its holes."""

    rule: int
    holes: tuple[Span, ...] = ()
    values: tuple[str, ...] = ()


Cells = Mapping[Span, Mapping[str, Step]]


def recognise(book: Book, source: str, goal: str) -> Cells:
    """What each span derives that occurs in the goal: only that can be a part of a derivation of it."""
    cells: defaultdict[Span, dict[str, Step]] = defaultdict(dict)
    for span, number, holes in book.matches(source):
        rule = book.rules[number]
        if not holes:
            if rule.target in goal:
                cells[span].setdefault(rule.target, Step(number))
            continue
        choices = [cells.get(hole) for hole in holes]
        if not all(choices):
            continue
        for values in product(*(choice or () for choice in choices)):
            target = rule.fill(values)
            if target in goal and target not in cells[span]:
                cells[span][target] = Step(number, holes, values)
    return cells


def rules_used(cells: Cells, span: Span, target: str) -> frozenset[int] | None:
    """The rules of one derivation of the target, or None if there is none."""
    step = cells.get(span, {}).get(target)
    if step is None:
        return None
    parts = (rules_used(cells, hole, value) or () for hole, value in zip(step.holes, step.values, strict=True))
    return frozenset((step.rule,)).union(*parts)


def implied(book: Book, source: str, target: str, cells: Cells, even_bare: bool = False) -> Iterator[tuple[str, str]]:
    """Pairs that must hold if a known rule is the outermost one: from `X again`, `tap it again` -> `tap it`.

    A rule of holes alone says too little to stand for that, unless asked for.
    """
    for number in book.frames_for(source):
        rule = book.rules[number]
        if rule.words or even_bare:
            for holes in holes_of(rule.parts, source, 0, len(source)):
                yield from left_over(rule, holes, source, target, cells)


def left_over(rule: Rule, holes: tuple[Span, ...], source: str, target: str, cells: Cells) -> Iterator[tuple[str, str]]:
    """What one hole must say if the others say what they can."""
    for at, (start, end) in enumerate(holes):
        others = [other for other in range(rule.arity) if other != at]
        for known in product(*(cells.get(holes[other], {}) for other in others)):
            pattern = rule.target
            for other, value in zip(others, known, strict=True):
                pattern = pattern.replace(HOLES[other], value)
            found = solve(pattern, HOLES[at], target)
            if found and found not in cells.get((start, end), {}):
                yield source[start:end], found


def solve(pattern: str, hole: str, target: str) -> str:
    """The value of the hole that makes the pattern the target, or nothing: ("XaX", "bab") -> "b" """
    times = pattern.count(hole)
    size, rest = divmod(len(target) - len(pattern) + times, times)
    start = pattern.index(hole)
    value = target[start : start + size]
    return value if size > 0 and not rest and pattern.replace(hole, value) == target else ""
