"""Items and answers as JSON: both directions, every shape, and what a wrong line is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.apps.judge.items import (
    Answer,
    Item,
    Opinion,
    Option,
    Range,
    answer_from_json,
    answer_to_json,
    covers,
    item_from_json,
    item_to_json,
    read_items,
    units,
)
from sayso.core.errors import BadFile, UserError

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: bool(text.strip()))
options = st.builds(Option, texts, st.text(st.characters(exclude_categories=["Cs"])), st.lists(texts).map(tuple))
line = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]))
items = st.one_of(
    st.builds(
        Item, st.just("verdicts"), texts, texts,
        st.lists(options, min_size=1, unique_by=lambda option: option.text).map(tuple),
    ),
    st.builds(Item, st.just("describe"), texts, texts),
    st.builds(Item, st.just("phrase"), texts, texts, canonical=texts),
    st.builds(Item, st.just("label"), texts, texts, lines=st.tuples(line, line.filter(str.strip))),
    st.builds(
        Item, st.just("tags"), texts, texts, lines=st.just(()) | st.tuples(line, line.filter(str.strip)),
        classes=st.lists(texts, min_size=1, max_size=5, unique=True).map(tuple),
    ),
)  # fmt: skip


@settings(deadline=None)
@given(items)
def test_an_item_survives_being_written(item: Item) -> None:
    assert item_from_json(json.loads(json.dumps(item_to_json(item)))) == item


@settings(deadline=None)
@given(st.data())
def test_an_answer_survives_being_written(data: st.DataObject) -> None:
    item = data.draw(items)
    opinions = st.sampled_from([Opinion(True, True), Opinion(False, True), Opinion(False, False)])
    answer = {
        "verdicts": Answer(verdicts={option.text: data.draw(opinions) for option in item.options}, note="n"),
        "describe": Answer(texts=("List files.",)),
        "phrase": Answer(texts=("Which files?", "Show files.")),
        "label": Answer(ranges=(Range(1, 1, "build"), Range(2, 2, "test"))),
        "tags": Answer(tags=item.classes[::2] if data.draw(st.booleans()) else ()),
    }[item.kind]
    assert answer_from_json(item, json.loads(json.dumps(answer_to_json(answer)))) == answer


def test_a_label_answer_without_marks_is_an_answer() -> None:
    item = Item("label", "a", "README", lines=("one", "two"))
    assert answer_from_json(item, answer_to_json(Answer())) == Answer()


def test_a_document_may_bring_classes_of_its_own() -> None:
    row: dict[str, object] = {"kind": "label", "path": "README", "text": "make", "labels": ["step", "condition"]}
    item = item_from_json(row)
    answer: dict[str, object] = {"ranges": [{"first": 1, "last": 1, "label": "condition"}]}
    assert answer_from_json(item, answer).ranges == (Range(1, 1, "condition"),)
    assert item_from_json(item_to_json(item)) == item
    with pytest.raises(UserError, match="one of step, condition"):
        answer_from_json(item, {"ranges": [{"first": 1, "last": 1, "label": "build"}]})


def test_tags_are_chosen_or_not_one_by_one() -> None:
    item = item_from_json({"kind": "tags", "request": "r", "body": "x = 1", "tags": ["a", "b", "c"]})
    answer = answer_from_json(item, {"tags": ["c", "a"]})
    assert answer.tags == ("a", "c")
    assert units(item, answer) == {("tag", "a"): "y", ("tag", "b"): "n", ("tag", "c"): "y"}
    assert units(item, answer_from_json(item, {"tags": []})) == dict.fromkeys([("tag", one) for one in "abc"], "n")


@pytest.mark.parametrize(
    ("row", "words"),
    [({"tags": []}, "at least one"), ({"tags": ["a", "a"]}, "twice"), ({"tags": [1]}, "list of names"), ({}, "list of"),
     ({"tags": ["a"], "body": 3}, "must be text")],
)  # fmt: skip
def test_tags_of_another_shape_are_refused(row: dict[str, object], words: str) -> None:
    with pytest.raises(UserError, match=words):
        item_from_json({"kind": "tags", "request": "r", **row})


def test_units_are_what_judges_can_differ_on() -> None:
    item = Item("verdicts", "a", "r", (Option("ls"), Option("ls -a")))
    answer = Answer(verdicts={"ls": Opinion(False, True)})
    assert units(item, answer) == {("command", "ls"): "n", ("template", "ls"): "y"}
    assert not covers(item, answer)
    document = Item("label", "b", "README", lines=("x", "make", "make install"))
    assert units(document, Answer(ranges=(Range(2, 3, "build"),))) == {
        ("line", "1"): "none",
        ("line", "2"): "build",
        ("line", "3"): "build",
    }


def test_a_file_may_mix_kinds_and_leave_ids_out(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    lines = [
        {"request": "list files", "candidates": ["ls", {"text": "ls -a", "template": "ls -a", "systems": ["x"]}]},
        {"kind": "describe", "command": "ls", "id": "mine"},
        {"kind": "phrase", "call": "EMAILS FILTER(isRead eq true)", "canonical": "emails that are read"},
        {"kind": "label", "path": "README", "text": "Build\r\n\nmake\u2028all\n"},
    ]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n\n", encoding="utf-8")
    read = read_items(path, "verdicts")
    assert [item.kind for item in read] == ["verdicts", "describe", "phrase", "label"]
    assert read[1].id == "mine"
    assert read[3].lines == ("Build", "", "make\u2028all"), "only \\n ends a line, as in path:line"
    assert read[0].id == read_items(path, "verdicts")[0].id
    assert len({item.id for item in read}) == 4


def test_the_items_in_the_guide_are_read(tmp_path: Path) -> None:
    guide = (Path(__file__).parents[3] / "docs" / "guide" / "judge.md").read_text(encoding="utf-8")
    path = tmp_path / "items.jsonl"
    path.write_text(guide.partition("```json\n")[2].partition("```")[0], encoding="utf-8")
    assert [item.kind for item in read_items(path, "verdicts")] == ["verdicts", "describe", "phrase", "label", "tags"]


def test_an_id_does_not_change_when_candidates_are_added() -> None:
    few = item_from_json({"request": "list files", "candidates": ["ls"]}, "verdicts")
    more = item_from_json({"request": "list files", "candidates": ["ls", "dir"]}, "verdicts")
    assert few.id == more.id


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "not JSON"),
        ("[1]", "expected a JSON object"),
        ('{"request": "x"}', '"candidates" must be a list'),
        ('{"request": "x", "candidates": []}', '"candidates" must be a list'),
        ('{"request": "x", "candidates": ["ls", "ls"]}', "same text twice"),
        ('{"request": "x", "candidates": [" "]}', "a candidate is"),
        ('{"request": " ", "candidates": ["ls"]}', '"request" must be a text'),
        ('{"kind": "sing", "request": "x"}', "kind must be one of"),
        ('{"request": "x", "candidates": ["ls"], "id": 3}', '"id" must be text'),
        ('{"request": "\\ud800", "candidates": ["ls"]}', "not JSON in UTF-8"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, why: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"request": "fine", "candidates": ["ls"]}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        read_items(path, "verdicts")
    assert caught.value.message.startswith(f"{path}:2: ") and why in caught.value.message
    assert caught.value.hint


def test_ids_must_differ(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"command": "ls"}\n{"command": "ls"}\n', encoding="utf-8")
    with pytest.raises(BadFile, match="used twice"):
        read_items(path, "describe")


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_an_unreadable_file_is_a_bad_file(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "items.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadFile):
        read_items(path, "verdicts")


VERDICTS = Item("verdicts", "a", "r", (Option("ls"),))
LABEL = Item("label", "b", "README", lines=("one", "two"))


@pytest.mark.parametrize(
    ("item", "value", "why"),
    [
        (VERDICTS, {}, "no verdicts"),
        (VERDICTS, {"verdicts": [{"text": "rm", "command": True, "template": True}]}, "does not have"),
        (VERDICTS, {"verdicts": [{"text": "ls", "command": 1, "template": True}]}, "true or false"),
        (VERDICTS, {"verdicts": [{"text": "ls", "command": True, "template": False}]}, "correct structure"),
        (VERDICTS, {"verdicts": ["ls"]}, "JSON object"),
        (VERDICTS, {"verdicts": [{"text": "ls", "command": True, "template": True}], "note": 3}, "note"),
        (Item("tags", "t", "r", classes=("a",)), {}, "no tags"),
        (Item("tags", "t", "r", classes=("a",)), {"tags": ["z"]}, "a tag is one of a"),
        (LABEL, {}, "no labelled lines"),
        (LABEL, {"ranges": [{"first": 2, "last": 3, "label": "build"}]}, "within the document"),
        (LABEL, {"ranges": [{"first": 2, "last": 1, "label": "build"}]}, "within the document"),
        (LABEL, {"ranges": [{"first": 0, "last": 1, "label": "build"}]}, "within the document"),
        (LABEL, {"ranges": [{"first": 1, "last": 1, "label": "dance"}]}, "a label is one of"),
        (
            LABEL,
            {"ranges": [{"first": 1, "last": 2, "label": "build"}, {"first": 2, "last": 2, "label": "test"}]},
            "overlap",
        ),
        (Item("describe", "c", "ls"), {"texts": []}, "expected 1 text"),
        (Item("phrase", "c", "x", canonical="y"), {"texts": ["one"]}, "expected 2 texts"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(item: Item, value: dict[str, object], why: str) -> None:
    with pytest.raises(UserError, match=why):
        answer_from_json(item, value)
