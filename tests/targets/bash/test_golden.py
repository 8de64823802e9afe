"""Every tenth of the frozen answers is given again; `python -m benchmarks.golden` asks all of them."""

from __future__ import annotations

import pytest
from benchmarks.golden import default_system, differences, frozen, is_same, told


@pytest.mark.slow
def test_answers_are_those_that_were_frozen() -> None:
    changed = [told(row, now) for row, now in differences(frozen()[::10], default_system())]
    assert not changed, "look at each, then freeze them: python -m benchmarks.golden --write\n" + "\n".join(changed)


def test_a_difference_in_text_score_risk_or_reason_is_seen() -> None:
    row = {"request": "x", "abstained": False, "candidates": [["ls", 0.9, "reads", ["like"]]]}
    for other in (["ls -l", 0.9, "reads", ["like"]], ["ls", 0.91, "reads", ["like"]], ["ls", 0.9, "writes", ["like"]],
                  ["ls", 0.9, "reads", []]):  # fmt: skip
        assert not is_same(row, {**row, "candidates": [other]})
    assert not is_same(row, {**row, "abstained": True}) and not is_same(row, {**row, "candidates": []})
    assert is_same(row, {**row, "candidates": [["ls", 0.9001, "reads", ["like"]]]})
