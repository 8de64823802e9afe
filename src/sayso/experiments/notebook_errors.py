"""JuICe table 8: six classes of wrong answers, and what readers said of a system's (`benchmarks/notebook_errors.py`).

What they said is kept in a checkout as ids and classes, one line an answer.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

FILE = Path("labels", "notebook_errors.jsonl")
"""Below a checkout's results."""
CLASSES: dict[str, str] = {
    "challenging NL reasoning": "the intent is missed: nothing of what was asked for is done",
    "arguments missed": "the right thing is called, and arguments that request or context give are missing or wrong",
    "contextual reasoning": "names, types or values of the three cells that were read are ignored or misused",
    "needs longer context": "what was needed stands farther above than the three cells that were read",
    "partially correct": "some lines are right and others are missing or wrong",
    "semantically equivalent": "it does the same as the reference and is written otherwise",
}
PAPER = dict(zip(CLASSES, (39, 17, 26, 10, 26, 15), strict=True))
"""Per cent."""


def shares(said: Sequence[Sequence[Sequence[str]]]) -> dict[str, float]:
    """Class → per cent of the answers, the mean over readers."""
    readers = [set(tags) for one in said for tags in one]
    return {name: 100 * sum(name in tags for tags in readers) / max(1, len(readers)) for name in CLASSES}


def kept(results: Path | None) -> dict[str, dict[str, list[list[str]]]]:
    """System → id of the example → each reader's classes; nothing outside a checkout."""
    found: dict[str, dict[str, list[list[str]]]] = {}
    path = results / FILE if results else None
    for line in path.read_text("utf-8").splitlines() if path and path.is_file() else ():
        row = json.loads(line)
        found.setdefault(row["system"], {})[row["id"]] = row["said"]
    return found
