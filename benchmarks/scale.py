"""What the map costs per item, for each engine: many items whose own work is next to nothing.

The ratio is to a bare `for` loop over the same function in the same run; starting worker processes is counted in.
"""

from __future__ import annotations

import operator
import statistics
import time
from collections.abc import Callable

from benchmarks import Row
from sayso import scale

TIMES = 3


def run() -> list[Row]:
    bare = per_item(lambda count: [operator.neg(n) for n in range(count)], 1_000_000)
    rows = [Row("map, bare loop", bare * 1e6, "µs an item", TIMES)]
    for name, engine, count in (
        ("serial", scale.Serial(), 1_000_000),
        ("processes", scale.Processes(2), 200_000),
        ("ray, one machine", scale.open_engine("ray", workers=2), 50_000),
    ):
        drain(engine, 1_000)  # connecting to Ray happens once per process
        cost = per_item(lambda count, engine=engine: drain(engine, count), count)  # type: ignore[misc]
        rows.append(Row(f"map, {name}, chunks of 1,000", cost * 1e6, "µs an item", TIMES, cost / bare, "bare loop"))
    return rows


def drain(engine: scale.Engine, count: int) -> None:
    for _ in scale.map(operator.neg, range(count), engine, chunk=1_000):
        pass


def per_item(work: Callable[[int], object], count: int) -> float:
    def once() -> float:
        start = time.perf_counter()
        work(count)
        return (time.perf_counter() - start) / count

    return statistics.median(once() for _ in range(TIMES))
