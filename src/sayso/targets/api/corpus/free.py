"""Sixty short requests as people type them, whatever their domain: half to look at (dev), half blind (test)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files

from sayso.core.types import Example, Request, Split, Workspace

PARTS = {"dev": "dev", "test": "blind"}


def load_free(workspace: Workspace, split: Split) -> Iterator[Example]:
    """There is nothing to train on: the parsers learn from Okapi."""
    path = files("sayso.targets.api") / "data" / "free" / "requests.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["part"] == PARTS.get(split):
            yield Example(row["id"], Request(row["text"]), (row["call"],), {"rows": "1", "domain": row["domain"]})
