"""How far two parts of a corpus differ in atoms and in compounds: DBCA (Keysers et al.), as Okapi §6 uses it.

Okapi names its atoms (parameters, properties, operators) but not its compounds. Here a compound is any non-empty subset
of a call's clauses without their values: of the readings that were tried, the one nearest to table 8.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import combinations
from typing import TypeVar

from sayso.targets.api.syntax.calls import Call, Clause, Filter, OrderBy, Select

T = TypeVar("T")

ATOM_ALPHA, COMPOUND_ALPHA = 0.5, 0.1


def atom_divergence(train: Iterable[Call], test: Iterable[Call]) -> float:
    return divergence(train, test, atoms, ATOM_ALPHA)


def compound_divergence(train: Iterable[Call], test: Iterable[Call]) -> float:
    return divergence(train, test, compounds, COMPOUND_ALPHA)


def divergence(train: Iterable[T], test: Iterable[T], parts: Callable[[T], Iterable[Hashable]], alpha: float) -> float:
    """1 − Σ p^α q^(1−α); 0 where both parts have the same distribution, 1 where they share nothing."""
    left, right = (Counter(part for call in calls for part in parts(call)) for calls in (train, test))
    n_left, n_right = left.total(), right.total()
    shared = (part for part in left if part in right)
    return 1.0 - sum(float((left[part] / n_left) ** alpha * (right[part] / n_right) ** (1 - alpha)) for part in shared)


def atoms(call: Call) -> Iterator[str]:
    """Parameters, properties, operators and directions."""
    for clause in call.clauses:
        yield from outline(clause)


def compounds(call: Call) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Every subset of the clauses, values left out."""
    outlines = sorted({outline(clause) for clause in call.clauses})
    for size in range(1, len(outlines) + 1):
        yield from combinations(outlines, size)


def outline(clause: Clause) -> tuple[str, ...]:
    """FILTER message.from eq Bo -> (Filter, message.from, eq)"""
    kind = type(clause).__name__
    if isinstance(clause, Filter):
        return kind, clause.property, clause.operator
    if isinstance(clause, OrderBy):
        return kind, clause.property, clause.direction
    return (kind, clause.property) if isinstance(clause, Select) else (kind,)
