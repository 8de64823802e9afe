"""A log of events that somebody wrote in: one error with file and line, on whatever command reads it."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from sayso.apps.judge.desk import Desk
from sayso.apps.judge.export import export
from sayso.apps.judge.items import Item
from sayso.apps.judge.store import Store
from sayso.core.errors import BadFile, UserError

VERDICT = {"verdicts": [{"text": "ls", "command": True, "template": True}]}
EVENTS: list[dict[str, Any]] = [
    {"v": 1, "n": 1, "at": "t", "event": "item",
     "item": {"kind": "verdicts", "id": "one", "request": "list", "candidates": [{"text": "ls", "template": "ls"}]}},
    {"v": 1, "n": 2, "at": "t", "event": "answer", "item": "one", "annotator": "ada", "look": 1, "answer": VERDICT},
    {"v": 1, "n": 3, "at": "t", "event": "undo", "annotator": "ada", "answer": 2},
    {"v": 1, "n": 4, "at": "t", "event": "answer", "item": "one", "annotator": "ada", "look": 1, "answer": VERDICT},
    {"v": 1, "n": 5, "at": "t", "event": "again", "annotator": "ada", "item": "one", "why": "unsure"},
]  # fmt: skip
DEEP = "[" * 50_000 + "]" * 50_000
LINES = {
    "NaN": '{"v": 1, "n": NaN, "at": "t", "event": "undo", "annotator": "a", "answer": 1}',
    "infinite": '{"v": 1, "n": 6, "at": "t", "event": "undo", "annotator": "a", "answer": 1e999}',
    "endless": '{"v": 1, "n": ' + "9" * 400 + ', "at": "t", "event": "undo", "annotator": "a", "answer": 1}',
    "nested": '{"v": 1, "n": 6, "at": "t", "event": "item", "item": ' + DEEP + "}",
    "text as number": '{"v": 1, "n": "six", "at": "t", "event": "undo", "annotator": "a", "answer": 1}',
    "true as number": '{"v": 1, "n": true, "at": "t", "event": "undo", "annotator": "a", "answer": 1}',
    "a number twice": '{"v": 1, "n": 5, "at": "t", "event": "undo", "annotator": "a", "answer": 1}',
    "half a pair": '{"v": 1, "n": 6, "at": "t", "event": "again", "annotator": "a", "item": "one", "why": "\\ud800"}',
    "no kind": '{"v": 1, "n": 6, "at": "t"}',
    "an item that is none": '{"v": 1, "n": 6, "at": "t", "event": "item", "item": {"kind": "x"}}',
    "a list as item": '{"v": 1, "n": 6, "at": "t", "event": "item", "item": []}',
    "a list as answer": '{"v": 1, "n": 6, "at": "t", "event": "answer", "item": "one", "annotator": "a", "look": 1, '
    '"answer": []}',
    "text as look": '{"v": 1, "n": 6, "at": "t", "event": "answer", "item": "one", "annotator": "a", "look": "1", '
    '"answer": {}}',
    "no answer": '{"v": 1, "n": 6, "at": "t", "event": "undo", "annotator": "a"}',
    "an object as name": '{"v": 1, "n": 6, "at": "t", "event": "undo", "annotator": {}, "answer": 1}',
}


def log(folder: Path, *more: str) -> Path:
    path = folder / "events.jsonl"
    path.write_text("".join(f"{line}\n" for line in (*map(json.dumps, EVENTS), *more)))
    return path


def use(folder: Path) -> None:
    """Everything that reads a log: the desk, the overview, both exports."""
    with Store(folder) as store:
        desk = Desk(store, [])
        desk.overview("ada")
        desk.next("ben", "fresh")
        desk.next("ada", "second")
        for name in ("out.csv", "out.jsonl"):
            try:
                export(desk.board, folder / name)
            except UserError as error:
                assert "to export" in error.message


def test_the_log_that_is_tampered_with_can_be_used(tmp_path: Path) -> None:
    log(tmp_path)
    use(tmp_path)
    assert (tmp_path / "out.csv").is_file() and (tmp_path / "out.jsonl").is_file()


@pytest.mark.parametrize("what", LINES)
def test_a_whole_line_that_sayso_never_wrote_is_named(what: str, tmp_path: Path) -> None:
    log(tmp_path, LINES[what])
    with pytest.raises(BadFile, match=r"events\.jsonl:6: ") as caught:
        use(tmp_path)
    assert "\n" not in caught.value.message and len(caught.value.message) < 500


def test_the_line_is_counted_over_torn_ones_and_over_what_was_appended(tmp_path: Path) -> None:
    path = log(tmp_path, '{"torn', "")
    with Store(tmp_path) as store:
        assert len(store.read()) == 5 and store.damaged == 1
        store.append(lambda unseen: [{"event": "again", "annotator": "a", "item": "one", "why": ""}])
        with path.open("a") as file:
            file.write(f"{LINES['no kind']}\n")
        with pytest.raises(BadFile, match=r"events\.jsonl:9: "):
            store.read()


BAD = [None, True, -1, 0, 2**60, 0.5, "", "x", [], {}, [1], {"x": 1}, "one", 10**18]


def test_any_value_of_any_event_may_be_another(tmp_path: Path) -> None:
    """From a fixed seed: a log with one value altered or gone is used, or refused with its line."""
    refused = 0
    for seed in range(150):
        dice = random.Random(seed)
        events = json.loads(json.dumps(EVENTS))
        place = dice.choice(events)
        if dice.random() < 0.4 and place["event"] in ("item", "answer"):
            place = place["item"] if place["event"] == "item" else place["answer"]
            inner = next(iter(place.get("candidates", place.get("verdicts", []))), None)
            place = inner if isinstance(inner, dict) and dice.random() < 0.5 else place
        key = dice.choice(list(place))
        if dice.random() < 0.2:
            del place[key]
        else:
            place[key] = dice.choice(BAD)
        folder = tmp_path / str(seed)
        folder.mkdir()
        (folder / "events.jsonl").write_text("".join(f"{json.dumps(event)}\n" for event in events))
        try:
            use(folder)
        except BadFile as error:
            assert "events.jsonl:" in error.message or "another version" in error.message
            refused += 1
    assert refused > 40


def test_a_pipe_is_no_log(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "events.jsonl")
    with pytest.raises(BadFile, match="not a plain file"):
        Store(tmp_path)


def test_an_answer_to_an_item_that_is_gone_counts_for_nothing(tmp_path: Path) -> None:
    log(tmp_path, json.dumps({**EVENTS[1], "n": 6, "item": "gone"}))
    with Store(tmp_path) as store:
        assert list(Desk(store, [Item("describe", "two", "ls")]).board.items) == ["one", "two"]
