"""The map: every engine gives what the serial one gives, and no item is lost to another item's trouble."""

from __future__ import annotations

import multiprocessing
import operator
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso import scale
from sayso.core.errors import UnknownName
from sayso.scale.engines import chunked

ENGINES = [scale.Serial(), scale.Processes(2)]
engines = pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: type(engine).__name__)


def values(results: Iterator[scale.Result[object]]) -> list[object]:
    return [result.value if isinstance(result, scale.Done) else result.error for result in results]


@given(st.lists(st.integers()), st.integers(1, 7))
def test_chunks_hold_every_item_once_and_in_order(items: list[int], size: int) -> None:
    chunks = list(chunked(items, size))
    assert [item for chunk in chunks for item in chunk] == items
    assert all(len(chunk) == size for chunk in chunks[:-1])


@engines
def test_results_come_in_the_order_of_the_items(engine: scale.Engine, jobs: ModuleType) -> None:
    assert values(scale.map(jobs.double, range(100), engine, chunk=7)) == [2 * n for n in range(100)]


@engines
def test_no_items_give_no_results(engine: scale.Engine, jobs: ModuleType) -> None:
    assert list(scale.map(jobs.double, [], engine)) == []


@engines
def test_an_exception_is_the_result_of_its_own_item_alone(engine: scale.Engine, jobs: ModuleType) -> None:
    got = values(scale.map(jobs.double_unless_three, range(6), engine, chunk=6))
    assert got == [0, 2, 4, "ValueError: three is not allowed", 8, 10]


def test_an_item_that_kills_its_worker_loses_no_other_item(jobs: ModuleType) -> None:
    got = values(scale.map(jobs.die_on_five, range(20), scale.Processes(2), chunk=4))
    assert got == [2 * n if n != 5 else "the worker process died on this item" for n in range(20)]


def test_a_worker_killed_from_outside_is_replaced(jobs: ModuleType, tmp_path: Path) -> None:
    items = [(n, str(tmp_path)) for n in range(20)]
    assert values(scale.map(jobs.die_once, items, scale.Processes(2), chunk=4)) == [2 * n for n in range(20)]
    assert (tmp_path / "died").exists()


def test_only_a_bounded_number_of_items_is_read_ahead() -> None:
    read = 0

    def endless() -> Iterator[int]:
        nonlocal read
        while True:
            read += 1
            yield read

    results = scale.map(operator.neg, endless(), scale.Processes(2), chunk=10)
    first = [next(results) for _ in range(5)]
    assert [result.value for result in first if isinstance(result, scale.Done)] == [-1, -2, -3, -4, -5]
    assert read <= 10 * 2 * 2


def test_a_caller_that_stops_listening_leaves_no_process_behind(jobs: ModuleType, tmp_path: Path) -> None:
    before = set(multiprocessing.active_children())
    results = scale.map(jobs.slow_double, ((n, str(tmp_path)) for n in range(1000)), scale.Processes(2), chunk=1)
    next(results)
    results.close()  # type: ignore[attr-defined]
    time.sleep(0.2)
    assert set(multiprocessing.active_children()) <= before


@pytest.mark.slow
def test_memory_stays_flat_however_many_items_there_are() -> None:
    def peak(count: int) -> int:
        tracemalloc.start()
        for _ in scale.map(operator.neg, iter(range(count)), scale.Serial()):
            pass
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    assert peak(200_000) < peak(2_000) + 100_000


def test_progress_counts_every_item(jobs: ModuleType) -> None:
    told: list[int] = []
    list(scale.map(jobs.double, range(10), scale.Serial(), chunk=4, progress=told.append))
    assert told == [4, 4, 2]


def test_an_unknown_engine_is_answered_with_near_misses() -> None:
    with pytest.raises(UnknownName, match="unknown engine") as caught:
        scale.open_engine("procesess")
    assert "processes" in caught.value.hint
