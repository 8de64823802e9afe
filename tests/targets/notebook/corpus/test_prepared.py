"""The mined corpus in the cache, made from a small raw corpus of our own; the same from every engine."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from sayso import scale
from sayso.core.errors import MissingData
from sayso.core.progress import silent
from sayso.core.types import Split, Workspace
from sayso.targets.notebook.corpus import examples
from sayso.targets.notebook.corpus.curated import curate
from sayso.targets.notebook.corpus.notebook import Notebook
from sayso.targets.notebook.corpus.prepared import mine_into, read_mined
from sayso.targets.notebook.corpus.prepared import prepared as folder_of
from sayso.targets.notebook.corpus.sources import RAW, Source, raw_corpus, read
from sayso.targets.notebook.corpus.stats import corpus_stats
from sayso.targets.notebook.corpus.stored import REPOSITORY, stored_id, stored_rows

ASKED = "Add the numbers of the list and keep their sum."


def cell(kind: str, source: str, **facts: Any) -> dict[str, Any]:
    return {"type": kind, "source": source, **facts}


def raw(repository: str, path: str, *cells: dict[str, Any]) -> dict[str, Any]:
    return {"repo": repository, "path": path, "nbformat": 4, "lang": "python", "kernel": "python3", "cells": [*cells]}


def sheet(solution: str) -> list[dict[str, Any]]:
    start = [cell("markdown", "# Sheet"), cell("code", "numbers = [1, 2]"), cell("markdown", ASKED)]
    return [*start, cell("code", solution, executed=1), cell("markdown", "# End"), cell("code", "done = True")]


ROWS = [
    raw("learn/one", "a.ipynb", cell("markdown", "Count the words."), cell("code", "words = len(text.split())")),
    raw("learn/one", "b.ipynb", cell("markdown", ASKED), cell("code", "x = 1")),
    raw("learn/one", "c.ipynb", cell("code", "x = 1")),
    raw("learn/two", "d.ipynb", cell("markdown", "Sort the words."), cell("code", "ordered = sorted(words)")),
    raw("ask/dev", "sheet.ipynb", *sheet("# your code")),
    raw("ask/dev", "sheet_solution.ipynb", *sheet("total = sum(numbers)")),
    raw("ask/none", "e.ipynb", cell("markdown", "Close it."), cell("code", "file.close()")),
]
STORED: dict[Split, list[dict[str, Any]]] = {
    "train": [
        {"repo": "learn/one", "path": "a.ipynb", "cell": 1, "code_raw": "words = len(text.split())"},
        {"repo": "learn/two", "path": "x", "cell": 1, "code_raw": ""},
    ],
    "dev": [{"repo": "ask/dev", "path": "sheet_solution.ipynb", "cell": 3, "code_raw": "total = sum(numbers)"}],
    "test": [],
}


def write(path: Path, rows: Iterable[object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(zstandard.ZstdCompressor().compress("".join(json.dumps(row) + "\n" for row in rows).encode()))


@pytest.fixture
def small(tmp_path: Path) -> Workspace:
    folder = tmp_path / "data" / "notebooks"
    write(folder / RAW[0], ROWS[:4])
    write(folder / RAW[1], ROWS[4:])
    for split, rows in STORED.items():
        write(folder / f"examples_{split}.jsonl.zst", rows)
    return Workspace(tmp_path / "data", tmp_path / "cache")


def test_splits_are_disjoint_and_train_is_clean(small: Workspace) -> None:
    found = {split: [example.id for example in examples(small, split)] for split in STORED}
    assert found == {
        "train": ["learn/one:a.ipynb:1", "learn/two:d.ipynb:1"],
        "dev": ["ask/dev:sheet_solution.ipynb:3"],
        "test": [],
    }
    report = json.loads((folder_of(small) / "report.json").read_text())["train"]
    assert report["dropped"]["request or target of dev or test"] == 1
    assert report["dropped_notebooks"] == {
        "repository of dev or test": 2,
        "no Markdown": 1,
        "repository without a split": 1,
    }
    assert not (folder_of(small) / "parts").exists()


def test_a_changed_corpus_is_mined_again(small: Workspace) -> None:
    before = folder_of(small)
    write(small.data / "notebooks" / RAW[0], ROWS[:1])
    assert folder_of(small) != before
    assert len([*examples(small, "train")]) == 1


def test_without_the_corpus_it_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="the notebooks corpus is not on this machine"):
        next(examples(Workspace(tmp_path, tmp_path), "dev"))


def test_statistics_have_every_step_beside_the_paper(small: Workspace) -> None:
    stats = corpus_stats(small)
    assert stats.tables["steps"]["examples (target and context)"] == {"ours": 3, "paper": 4_000_000}
    assert stats.tables["table 2, train"]["examples"] == {"ours": 2, "paper": 1_518_049}
    assert stats.tables["table 2, dev and test"]["examples"] == {"ours": 1, "paper": 3_725, "dev": 1, "test": 0}
    assert stats.tables["stored examples"]["dev, with the same target"] == {"ours": 1}
    assert stats.tables["curated"]["in-class examples"] == {"ours": 1, "paper": 2_215}
    assert stats.dropped["no Markdown"] == 1
    assert all(stats.grounds.values())
    assert json.dumps(stats.tables) == json.dumps(corpus_stats(small).tables)


def sources(n: int) -> list[Source]:
    return [Source(f"own:{at}", line=json.dumps({**ROWS[at % 4], "path": f"{at}.ipynb"})) for at in range(n)]


def test_every_engine_mines_the_same(tmp_path: Path) -> None:
    engine = "processes"  # `scale` holds Ray to the same results
    mine_into(tmp_path / "serial", sources(250), silent, None)
    mine_into(tmp_path / engine, sources(250), silent, scale.open_engine(engine, workers=1))
    files = [sorted((tmp_path / name).iterdir()) for name in ("serial", engine)]
    assert [path.read_bytes() for path in files[0]] == [path.read_bytes() for path in files[1]]
    assert len([*read_mined(tmp_path / engine)]) == 250


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    def dies() -> Iterable[Source]:
        yield from sources(450)[:430]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mine_into(tmp_path, dies(), silent, None)
    assert len([*tmp_path.iterdir()]) == 2
    done = []
    mine_into(tmp_path, sources(450), lambda what, n, total: done.append(n), None)
    assert done == [200, 400, 450]
    times = [path.stat().st_mtime_ns for path in sorted(tmp_path.iterdir())]
    assert times[1] < times[2]
    assert [row["path"] for row in read_mined(tmp_path)] == [f"{at}.ipynb" for at in range(450)]


EXECUTED = ("drvinceknight/cfm", "ccha23/cs1302i21a")


def test_executable_examples_of_two_courses_are_the_stored_ones(corpora: Path) -> None:
    """Real corpus: the other discriminating ones are of one course that takes ten seconds to read."""

    def notebooks() -> Iterable[Notebook]:
        for source in raw_corpus(corpora):
            named = REPOSITORY.match(source.line)
            if named and named[1] in EXECUTED:
                yield read(source)

    stored = {stored_id(row): row for row in stored_rows(corpora, "test")}
    ours = {prompt.chosen.id: prompt.chosen for prompt in curate(notebooks(), stored)}
    wanted = {
        name: row["tests_cells"]
        for name, row in stored.items()
        if row["repo"] in EXECUTED and row.get("exec_pass") and not row.get("tests_pass_without_solution")
    }
    assert len(wanted) == 54
    assert {name: [*ours[name].solution.tests] for name in wanted} == wanted
