"""Statistics as JSON values and back, so that scores, intervals and tests can be computed again without a model.

An unscored example becomes {"unscored": REASON}; no metric may use an object of that one key for anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sayso.core.errors import BadFile
from sayso.core.types import Unscored

KEY = "unscored"


def to_json(stats: Iterable[Any]) -> list[Any]:
    """[1, Unscored("late")] -> [1, {"unscored": "late"}]"""
    return [{KEY: stat.reason} if isinstance(stat, Unscored) else stat for stat in stats]


def from_json(values: Sequence[Any]) -> list[Any]:
    """The inverse of `to_json`, before or after a trip through a file."""
    return [_stat(value) for value in values]


def _stat(value: Any) -> Any:
    if not isinstance(value, dict) or set(value) != {KEY}:
        return value
    if not isinstance(value[KEY], str):
        raise BadFile(f"a saved statistic has {value[KEY]!r} as the reason why it is unscored", "score it again")
    return Unscored(value[KEY])
