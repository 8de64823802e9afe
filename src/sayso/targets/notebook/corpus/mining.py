"""One notebook mined (§3.1): every code cell below Markdown becomes an example, or is dropped for a reason.

`mine` takes a source and gives a plain JSON value, so that any engine can run it and shards can keep it.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from sayso.core.errors import SaysoError
from sayso.targets.notebook.corpus.english import dropped
from sayso.targets.notebook.corpus.notebook import Notebook
from sayso.targets.notebook.corpus.sources import Source, read
from sayso.targets.notebook.corpus.target_cell import TargetCell, target_cell

VERSION = 4
"""Of what is mined: a cache of another version is mined again."""

IMPORTS = re.compile(r"^[^\S\n]*(?:import[^\S\n]+([^#;\n]+)|from[^\S\n]+(\w+)[\w.]*[^\S\n]+import\b)", re.M)
FIRST_NAME = re.compile(r"(?:^|,)\s*(\w+)")

Mined = Mapping[str, Any]
"""repository, path; `dropped`: why the notebook is left out; else `cells` as [kind, text, place] and `examples`;
`steps`: counts by step or reason; `broken`: one line where it could not be read."""


def mine(source: Source) -> Mined:
    """Never raises on what is in a notebook: a broken one is one line."""
    try:
        notebook = read(source)
    except SaysoError as error:
        return {"broken": error.message, "hint": error.hint, "source": source.name}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = getattr(error, "strerror", "") or f"{type(error).__name__}: {error}"
        return {"broken": f"{source.name}: cannot be read: {reason}", "source": source.name}
    return mine_notebook(notebook)


def mine_notebook(notebook: Notebook) -> Mined:
    head = {"repository": notebook.repository, "path": notebook.path}
    if reason := dropped(notebook):
        return {**head, "dropped": reason}
    steps: Counter[str] = Counter()
    examples: list[dict[str, Any]] = []
    cells = shown_cells(notebook)
    above = hashlib.sha256()
    seen = 0
    for place, cell in enumerate(notebook.cells):
        if cell.kind == "code":
            steps["code cells"] += 1
            before = notebook.cells[place - 1] if place else None
            if before is None or before.kind != "text" or not before.text.strip():
                steps["no Markdown directly above"] += 1
            else:
                steps["below Markdown"] += 1
                found = target_cell(cell.text)
                if isinstance(found, str):
                    steps[found] += 1
                else:
                    steps["converted from Python 2"] += found.converted
                    steps["cut at 120 tokens"] += found.is_cut
                    examples.append(example_row(found, place, seen, above))
        if seen < len(cells) and cells[seen][2] == place:
            above.update(f"{cells[seen][0]}\0{cells[seen][1]}\0".encode("utf-8", "surrogatepass"))
            seen += 1
    steps["cells"] = len(notebook.cells)
    last = max((row["above"] for row in examples), default=0)
    rest = {"steps": dict(steps), "packages": packages(notebook), "cells": cells[:last], "examples": examples}
    return {**head, "dropped": "", **rest}


def packages(notebook: Notebook) -> list[str]:
    """What a notebook imports, by the first name, in order of the alphabet."""
    code = (cell.text for cell in notebook.cells if cell.kind == "code")
    lines = ("".join(found) for text in code if "import" in text for found in IMPORTS.findall(text))
    return sorted({name for line in lines for name in FIRST_NAME.findall(line)})


def shown_cells(notebook: Notebook) -> list[list[Any]]:
    """Cells that stand in a context: text and code that is not blank, each with its place in the notebook."""
    return [
        [cell.kind, cell.text, place]
        for place, cell in enumerate(notebook.cells)
        if cell.kind != "raw" and cell.text.strip()
    ]


def example_row(found: TargetCell, place: int, above: int, context: Any) -> dict[str, Any]:
    """`above` counts the shown cells above the target, the last of which is the request; `key`: target and context."""
    key = context.copy()
    key.update(f"\1{found.reference}".encode("utf-8", "surrogatepass"))
    row: dict[str, Any] = {
        "cell": place,
        "above": above,
        "reference": found.reference,
        "runnable": found.runnable,
        "tokens": found.tokens,
        "key": key.hexdigest()[:16],
    }
    if found.converted:
        row["converted"] = True
    return row
