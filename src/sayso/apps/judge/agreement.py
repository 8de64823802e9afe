"""How far the judges of a board agree, as values for the page and the terminal (NL2Bash table 7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from sayso.apps.judge.board import Board
from sayso.apps.judge.items import Json
from sayso.metrics.agreement import agreement as agreement_of
from sayso.metrics.agreement import alpha, pairwise


def agreement(board: Board, items: Sequence[str]) -> list[Json]:
    """For each measure, raw agreement and alpha over first looks, which are independent, and over last looks."""
    first, last = board.ratings(items, look=1), board.ratings(items)
    return [
        {"measure": measure, "first": _both(first.get(measure, [])), "last": _both(last.get(measure, []))}
        for measure in ("command", "template", "line", "tag")
        if measure in last
    ]


def pairs(board: Board, items: Sequence[str]) -> list[Json]:
    """Every two judges over what both judged at first look, as NL2Bash table 7 prints them."""
    return [
        {
            "measure": measure,
            "judges": [pair.first, pair.second],
            "n": pair.n,
            "raw": pair.agreement,
            "alpha": _number(pair.alpha),
        }
        for measure, units in board.ratings(items, look=1).items()
        for pair in pairwise(units)
        if pair.n
    ]


def _both(units: Sequence[dict[str, str]]) -> Json:
    return {
        "n": len(units),
        "raw": _number(agreement_of(_pairs(units))),
        "alpha": _number(alpha(unit.values() for unit in units)),
    }


def _pairs(units: Iterable[dict[str, str]]) -> Iterable[tuple[str, str]]:
    return (pair for unit in units for pair in combinations(unit.values(), 2))


def _number(value: float) -> float | None:
    """JSON has no NaN: None where alpha is not defined."""
    return None if value != value else round(value, 6)
