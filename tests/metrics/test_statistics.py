"""Statistics survive a file, unscored ones included."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import BadFile
from sayso.core.types import Unscored
from sayso.metrics.statistics import from_json, to_json

numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
stats = numbers | st.lists(numbers) | st.dictionaries(st.sampled_from(["n", "seen"]), numbers) | st.booleans()


@given(st.lists(stats | st.builds(Unscored, st.text())))
def test_what_is_saved_is_read_back(values: list[Any]) -> None:
    assert from_json(json.loads(json.dumps(to_json(values)))) == values


def test_the_shape_of_an_unscored_example() -> None:
    assert to_json([1, Unscored("late")]) == [1, {"unscored": "late"}]


def test_an_altered_reason_is_refused() -> None:
    with pytest.raises(BadFile, match="reason"):
        from_json([{"unscored": 3}])
