"""Notebooks as files: every nbformat is read, and a broken one is one clear line that loses nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.targets.notebook.corpus.conftest import WriteNotebook, code, ipynb, text

from sayso.core.errors import BadFile
from sayso.targets.notebook.corpus.mining import mine
from sayso.targets.notebook.corpus.notebook import Cell, read_ipynb
from sayso.targets.notebook.corpus.sources import given as sources_of

GOOD = ipynb(text("Add the two numbers and print the sum."), code("print(1 + 2)"))
OLD = {
    "nbformat": 3,
    "nbformat_minor": 0,
    "metadata": {"name": "old"},
    "worksheets": [
        {
            "cells": [
                {"cell_type": "heading", "level": 2, "metadata": {}, "source": "Sums"},
                {"cell_type": "markdown", "metadata": {}, "source": ["Add them ", "all."]},
                {
                    "cell_type": "code",
                    "input": ["print sum([1, 2])"],
                    "language": "python",
                    "outputs": [{"output_type": "pyerr", "ename": "E", "evalue": "", "traceback": []}],
                    "prompt_number": 4,
                },
            ]
        }
    ],
}


def test_an_old_nbformat_is_read_whole() -> None:
    found = read_ipynb(json.dumps(OLD).encode(), "own/one", "old.ipynb")
    assert [cell.kind for cell in found.cells] == ["text", "text", "code"]
    assert [cell.text for cell in found.cells] == ["## Sums", "Add them all.", "print sum([1, 2])"]
    assert (found.cells[2].executed, found.cells[2].failed, found.language) == (True, True, "python")


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from(["text", "code", "raw"]), st.text(max_size=40), st.booleans()), max_size=6))
def test_what_jupyter_writes_comes_back(rows: list[tuple[Any, str, bool]]) -> None:
    cells = tuple(Cell(kind, source, executed=ran and kind == "code") for kind, source, ran in rows)
    found = read_ipynb(json.dumps(ipynb(*cells)).encode(), "own/one", "a.ipynb")
    assert found.cells == cells
    assert found.language == "python"


BROKEN: dict[str, tuple[object, str]] = {
    "cut.ipynb": (json.dumps(GOOD).encode()[:-30], "not JSON"),
    "list.ipynb": ([1, 2], "its JSON is no object"),
    "plain.ipynb": ({"a": 1}, "names no nbformat"),
    "new.ipynb": ({"nbformat": 5, "cells": []}, "nbformat 5 is newer"),
    "kinds.ipynb": (ipynb() | {"cells": [{"cell_type": "video", "source": ""}]}, 'unknown kind "video"'),
    "numbers.ipynb": (ipynb() | {"cells": [{"cell_type": "code", "source": 7}]}, "no text"),
    "bytes.ipynb": (b"\xff\xfe{", "not JSON"),
}


def test_each_broken_notebook_is_one_line_and_the_rest_is_mined(tmp_path: Path, write_notebook: WriteNotebook) -> None:
    for name, (document, _) in BROKEN.items():
        write_notebook(name, document)
    write_notebook("z/good.ipynb", GOOD)
    write_notebook("old.ipynb", OLD)
    write_notebook("no_kernel.ipynb", GOOD | {"metadata": {}})
    write_notebook(".ipynb_checkpoints/copy.ipynb", GOOD)
    loud = json.loads(json.dumps(GOOD))
    loud["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "9" * 20_000}]
    write_notebook("loud.ipynb", loud)
    found = {source.inside: mine(source) for source in sources_of([tmp_path], largest=10_000)}
    for name, (_, words) in BROKEN.items():
        line = found[name]["broken"]
        assert words in line and name in line and "\n" not in line
    assert "loud.ipynb has more than 10,000 bytes" in found["loud.ipynb"]["broken"]
    whole = ("z/good.ipynb", "no_kernel.ipynb", "old.ipynb")
    assert [len(found[name]["examples"]) for name in whole] == [1, 1, 1]
    assert found["old.ipynb"]["examples"][0]["runnable"] == "print(sum([1, 2]))"
    assert len(found) == len(BROKEN) + len(whole) + 1
    assert len(mine(next(sources_of([tmp_path / "loud.ipynb"])))["examples"]) == 1


def test_a_clone_names_its_repository(tmp_path: Path, write_notebook: WriteNotebook) -> None:
    write_notebook("clone/deep/a.ipynb", GOOD)
    (tmp_path / "clone" / ".git").mkdir()
    source = next(sources_of([tmp_path / "clone" / "deep"]))
    assert (source.repository, source.inside) == ("clone", "deep/a.ipynb")


def test_a_document_that_nests_without_end_is_one_line() -> None:
    with pytest.raises(BadFile, match="nested too deeply"):
        read_ipynb(b"[" * 200_000, "own/one", "deep.ipynb")
