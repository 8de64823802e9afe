"""Predictions files: round trips, bad lines, cut files, ids that do not fit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadFile, RunFailed
from sayso.core.types import Candidate, Example, Request, Split, Workspace
from sayso.runs.predictions import (
    Origin,
    Prediction,
    match_examples,
    origin_path,
    read_origin,
    read_predictions,
    save,
    write_predictions,
)
from sayso.targets.bash.tasks import COMMAND

ONE = Prediction("a", (Candidate("ls -l", 0.5), Candidate("dir", 0.2)))
TWO = Prediction("b", (), abstained=True)

candidates = st.builds(Candidate, st.text(), st.floats(allow_nan=False, allow_infinity=False))
predictions = st.builds(Prediction, st.text(), st.lists(candidates, max_size=3).map(tuple), st.booleans())


@pytest.mark.parametrize("name", ["p.jsonl", "p.jsonl.zst"])
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    @settings(deadline=None, max_examples=30)  # each one is forced to disk
    @given(st.lists(predictions, max_size=5))
    def round_trip(written: list[Prediction]) -> None:
        write_predictions(tmp_path / name, written)
        assert list(read_predictions(tmp_path / name)) == written

    round_trip()


def test_lines_have_the_shape_that_translate_promises(tmp_path: Path) -> None:
    write_predictions(tmp_path / "p.jsonl", [ONE, TWO])
    assert [json.loads(line) for line in (tmp_path / "p.jsonl").read_text().splitlines()] == [
        {
            "id": "a",
            "candidates": [{"text": "ls -l", "score": 0.5}, {"text": "dir", "score": 0.2}],
            "abstained": False,
        },
        {"id": "b", "candidates": [], "abstained": True},
    ]


def test_retrieved_texts_are_stored_as_ids(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl.zst"
    save(path, Origin("t", "dev", "retriever", 1), [ONE], {"ls -l": "train:1"}.get)
    assert list(read_predictions(path, {"train:1": "ls -l"}.__getitem__)) == [ONE]
    with pytest.raises(BadFile, match=r"p\.jsonl\.zst:1: train:1 is an id"):
        list(read_predictions(path))
    origin = read_origin(path)
    assert origin is not None
    assert (origin.refs, origin.n, len(origin.sha256)) == (True, 1, 64)


def test_a_score_that_json_cannot_hold_names_the_example(tmp_path: Path) -> None:
    with pytest.raises(RunFailed, match="example a"):
        write_predictions(tmp_path / "p.jsonl", [Prediction("a", (Candidate("x", float("-inf")),))])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"id": "a"', "not JSON"),
        ("[1]", "not a JSON object"),
        ('{"id": 1, "candidates": []}', "not a prediction"),
        ('{"id": "a", "candidates": "x"}', "not a prediction"),
        ('{"id": "a", "candidates": [], "abstained": "no"}', "not a prediction"),
        ('{"id": "a", "candidates": ["x"]}', "not a candidate"),
        ('{"id": "a", "candidates": [{"text": "x\\ud800", "score": 1}]}', "a candidate holds half a letter"),
        ('{"id": "a", "candidates": [{"text": 1, "score": 1}]}', "not a candidate"),
        ('{"id": "a", "candidates": [{"text": "x", "score": true}]}', "not a candidate"),
        ('{"id": "a", "candidates": [{"text": "x", "score": NaN}]}', "not JSON: NaN is not a number in JSON"),
        ("\udc80", "not JSON"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(b'{"id": "ok", "candidates": []}\n\n' + line.encode(errors="surrogateescape") + b"\n")
    with pytest.raises(BadFile, match=f":3: {says}"):
        list(read_predictions(path))


@pytest.mark.parametrize("name", ["p.jsonl", "p.jsonl.zst"])
@pytest.mark.parametrize("kept", [0.0, 0.3, 0.7, 0.98])
def test_a_cut_file_is_refused(tmp_path: Path, name: str, kept: float) -> None:
    path = tmp_path / name
    rows = [Prediction(f"id{n}", (Candidate(f"command {n * n}", n / 7),)) for n in range(200)]
    write_predictions(path, rows)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * kept)])
    examples = [Example(row.id, Request("x"), ()) for row in rows]
    with pytest.raises(BadFile):
        match_examples(examples, read_predictions(path), name)


def test_not_a_zstd_file(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl.zst"
    path.write_text('{"id": "a", "candidates": []}\n')
    with pytest.raises(BadFile, match="not a zstd file"):
        list(read_predictions(path))


@pytest.mark.parametrize("name", ["absent.jsonl", ""])
def test_no_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadFile):
        list(read_predictions(tmp_path / name))


EXAMPLES = [Example(name, Request(name), ()) for name in "abc"]


def test_predictions_are_put_in_the_order_of_the_examples() -> None:
    found = match_examples(EXAMPLES, [Prediction(name, ()) for name in "cab"], "p")
    assert [prediction.id if prediction else None for prediction in found] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("ids", "says"),
    [
        ("abcx", r"1 id \(x\) not in this split"),
        ("abcb", r"1 id \(b\) predicted twice"),
        ("b", r"2 ids \(a, c\) without a prediction"),
        ("abcdefghij", r"7 ids \(d, e, f, g, h, …\) not in this split"),
    ],
)
def test_ids_that_do_not_fit_are_named(ids: str, says: str) -> None:
    with pytest.raises(BadFile, match=says):
        match_examples(EXAMPLES, [Prediction(name, ()) for name in ids], "p")


def test_partial_allows_for_missing_ids_only() -> None:
    assert match_examples(EXAMPLES, [Prediction("b", ())], "p", partial=True) == [None, Prediction("b", ()), None]
    with pytest.raises(BadFile):
        match_examples(EXAMPLES, [Prediction("x", ())], "p", partial=True)


def test_a_broken_origin_is_named(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    origin_path(path).write_text("[]")
    with pytest.raises(BadFile, match=r"p\.json does not describe"):
        read_origin(path)
    assert read_origin(tmp_path / "other.jsonl") is None


STORED = Path(__file__).parents[2] / "results" / "predictions" / "bash" / "command"
SPLITS: tuple[Split, ...] = ("dev", "test")


def test_stored_predictions_are_those_of_the_examples_as_they_are_read_now(workspace: Workspace) -> None:
    """An id is made from the normalised request: a change of the tokeniser must not orphan what is stored."""
    for split in SPLITS:
        known = {example.id for example in COMMAND.load(workspace, split)}
        for path in sorted(STORED.glob(f"*.{split}.jsonl.zst")):
            assert {one.id for one in read_predictions(path, str)} == known, path.name
