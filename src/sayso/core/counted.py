"""The tables of a corpus of our own: rows with a number and a share, what was dropped and on what ground."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Cell = Mapping[str, float | None]


@dataclass(frozen=True)
class CountedCorpus:
    """Tables as row -> {"n", "share"}; figures as label -> count. Satisfies `CorpusStats`."""

    corpus: str
    tables: Mapping[str, Mapping[str, Cell]]
    dropped: Mapping[str, int]
    grounds: Mapping[str, str]
    figures: Mapping[str, Mapping[str, int]]
    constants: Sequence[object] = ()


def shares(counts: Mapping[str, int], total: int | None = None) -> dict[str, Cell]:
    """{"a": 3, "b": 1} -> a: 3, .75; b: 1, .25"""
    whole = total or sum(counts.values()) or 1
    return {row: {"n": n, "share": round(n / whole, 4)} for row, n in counts.items()}
