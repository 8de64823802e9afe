"""Tables 3, 4 and 5 and the share that can be solved (§4), from what readers labelled; absent where nobody did.

A line of the file: {"table": "table 3", "split": "dev", "id": EXAMPLE, "reader": NAME, "labels": [LABEL, …]}.
"""

from __future__ import annotations

import json
from collections import defaultdict
from importlib.resources import files
from pathlib import Path

from sayso.core.errors import BadFile

PLACE = "data/labels/notebooks.jsonl"
NEEDED = ("table", "split", "id", "reader", "labels")

Shares = dict[str, dict[str, float]]
"""Table -> label -> percent of its examples."""


def label_shares(path: Path | None = None) -> Shares:
    """Of the examples of a table, the percentage to which a reader gave each label, averaged over readers."""
    found: dict[str, dict[str, list[list[str]]]] = defaultdict(lambda: defaultdict(list))
    for table, reader, labels in read_labels(path):
        found[table][reader].append(labels)
    shares: Shares = {}
    for table, readers in found.items():
        total: dict[str, float] = defaultdict(float)
        for items in readers.values():
            for labels in items:
                for label in set(labels):
                    total[label] += 100 / (len(items) * len(readers))
        shares[table] = {label: round(share, 1) for label, share in sorted(total.items(), key=lambda one: -one[1])}
    return shares


def read_labels(path: Path | None) -> list[tuple[str, str, list[str]]]:
    """(table, reader, labels) of each line; nothing where there is no such file."""
    place = path or Path(str(files("sayso.targets.notebook").joinpath(PLACE)))
    if not place.is_file():
        return []
    rows = []
    for number, line in enumerate(place.read_text("utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            if not all(name in row for name in NEEDED) or not isinstance(row["labels"], list):
                raise ValueError(f"it needs {', '.join(NEEDED)}")
        except (ValueError, TypeError) as error:
            raise BadFile(f"{place}:{number}: not a label: {error}", "every line must be one JSON object") from error
        rows.append((str(row["table"]), str(row["reader"]), [*map(str, row["labels"])]))
    return rows
