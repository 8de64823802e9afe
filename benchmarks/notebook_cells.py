"""What one notebook cell costs: with the cells above already read, and cold with a row of 768 ids.

Notebooks are made of our own assignments, one below the other. CPU time of the process, one thread.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Iterator
from itertools import accumulate, islice

from benchmarks import Row
from sayso.core.types import Piece, Request
from sayso.english.cells import MOST, read_row
from sayso.neural.cells import load_cells
from sayso.neural.installed import open_bundle
from sayso.targets.notebook.assignments import assignments
from sayso.targets.notebook.systems.cells import NAME, Cells, Drawn, weighing_of

ASKED, FEWEST = 16, 1


def notebooks() -> Iterator[tuple[Request, Request]]:
    """A request far down a notebook of our own, and the one after it, when its answer stands there."""
    every = list(assignments())
    grown = list(accumulate((*one.context, Piece("text", one.request), Piece("code", one.solution)) for one in every))
    for place in range(6, len(every) - 1, 5):
        above = grown[place - 1]
        first, second = every[place], every[place + 1]
        done = (*above, *first.context, Piece("text", first.request), Piece("code", first.solution))
        yield Request(first.request, (*above, *first.context)), Request(second.request, (*done, *second.context))


def run(asked: int = ASKED) -> list[Row]:
    before = time.process_time()
    model, bundle = open_bundle(NAME, load_cells)
    loading = time.process_time() - before
    system = Cells(Drawn(model), weighing_of(bundle.settings))
    cold, warm, read = [], [], []
    for first, second in islice(notebooks(), asked):
        model.kept.clear()
        cold.append(timed(system, first))
        warm.append(timed(system, second))
        read.append(len(read_row(model.tokens, first).ids))
    size = sum((bundle.folder / name).stat().st_size for name in bundle.files) / 2**20
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [
        Row("a cell, cells above already read, p50", statistics.median(warm), "CPU s", len(warm), limit=3.0),
        Row("a cell, cold, p50", statistics.median(cold), "CPU s", len(cold), limit=6.0),
        Row("a cell, cold, longest", max(cold), "CPU s", len(cold)),
        Row(f"ids read cold, of {MOST} at most", statistics.median(read), "ids", len(read)),
        Row("loading", loading, "CPU s", 1),
        Row("weights on disk", size, "MiB", 1, limit=48.0),
        Row("memory at most", peak, "MiB", 1),
    ]


def timed(system: Cells, request: Request) -> float:
    before = time.process_time()
    system.translate([request], 5)
    return time.process_time() - before
