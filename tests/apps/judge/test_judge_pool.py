"""Candidates of several systems in one pool: no doubles, no order that tells, stored predictions before fresh ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sayso.apps.judge.items import Item, Option
from sayso.apps.judge.pool import Choice, draw, pool, verdict_items, with_templates
from sayso.core.errors import BadInstruction, RunFailed, UnknownName
from sayso.core.types import Candidate, Example, Request, System, Workspace
from sayso.runs.predictions import Origin, Prediction, save
from sayso.runs.store import Results
from sayso.targets import TASKS

EXAMPLES = [Example(f"e{n}", Request(f"request {n}"), ("ls",)) for n in range(6)]


class Scripted:
    """Says the same to every request, and counts them."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts
        self.asked = 0

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        self.asked += len(requests)
        return [[Candidate(text, -n) for n, text in enumerate(self.texts[:k])] for _ in requests]


def first_word(text: str) -> str:
    if text.startswith("!"):
        raise BadInstruction("no")
    return text.split()[0]


def test_a_pool_holds_each_text_once_and_knows_who_said_it() -> None:
    answers = {
        "b": [Candidate("ls ", 0), Candidate("dir", -1), Candidate("tree", -2)],
        "a": [Candidate("ls", 0), Candidate("!x", -1), Candidate("  ", -2)],
    }
    item = pool(EXAMPLES[0], answers, Choice(k=2), first_word)
    assert item and item.text == "request 0"
    assert {option.text: option.systems for option in item.options} == {"ls": ("a", "b"), "dir": ("b",), "!x": ("a",)}
    assert {option.text: option.template for option in item.options} == {"ls": "ls", "dir": "dir", "!x": ""}
    assert pool(EXAMPLES[0], {"a": []}, Choice(), first_word) is None


def test_the_order_of_systems_does_not_show() -> None:
    said = {"a": [Candidate(f"ls -{x}", 0) for x in "abc"], "b": [Candidate(f"ls -{x}", 0) for x in "def"]}
    one = pool(EXAMPLES[0], said, Choice(), first_word)
    other = pool(EXAMPLES[0], dict(reversed(said.items())), Choice(), first_word)
    assert one == other
    first = [
        item.options[0].systems[0]
        for n in range(30)
        if (item := pool(replace(EXAMPLES[0], id=f"x{n}"), said, Choice(), first_word))
    ]
    assert {"a", "b"} == set(first), "neither system always comes first"


def test_the_same_seed_draws_the_same_examples_from_any_order() -> None:
    choice = Choice(size=3, seed=7)
    assert draw(EXAMPLES, choice) == draw(EXAMPLES[::-1], choice)
    assert len(draw(EXAMPLES, choice)) == 3
    draws = [draw(EXAMPLES, replace(choice, seed=seed)) for seed in range(8)]
    assert any(drawn != draws[0] for drawn in draws)
    assert draw(EXAMPLES, Choice(size=99)) == EXAMPLES


def test_stored_predictions_go_before_running_a_system(tmp_path: Path) -> None:
    live, ran = Scripted("ls", "dir"), Scripted("never")
    task = replace(
        TASKS["bash/command"],
        load=lambda workspace, split: EXAMPLES,
        systems={"live": lambda workspace: System(live), "kept": lambda workspace: System(ran)},
    )
    results, space = Results(tmp_path / "results"), Workspace(tmp_path, tmp_path)
    origin = Origin(task.name, "dev", "kept", 5)
    predictions = [Prediction(example.id, (Candidate("tree", 0.0),)) for example in EXAMPLES]
    save(results.predictions(task.name, "kept", "dev"), origin, predictions)
    items = verdict_items(task, ["live", "kept"], Choice(size=4), space, results)
    assert len(items) == 4 and live.asked == 4 and ran.asked == 0
    assert {option.text for option in items[0].options} == {"ls", "dir", "tree"}


def test_unknown_systems_and_unrecorded_runs_on_test_are_refused(tmp_path: Path) -> None:
    task = replace(
        TASKS["bash/command"],
        load=lambda workspace, split: EXAMPLES,
        systems={"default": lambda workspace: System(Scripted("ls"))},
    )
    results, space = Results(tmp_path), Workspace(tmp_path, tmp_path)
    with pytest.raises(UnknownName) as caught:
        verdict_items(task, ["defualt"], Choice(), space, results)
    assert caught.value.near == ("default",)
    with pytest.raises(RunFailed, match="no stored predictions on test") as failed:
        verdict_items(task, ["default"], Choice(split="test"), space, results)
    assert "sayso eval bash/command --split test --system default" in failed.value.hint


def test_templates_are_filled_in_where_they_are_missing() -> None:
    items = [Item("verdicts", "a", "r", (Option("ls -l"), Option("dir x", "mine")))]
    assert [option.template for option in with_templates(items, first_word)[0].options] == ["ls", "mine"]
