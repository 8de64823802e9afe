"""Partitions of T: every package once, the same cells for the same seed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import UserError
from sayso.targets.build.evaluation.partition import ALL, Partition, parse_partition

NAMES = st.lists(st.text("abcdef", min_size=1, max_size=4), unique=True, max_size=30)


@given(NAMES, st.integers(0, 12), st.integers(0, 99))
def test_every_package_stands_in_one_cell(names: list[str], size: int, seed: int) -> None:
    partition = Partition(size, seed)
    cells = partition.cells(names)
    assert sorted(name for cell in cells for name in cell) == sorted(names)
    assert cells == partition.cells(names)
    if size == ALL:
        assert len(cells) == bool(names)
    else:
        assert all(len(cell) == size for cell in cells[:-1] if len(cells) > 1) or len({*map(len, cells)}) <= 2
        assert len(cells) == -(-len(names) // size)


@given(NAMES, st.integers(2, 5))
def test_cells_do_not_depend_on_the_order_in_which_packages_are_listed(names: list[str], size: int) -> None:
    there, back = Partition(size, 7).cells(names), Partition(size, 7).cells(names[::-1])
    assert {frozenset(cell) for cell in there} == {frozenset(cell) for cell in back}


def test_singletons_stand_in_the_order_of_the_set_and_seeds_differ() -> None:
    names = [f"p{at}" for at in range(20)]
    assert Partition().cells(names) == [(name,) for name in names]
    assert Partition(4, 0).cells(names) != Partition(4, 1).cells(names)
    assert {Partition(size, seed).name for size in (0, 1, 4) for seed in (0, 1)} == {
        "all", "singletons", "4,seed:0", "4,seed:1",
    }  # fmt: skip


def test_what_is_asked_for_is_read() -> None:
    assert parse_partition("4", 2) == Partition(4, 2) and parse_partition("all", 2) == Partition(ALL)
    assert parse_partition("1", 2).name == "singletons"
    for bad in ("0", "-1", "x", "", "²", "9" * 400):
        with pytest.raises(UserError, match="at once"):
            parse_partition(bad, 0)
