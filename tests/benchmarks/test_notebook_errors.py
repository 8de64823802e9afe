"""Table 8: which answers are read, and what becomes of what readers said."""

from __future__ import annotations

import json

import pytest
from benchmarks.notebook_errors import SAMPLE, drawn, item, item_id, said_of, wrong

from sayso.apps.judge.items import item_from_json
from sayso.core.types import Candidate, Example, Request
from sayso.experiments.notebook_errors import CLASSES, shares
from sayso.runs.predictions import Prediction


def example(name: str) -> Example:
    return Example(name, Request(f"add {name}"), (f"{name} = 1  # one",), meta={"runnable": f"{name} = 1"})


def test_right_answers_and_layout_are_no_errors() -> None:
    said = {"a": "a=1", "b": "b = 2", "c": ""}
    predictions = {name: Prediction(name, (Candidate(text, 0.0),) if text else ()) for name, text in said.items()}
    assert [(one.id, text) for one, text in wrong(map(example, said), predictions)] == [("b", "b = 2"), ("c", "")]


def test_the_same_examples_are_read_for_every_system() -> None:
    every = [example(f"x{number}") for number in range(200)]
    first = {one.id for one, _ in drawn((one, "1") for one in every)}
    assert len(first) == SAMPLE
    assert first == {one.id for one, _ in drawn((one, "2") for one in reversed(every))}


def test_what_is_exported_is_counted_by_class() -> None:
    shown = item_from_json(item(example("a"), "b = 2"), "tags")
    assert [name.partition(":")[0] for name in shown.classes] == list(CLASSES)
    answers = [
        {"annotator": "r", "look": 1, "tags": list(shown.classes[1:3])},
        {"annotator": "r", "look": 2, "tags": []},
    ]
    lines = [json.dumps({"id": item_id(example("a"), "b = 2"), "answers": answers})]
    found = shares(list(said_of([*lines, lines[0].replace("a:", "z:")]).values()))
    assert {name for name, share in found.items() if share == 100} == {"arguments missed", "contextual reasoning"}
    assert sum(found.values()) == pytest.approx(200)
