"""What is said of a score that is made again from stored answers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from benchmarks.stored_scores import difference

from sayso.core.types import Score

KEPT = Score("exact", 0.5, 100, {}, "exact|v:1", 0.4, 0.6)


@pytest.mark.parametrize(
    ("anew", "what"),
    [
        (KEPT, "equal"),
        (replace(KEPT, value=0.51), "another value"),
        (replace(KEPT, n=99), "another value"),
        (replace(KEPT, low=0.3), "another interval"),
        (replace(KEPT, low=None, high=None), "another interval"),
        (replace(KEPT, value=0.51, signature="exact|v:2"), "another signature"),
    ],
)
def test_what_differs_is_named(anew: Score, what: str) -> None:
    assert difference(KEPT, anew) == what
