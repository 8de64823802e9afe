"""Benchmarks: each module has `run() -> list[Row]`; `python -m benchmarks` prints them all and writes nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measurement. `ratio` compares it with `against`, so that machines can be compared; `limit` is promised, or
    `at_least` for the ratio."""

    name: str
    value: float
    unit: str
    n: int
    ratio: float | None = None
    against: str = ""
    limit: float | None = None
    at_least: float | None = None

    @property
    def kept(self) -> bool:
        is_fast = self.at_least is None or (self.ratio is not None and self.ratio >= self.at_least)
        return is_fast and (self.limit is None or self.value <= self.limit)
