"""A task as a folder that Hugging Face's `datasets` loads: lines of JSON for each part, and a card that names them.

The lines are those of `sayso data export --references`. Nothing of that library is needed to write it.
"""

from __future__ import annotations

from pathlib import Path

from sayso.core.errors import RunFailed, UserError
from sayso.core.files import write_atomically
from sayso.core.types import Split, Task, Workspace
from sayso.runs.requests import example_line
from sayso.runs.subject import load_examples

PARTS: dict[Split, str] = {"train": "train", "dev": "validation", "test": "test"}
"""Ours -> as `datasets` calls it."""
CARD = """---
configs:
- config_name: default
  data_files:
{files}
---
# {task}

Written by `sayso data export {task} --datasets`. A row has `id`, `text` (the request), `context` (pieces with `kind`,
`text`, `name`, the nearest last), `references` and `meta` (JSON). Answers are scored by
`sayso score {task} --predictions FILE`, whose lines are `{{"id", "candidates": [{{"text", "score"}}], "abstained"}}`.

The text is the corpus's, under the corpus's own licence (`sayso data list`).
"""


def write_datasets(task: Task, workspace: Workspace, folder: Path) -> dict[str, int]:
    """How many examples each part has; a part that the task lacks is left out."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder} is not empty", "name a new folder")
    counts: dict[str, int] = {}
    for split, name in PARTS.items():
        try:
            examples = load_examples(task, split, workspace)
        except RunFailed:  # the task has no such part
            continue
        with write_atomically(folder / "data" / f"{name}.jsonl") as file:
            file.writelines(example_line(example) + b"\n" for example in examples)
        counts[name] = len(examples)
    files = "\n".join(f"  - split: {name}\n    path: data/{name}.jsonl" for name in counts)
    with write_atomically(folder / "README.md") as file:
        file.write(CARD.format(files=files, task=task.name).encode())
    return counts
