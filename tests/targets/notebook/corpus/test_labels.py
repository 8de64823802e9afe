"""What readers said, counted: shares are means over readers, and a label holds for one text alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sayso.targets.notebook.corpus.labels import TAGS, Labelled, contextual, label_tables, read_labels, share

QUESTION, ABOVE, SOLVABLE = TAGS["table 3"][3], TAGS["table 5"][0], TAGS["solvable"][0]
LABELS = (
    Labelled("a", "dev", "1", ((QUESTION, SOLVABLE), (QUESTION, ABOVE))),
    Labelled("b", "dev", "2", ((SOLVABLE,), (SOLVABLE, ABOVE))),
    Labelled("c", "train", "3", ((), (SOLVABLE,))),
)


def test_a_share_is_the_mean_over_readers() -> None:
    assert share(LABELS, "dev", QUESTION) == 0.5
    assert share(LABELS, "dev", SOLVABLE) == 0.75
    assert share(LABELS, "train", SOLVABLE) == 0.5
    assert contextual(LABELS) == 0.5


def test_the_tables_have_the_papers_rows_and_agreement() -> None:
    tables = label_tables(LABELS)
    third = next(rows for name, rows in tables.items() if name.startswith("table 3"))
    assert third[QUESTION] == {"ours": 50.0, "paper": 18}
    # Sixteen units, in all of which the readers agree; two of them are "yes".
    assert third["alpha of two readers"]["ours"] == pytest.approx(1.0)
    assert [len(rows) for rows in tables.values()] == [9, 7, 6, 4]


def test_without_labels_there_are_no_rows() -> None:
    assert label_tables(()) == {}


def test_labels_survive_being_written(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(one.as_json()) + "\n" for one in LABELS))
    assert read_labels(path) == LABELS
    assert read_labels(tmp_path / "none") == ()
