"""Scores of documents, lines, edges and fields, with values counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.core.types import Candidate, Example, Request, Score, Unscored, Workspace
from sayso.targets.build.stage_metrics import (
    depends_metrics,
    document_metrics,
    field_f1,
    instruction_metrics,
    metadata_metrics,
)

SPACE = Workspace(Path("none"), Path("none"))


def scores(metrics: tuple, rows: list[tuple[Example, str]]) -> dict[str, Score]:  # type: ignore[type-arg]
    said = [(example, [Candidate(text, 1.0)]) for example, text in rows]
    return {one.name: one.reduce([one.measure(*row) for row in said]) for one in metrics}


def example(reference: str, **meta: str) -> Example:
    return Example("x", Request("?"), (reference,), meta)


def test_only_documents_that_readers_saw_count() -> None:
    row = example("README", labelled="README\nNEWS")
    found = scores(document_metrics(SPACE), [(row, "README\nNEWS\ndoc/never-read.txt")])
    assert (found["precision"].value, found["recall"].value) == (0.5, 1.0)
    assert found["f1"].value == pytest.approx(2 / 3)


def test_lines_count_with_and_without_their_tags() -> None:
    row = example("R:1 step\nR:2 condition", labelled="R:1\nR:2\nR:3")
    found = scores(instruction_metrics(SPACE), [(row, "R:1 step\nR:2 step\nR:9 step")])
    assert found["f1"].value == 1.0
    assert found["step_f1"].value == pytest.approx(2 / 3)
    assert found["tagged_f1"].value == 0.5


def test_edges_are_counted_by_label_without_infrastructure() -> None:
    row = example("build a\nbuild b\nrun c", agreed="a", **{"by alpine": "a z"})
    found = scores(depends_metrics(SPACE), [(row, "build a\nbuild debhelper\nrun b\nrun c")])
    assert (found["precision"].value, found["recall"].value) == (1.0, 0.5)
    assert found["agreed_recall"].value == 1.0
    assert found["labelled_precision"].value == pytest.approx(2 / 3)
    assert found["f1_on_alpine"].n == 1
    assert found["f1_on_void"].n == 0 and found["f1_on_void"].unscored


def test_two_packages_are_one_pot() -> None:
    rows = [(example("build a\nbuild b"), "build a"), (example("build c"), "build d\nbuild e")]
    found = scores(depends_metrics(SPACE), rows)
    assert found["precision"].value == pytest.approx(1 / 3)
    assert found["recall"].value == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("field", "said", "wanted", "value"),
    [
        ("name", "gnarl", "libgnarl", 0.0),
        ("name", "python-gnarl", "gnarl", 2 / 3),
        ("version", "1.2", "1.2+dfsg1", 1.0),
        ("version", "1.2", "1.2.1", 0.0),
        ("summary", "Small tool", "small tools", 0.5),
        ("requires", "", "", 1.0),
        ("requires", "a debhelper", "a b", 2 / 3),
        ("url", "https://www.gnarl.example/", "http://gnarl.example", 1.0),
    ],
)
def test_a_field_is_compared_in_its_own_way(field: str, said: str, wanted: str, value: float) -> None:
    assert field_f1(field, said, wanted) == pytest.approx(value)


def test_a_field_that_maintainers_left_empty_is_passed_over() -> None:
    row = example("name: gnarl\nrequires:\nbuild-requires: a")
    found = scores(metadata_metrics(SPACE), [(row, "name: gnarl\nlicence: MIT\nbuild-requires: a")])
    assert found["f1"].value == 1.0
    licence = next(one for one in metadata_metrics(SPACE) if one.name == "f1_licence")
    assert isinstance(licence.measure(row, []), Unscored)
