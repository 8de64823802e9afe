"""A linear score of named columns, each shifted and scaled first; 0 is the score of "none of these"."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sayso.core.errors import BadBundle


@dataclass(frozen=True)
class Weighing:
    columns: tuple[str, ...]
    centre: tuple[float, ...]
    scale: tuple[float, ...]
    weight: tuple[float, ...]

    def score(self, row: Sequence[float]) -> float:
        parts = zip(row, self.centre, self.scale, self.weight, strict=True)
        return sum(weight * (value - centre) / scale for value, centre, scale, weight in parts)

    def named(self) -> dict[str, float]:
        return {name: round(weight, 3) for name, weight in zip(self.columns, self.weight, strict=True)}

    def as_json(self) -> dict[str, Any]:
        told = {"centre": self.centre, "scale": self.scale, "weight": self.weight}
        return {"columns": list(self.columns), **{name: [round(one, 6) for one in some] for name, some in told.items()}}


def from_arrays(columns: Sequence[str], centre: Iterable[Any], scale: Iterable[Any], weight: Iterable[Any]) -> Weighing:
    return Weighing(tuple(columns), *(tuple(map(float, some)) for some in (centre, scale, weight)))


def weighing_from(given: Mapping[str, Any], columns: Sequence[str]) -> Weighing:
    """As a bundle has it; its columns must be those that are filled here."""
    try:
        if tuple(given["columns"]) != tuple(columns):
            raise BadBundle("its weights are for other columns than this sayso fills", "upgrade both together")
        found = from_arrays(columns, given["centre"], given["scale"], given["weight"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadBundle(f"it does not say how candidates are weighed: {error}", "make it again") from error
    every = (*found.centre, *found.scale, *found.weight)
    if len(every) != 3 * len(columns) or not all(map(math.isfinite, every)) or 0.0 in found.scale:
        raise BadBundle("its weights do not fit their columns", "make it again")
    return found
