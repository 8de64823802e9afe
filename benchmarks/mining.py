"""How fast notebooks are mined on one core, and whether memory stays flat; over the real corpus where it is.

`python -m benchmarks mining`. The promise is 150 notebooks a second and core (CPU time), and no memory that grows with
the corpus. Elsewhere notebooks of our own stand in for it.
"""

from __future__ import annotations

import json
import resource
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from benchmarks import Row
from sayso.apps import settings
from sayso.core.progress import silent
from sayso.targets.notebook.corpus.mining import mine
from sayso.targets.notebook.corpus.prepared import mine_into
from sayso.targets.notebook.corpus.sources import RAW, Source, raw_corpus

MOST_MS = 1_000 / 150
MOST_GROWTH = 48.0
"""MB that the peak may grow between the first and the last quarter."""
NOTEBOOKS = 1_600
FEWEST = 100
EVERY = 11
"""Of the real corpus, so that many repositories take part."""


def run(most: int = NOTEBOOKS) -> list[Row]:
    sources = [*islice(notebooks(), most)]
    for source in sources[:20]:
        mine(source)  # models are loaded once
    start = time.process_time()
    kept = sum(len(mine(source).get("examples", ())) for source in sources)
    each = (time.process_time() - start) / len(sources)
    rate = 1 / each
    rows = [Row("mining, CPU of a notebook", each * 1e3, "ms", len(sources), rate, "a second", limit=MOST_MS)]
    rows.append(Row("mining, examples of a notebook", kept / len(sources), "", len(sources)))
    return [*rows, Row("mining, growth of memory", growth(sources), "MB", len(sources), limit=MOST_GROWTH)]


def growth(sources: list[Source]) -> float:
    """Peak after all less peak after a quarter, with shards written as in a real run."""
    with tempfile.TemporaryDirectory() as folder:
        quarter = len(sources) // 4
        mine_into(Path(folder) / "first", sources[:quarter], silent, None)
        before = peak()
        mine_into(Path(folder) / "rest", sources[quarter:], silent, None)
        return peak() - before


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def notebooks() -> Iterator[Source]:
    data = settings.data_folder()
    if (data / "notebooks" / RAW[0]).is_file():
        return islice(raw_corpus(data), 0, None, EVERY)
    return (Source(f"own {number}", line=own(number)) for number in range(NOTEBOOKS))


def own(number: int) -> str:
    """A notebook of 30 cells as the raw corpus keeps it."""
    cells = []
    for place in range(15):
        text = f"## Step {place}\n\nCompute the mean of column {number + place} and show it as a table of the groups."
        code = f"frame_{place} = data.groupby('group')['column {number}'].mean()\nprint(frame_{place}.head({place}))"
        cells += [{"type": "markdown", "source": text}, {"type": "code", "source": code, "executed": 1}]
    row = {"repo": f"own/{number % 7}", "path": f"{number}.ipynb", "nbformat": 4, "lang": "python", "cells": cells}
    return json.dumps(row)
