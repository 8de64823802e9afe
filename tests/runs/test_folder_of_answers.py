"""Answers as a folder of files, one an example."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sayso.core.errors import BadFile
from sayso.core.types import Example
from sayso.runs.rescore import file_name, rescore

if TYPE_CHECKING:
    from tests.runs.conftest import Toy


def write(folder: Path, examples: list[Example], right: int) -> None:
    for index, example in enumerate(examples):
        text = example.references[0] if index < right else "no"
        (folder / f"{file_name(example.id)}.sh").write_text(f"{text}\n")


def test_a_folder_is_scored_like_a_file(toy: Toy, tmp_path: Path) -> None:
    examples = list(toy.task.load(toy.workspace, "dev"))
    write(tmp_path, examples, right=9)
    (tmp_path / "notes.txt").write_text("mine")
    report = rescore(toy.subject("theirs"), tmp_path, toy.workspace, toy.results, toy.settings)
    assert report.scores[0].value == 9 / 12
    assert any("notes.txt is left out" in note for note in report.notes)


def test_examples_may_be_called_by_name(toy: Toy, tmp_path: Path) -> None:
    named = [
        replace(example, meta={"name": f"word{index}"})
        for index, example in enumerate(toy.task.load(toy.workspace, "dev"))
    ]
    for index, example in enumerate(named):
        (tmp_path / f"word{index}.sh").write_text(example.references[0])
    subject = replace(toy.subject("theirs"), task=replace(toy.task, load=lambda workspace, split: named))
    assert rescore(subject, tmp_path, toy.workspace, toy.results, toy.settings).scores[0].value == 1.0


def test_a_missing_file_is_an_error_unless_a_part_is_enough(toy: Toy, tmp_path: Path) -> None:
    examples = list(toy.task.load(toy.workspace, "dev"))
    write(tmp_path, examples, right=12)
    (tmp_path / f"{file_name(examples[0].id)}.sh").unlink()
    with pytest.raises(BadFile, match=r"1 id .* without a prediction"):
        rescore(toy.subject("theirs"), tmp_path, toy.workspace, toy.results, toy.settings)
    settings = replace(toy.settings, partial=True)
    report = rescore(toy.subject("theirs"), tmp_path, toy.workspace, toy.results, settings)
    assert report.scores[0].n == 11
