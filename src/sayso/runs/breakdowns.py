"""Where a target's own error tables enter the report: one line in BREAKDOWNS, no other change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sayso.core.types import Example
from sayso.runs.predictions import Prediction
from sayso.runs.tables import Table

Breakdown = Callable[[Sequence[Example], Mapping[str, Sequence[Prediction | None]]], Table]
"""The examples of a split and every system's predictions on them, in the same order -> one table."""

BREAKDOWNS: dict[str, tuple[Breakdown, ...]] = {}
"""By the name of the task."""
