"""`sayso stats notebooks`: what was mined, step by step, and the tables of JuICe §3 and §4, ours beside the paper's."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sayso.core.files import write_atomically
from sayso.core.progress import Progress, silent
from sayso.core.types import Split, Workspace
from sayso.targets.notebook.corpus.counts import Counts
from sayso.targets.notebook.corpus.labels import label_tables, read_labels
from sayso.targets.notebook.corpus.lines import read_rows
from sayso.targets.notebook.corpus.near import NearIndex
from sayso.targets.notebook.corpus.paper import CURATED, DEV_AND_TEST, GROUNDS, STEPS, TABLE_1, TRAIN
from sayso.targets.notebook.corpus.prepared import prepared
from sayso.targets.notebook.corpus.stored import SPLITS, stored_id, stored_rows

VERSION = 2
"""Of what is counted."""

Cell = Mapping[str, float | None]
Tables = dict[str, dict[str, Cell]]


@dataclass(frozen=True)
class NotebookStats:
    corpus: str
    tables: Mapping[str, Mapping[str, Cell]]
    dropped: Mapping[str, int]
    grounds: Mapping[str, str]
    figures: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    constants: Sequence[Any] = ()


def corpus_stats(workspace: Workspace, progress: Progress = silent) -> NotebookStats:
    """Counted once for a mined corpus, then read."""
    folder = prepared(workspace, progress)
    counts = counted_splits(workspace, folder, progress)
    report = json.loads((folder / "report.json").read_text("utf-8"))
    train, curated = report["train"], report["curated"]
    tables: Tables = {
        "table 1": beside(table_1(counts), TABLE_1),
        "steps": beside(steps_of(train), STEPS),
        "curated": beside(curated_facts(curated), CURATED),
        "table 2, train": beside(counts["train"], TRAIN),
        "table 2, dev and test": {
            row: {**cells, "dev": counts["dev"].get(row), "test": counts["test"].get(row)}
            for row, cells in beside(counts["both"], DEV_AND_TEST).items()
        },
        "stored examples": {row: {"ours": value} for row, value in counts["stored"].items()},
    }
    tables.update({name: dict(rows) for name, rows in label_tables(read_labels()).items()})
    packages = dict([*train["packages"].items()][:40])
    dropped = {**train["dropped_notebooks"], **train["dropped"]}
    grounds = {reason: GROUNDS.get(reason.split(",")[0], GROUNDS.get(reason, "")) for reason in dropped}
    return NotebookStats("notebooks", tables, dropped, grounds, {"packages": packages})


def beside(ours: Mapping[str, float], paper: Mapping[str, float]) -> dict[str, Cell]:
    """Our rows with the paper's number where it prints one."""
    return {row: {"ours": value, "paper": paper.get(row)} for row, value in ours.items()}


def table_1(counts: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The paper ticks four boxes; by its measure (CONCODE's 100,000) ours is not large."""
    examples = counts["train"]["examples"]
    return {
        "context based": 1,
        "open domain": 1,
        "large scale": int(examples >= 100_000),
        "curated dev and test": 1,
    }


def steps_of(train: Mapping[str, Any]) -> dict[str, float]:
    steps, notebooks = train["steps"], max(train["steps"].get("notebooks", 0), 1)
    imported = train["packages"]
    return {
        "notebooks read": train["notebooks"],
        "notebooks in English, in Python, with enough Markdown": steps.get("notebooks", 0),
        "cells of a notebook, average": round(steps.get("cells", 0) / notebooks, 1),
        "packages of a notebook, average": round(sum(imported.values()) / notebooks, 1),
        "packages in all": len(imported),
        "code cells": steps.get("code cells", 0),
        "code cells below Markdown": steps.get("below Markdown", 0),
        "converted from Python 2": steps.get("converted from Python 2", 0),
        "cut at 120 tokens": steps.get("cut at 120 tokens", 0),
        "examples (target and context)": steps.get("examples", 0),
        "unique examples": steps.get("unique examples", 0),
        "kept examples": steps.get("kept examples", 0),
    }


def curated_facts(curated: Mapping[str, Any]) -> dict[str, float]:
    found, notebooks = curated["found"], curated["notebooks"]
    prompts = found.get("nbgrader prompts", 0)
    facts: dict[str, float] = {
        "nbgrader notebooks": notebooks.get("with nbgrader metadata, all repositories", 0),
        "exercise and solution pairs": notebooks.get("exercise and solution pairs, all repositories", 0),
        "nbgrader prompts": prompts,
        "submissions of an nbgrader prompt, average": round(curated["submissions"] / max(prompts, 1), 1),
        "nbgrader examples": found.get("nbgrader examples", 0),
        "in-class examples": found.get("pair examples", 0),
        "to_remove examples": found.get("to_remove examples", 0),
    }
    facts.update({f"in-class examples in {others}": n for others, n in curated["agreed"].items()})
    facts.update({f"dropped: {reason}": n for reason, n in curated["dropped"].items()})
    return facts


def counted_splits(workspace: Workspace, folder: Path, progress: Progress) -> dict[str, dict[str, float]]:
    path = folder / f"counts-{VERSION}.json"
    if not path.is_file():
        found = count_splits(workspace, folder, progress)
        with write_atomically(path) as file:
            file.write(json.dumps(found, indent=1).encode())
    read: dict[str, dict[str, float]] = json.loads(path.read_text("utf-8"))
    return read


def count_splits(workspace: Workspace, folder: Path, progress: Progress) -> dict[str, dict[str, float]]:
    """Rows of table 2 by split, `both` for dev and test together, `stored` for the examples beside the corpus."""
    index, both, near_both = NearIndex(), Counts(), 0
    found: dict[str, dict[str, float]] = {}
    stored: dict[str, float] = {}
    for split in SPLITS:
        counts, near, same = Counts(), 0, Sameness(workspace.data, split)
        for row in read_rows(folder / f"{split}.jsonl.zst"):
            counts.count(row)
            for one in row["examples"]:
                request = row["cells"][one["above"] - 1][1]
                near += index.is_near(request, one["reference"], keep=split == "train")
                same.look(row, one)
            progress(f"counted notebooks of {split}", counts.notebooks, 0)
        found[split] = counts.facts()
        found[split]["near-duplicates" if split == "train" else "near-duplicates of train"] = near
        stored.update(same.facts())
        if split != "train":
            both.add(counts)
            near_both += near
    return {**found, "both": {**both.facts(), "near-duplicates of train": near_both}, "stored": stored}


class Sameness:
    """How far our examples of a split are the stored ones."""

    def __init__(self, data: Path, split: Split) -> None:
        self.split = split
        self.targets = {stored_id(row): str(row["code_raw"]).strip() for row in stored_rows(data, split)}
        self.found = self.equal = 0

    def look(self, row: Mapping[str, Any], one: Mapping[str, Any]) -> None:
        target = self.targets.get(f"{row['repository']}:{row['path']}:{one['cell']}")
        self.found += target is not None
        self.equal += target == one["runnable"].strip()

    def facts(self) -> dict[str, float]:
        return {
            f"{self.split}, stored": len(self.targets),
            f"{self.split}, also ours": self.found,
            f"{self.split}, with the same target": self.equal,
        }
