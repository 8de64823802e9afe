"""`sayso data mine notebooks PATH…`: examples from a user's own notebooks, folders and clones."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sayso.core.progress import Progress
from sayso.core.types import Example, Mining
from sayso.targets.notebook.corpus.assembling import Report, assemble
from sayso.targets.notebook.corpus.lines import row_writer
from sayso.targets.notebook.corpus.mining import VERSION
from sayso.targets.notebook.corpus.packing import examples_of
from sayso.targets.notebook.corpus.prepared import mine_into, read_mined
from sayso.targets.notebook.corpus.sources import LARGEST, Source, given


def mine_paths(mining: Mining, progress: Progress) -> Mapping[str, object]:
    """Write one example a line where that is asked for; says what was kept, and why the rest was dropped.

    What was mined so far lies beside the file that is written, so that a killed run goes on where it was.
    """
    largest = mining.largest or LARGEST
    if mining.out is None:
        with tempfile.TemporaryDirectory() as folder:
            return mined_facts(mining, Path(folder), largest, progress)
    parts = mining.out.with_name(f"{mining.out.name}.parts-{VERSION}")
    facts = mined_facts(mining, parts, largest, progress)
    shutil.rmtree(parts)
    return facts


def mined_facts(mining: Mining, parts: Path, largest: int, progress: Progress) -> dict[str, object]:
    packed = any(path.name.endswith((".jsonl", ".jsonl.zst")) for path in mining.paths)
    sources: Iterator[Source] = given(mining.paths, largest)
    total = 0
    if not packed:  # names of files take no memory to speak of; lines of a packed corpus do
        listed = [*sources]
        sources, total = iter(listed), len(listed)
    mine_into(parts, sources, progress, mining.engine, total)
    report = Report()
    rows = assemble(lambda: read_mined(parts), cap=mining.cap, report=report)
    examples = (example for row in rows for example in examples_of(row))
    if mining.out is None:
        kept = sum(1 for _ in examples)
    else:
        kept = 0
        with row_writer(mining.out) as write:
            for example in examples:
                write(example_line(example))
                kept += 1
    facts = report.as_json()
    del facts["packages"]
    return {"kept": kept, **facts, "out": str(mining.out) if mining.out else None}


def example_line(example: Example) -> dict[str, Any]:
    """As `sayso translate` reads a request, with what it should answer."""
    context = [{"kind": piece.kind, "text": piece.text} for piece in example.request.context]
    return {
        "id": example.id,
        "text": example.request.text,
        "context": context,
        "references": list(example.references),
        "meta": dict(example.meta),
    }
