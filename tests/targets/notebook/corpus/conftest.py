"""Notebooks of our own, as Jupyter writes them and as the raw corpus keeps them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sayso.targets.notebook.corpus.notebook import Cell, Notebook

WriteNotebook = Callable[..., Path]


def text(source: str) -> Cell:
    return Cell("text", source)


def code(source: str, **facts: Any) -> Cell:
    return Cell("code", source, **facts)


def notebook(*cells: Cell, repository: str = "own/one", path: str = "a.ipynb", **facts: Any) -> Notebook:
    return Notebook(repository, path, cells, language=facts.pop("language", "python"), **facts)


def ipynb(*cells: Cell, **metadata: Any) -> dict[str, Any]:
    """As Jupyter stores it, nbformat 4."""
    kinds = {"text": "markdown", "code": "code", "raw": "raw"}
    rows: list[dict[str, Any]] = []
    for cell in cells:
        row: dict[str, Any] = {"cell_type": kinds[cell.kind], "metadata": {}, "source": cell.text.splitlines(True)}
        if cell.kind == "code":
            row |= {"outputs": [], "execution_count": 1 if cell.executed else None}
        rows.append(row)
    about = {"kernelspec": {"name": "python3", "language": "python"}} | metadata
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": about, "cells": rows}


@pytest.fixture
def write_notebook(tmp_path: Path) -> WriteNotebook:
    """Writes an .ipynb below the test's folder."""

    def write(name: str, document: object) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = document if isinstance(document, bytes) else json.dumps(document).encode()
        path.write_bytes(content)
        return path

    return write
