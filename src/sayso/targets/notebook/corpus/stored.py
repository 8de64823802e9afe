"""The examples that lie beside the raw corpus: which split a repository is in, which submission was drawn, what ran.

They keep ten cells of context only: examples are built from the raw notebooks, and checked with these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sayso.core.types import Split
from sayso.targets.notebook.corpus.lines import read_lines, read_rows
from sayso.targets.notebook.corpus.packing import example_id

SPLITS: tuple[Split, ...] = ("train", "dev", "test")
REPOSITORY = re.compile(r'\{"repo": ?"([^"]+)"')


def stored_path(data: Path, split: Split) -> Path:
    return data / "notebooks" / f"examples_{split}.jsonl.zst"


def stored_rows(data: Path, split: Split) -> Iterator[dict[str, Any]]:
    return read_rows(stored_path(data, split))


def stored_id(row: Mapping[str, Any]) -> str:
    return example_id(row["repo"], row["path"], row["cell"])


def split_of_repositories(data: Path) -> dict[str, Split]:
    """Repository -> its only split. One that gave no example is in none."""
    found: dict[str, Split] = {}
    for split in SPLITS:
        for line in read_lines(stored_path(data, split)):
            if match := REPOSITORY.match(line):  # the rest of a line is forty times as long
                found[match[1]] = split
    return found
