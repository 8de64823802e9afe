"""Where rows lie in the runtime's memory: each stays where it is unless another continues the same one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sayso.neural.runtime import settle


def test_rows_stay_where_they_are() -> None:
    assert settle([0, 1, 2]) == [0, 1, 2]
    assert settle([2, 0, 1]) == [2, 0, 1]


def test_the_second_that_continues_a_row_moves_and_so_does_a_row_beyond_the_last() -> None:
    assert settle([0, 0, 2]) == [0, 1, 2]
    assert settle([5, 1, 1]) == [0, 1, 2]
    assert settle([3]) == [0]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=8))
def test_no_row_is_written_over_before_it_is_copied(origins: list[int]) -> None:
    places = settle(origins)
    assert sorted(places) == list(range(len(origins)))
    moved = [place for place, origin in zip(places, origins, strict=True) if place != origin]
    assert not set(moved) & set(origins)
    assert sum(place == origin for place, origin in zip(places, origins, strict=True)) == len(
        {origin for origin in origins if origin < len(origins)}
    )
