"""State from events: majority, second looks, undo, agreement over first looks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.apps.judge.agreement import agreement, pairs
from sayso.apps.judge.board import Board, majority
from sayso.apps.judge.items import Item, Json, Option, item_to_json

ITEM = Item("verdicts", "a", "list files", (Option("ls"), Option("dir")))
LABEL = Item("label", "doc", "README", lines=("one", "make", "make install"))


class Events:
    """Writes events as the store does."""

    def __init__(self, *items: Item) -> None:
        self.all: list[Json] = []
        for item in items:
            self.add(event="item", item=item_to_json(item))

    def add(self, **event: object) -> int:
        self.all.append({"v": 1, "n": len(self.all) + 1, "at": "", **event})
        return len(self.all)

    def judge(self, name: str, first: str, second: str = "wrong", look: int = 1, item: str = "a") -> int:
        said = {"right": (True, True), "structure": (False, True), "wrong": (False, False)}
        verdicts = [
            {"text": text, "command": said[word][0], "template": said[word][1]}
            for text, word in (("ls", first), ("dir", second))
        ]
        return self.add(event="answer", item=item, annotator=name, look=look, answer={"verdicts": verdicts})

    def label(self, name: str, *ranges: tuple[int, int, str]) -> int:
        parts = [{"first": first, "last": last, "label": label} for first, last, label in ranges]
        return self.add(event="answer", item="doc", annotator=name, look=1, answer={"ranges": parts})

    def board(self) -> Board:
        board = Board()
        board.apply(self.all)
        return board


@pytest.mark.parametrize(
    ("values", "wanted", "decided"),
    [
        ([], 3, None),
        (["y"], 3, None),
        (["y", "y"], 3, "y"),
        (["y", "n"], 3, None),
        (["y", "n", "n"], 3, "n"),
        (["y"], 1, "y"),
        (["build", "test", "none"], 3, None),
        (["y", "y", "n", "n"], 3, None),
    ],
)
def test_majority_is_more_than_half_of_the_wanted_judges(values: list[str], wanted: int, decided: str | None) -> None:
    assert majority(values, wanted) == decided


def test_three_judges_decide_and_are_asked_again_where_they_differ() -> None:
    events = Events(ITEM)
    events.judge("ada", "right")
    events.judge("ben", "structure")
    assert events.board().second("ada", ["a"]) == [], "nobody is asked again before all judges are in"
    assert events.board().fresh("cy", ["a"]) == ["a"]
    events.judge("cy", "right")
    board = events.board()
    assert board.majority("a") == {
        ("command", "ls"): "y", ("template", "ls"): "y", ("command", "dir"): "n", ("template", "dir"): "n",
    }  # fmt: skip
    assert board.differing("a") == [("command", "ls")]
    assert [board.owes("a", name) for name in ("ada", "ben", "cy", "dee")] == [["the judges differ"]] * 3 + [[]]
    assert board.fresh("dee", ["a"]) == [], "three answers are enough"


def test_a_second_look_is_asked_for_once() -> None:
    events = Events(ITEM)
    for name, word in (("ada", "right"), ("ben", "structure"), ("cy", "right")):
        events.judge(name, word)
    events.judge("ada", "right", look=2)
    assert events.board().owes("a", "ada") == [] and events.board().owes("a", "ben") != []
    events.judge("ben", "structure", look=2)
    events.judge("cy", "right", look=2)
    board = events.board()
    assert not any(board.owes("a", name) for name in board.annotators), "they still differ, and that is an answer too"
    assert board.majority("a")["command", "ls"] == "y"


def test_nobody_is_bothered_once_the_judges_agree() -> None:
    events = Events(ITEM)
    for name, word in (("ada", "right"), ("ben", "wrong"), ("cy", "right")):
        events.judge(name, word)
    events.judge("ben", "right", look=2)
    assert events.board().second("ada", ["a"]) == []


def test_please_look_again_reaches_everyone_who_answered_before() -> None:
    events = Events(ITEM)
    events.judge("ada", "right")
    events.add(event="again", item="a", annotator="ben", why="hidden files?")
    events.judge("cy", "right")
    board = events.board()
    assert board.owes("a", "ada") == ["hidden files?"] and board.owes("a", "cy") == []
    events.judge("ada", "wrong", look=2)
    assert events.board().owes("a", "ada") == []


def test_undo_brings_the_answer_before_back() -> None:
    events = Events(ITEM)
    first = events.judge("ada", "right")
    second = events.judge("ada", "wrong")
    events.add(event="undo", annotator="ada", answer=second)
    saved = events.board().saved("a", "ada")
    assert saved and saved.n == first
    events.add(event="undo", annotator="ada", answer=first)
    assert events.board().saved("a", "ada") is None
    assert events.board().fresh("ada", ["a"]) == ["a"]


def test_new_candidates_open_an_item_again_and_keep_what_was_said() -> None:
    events = Events(ITEM)
    events.judge("ada", "right")
    more = Item("verdicts", "a", "list files", (*ITEM.options, Option("tree")))
    events.add(event="item", item=item_to_json(more))
    board = events.board()
    assert board.fresh("ada", ["a"]) == ["a"]
    assert board.votes("a")["command", "ls"] == {"ada": "y"}


def test_an_answer_to_an_item_whose_line_was_damaged_is_passed_over() -> None:
    events = Events(ITEM)
    events.judge("ada", "right", item="gone")
    assert events.board().annotators == {}


def test_lines_are_decided_one_by_one() -> None:
    events = Events(LABEL)
    events.label("ada", (2, 2, "build"), (3, 3, "install"))
    events.label("ben", (2, 3, "build"))
    events.label("cy", (3, 3, "install"))
    assert events.board().majority("doc") == {("line", "1"): "none", ("line", "2"): "build", ("line", "3"): "install"}
    assert events.board().differing("doc") == [("line", "2"), ("line", "3")]


def test_items_nearest_to_completion_come_first() -> None:
    other = Item("verdicts", "b", "show files", ITEM.options)
    events = Events(ITEM, other)
    events.judge("ada", "right", item="b")
    assert events.board().fresh("ben", ["a", "b"]) == ["b", "a"]


def test_agreement_is_reported_over_first_looks_and_over_last_ones() -> None:
    events = Events(ITEM)
    for name, word in (("ada", "right"), ("ben", "structure"), ("cy", "right")):
        events.judge(name, word)
    events.judge("ben", "right", look=2)
    rows = {row["measure"]: row for row in agreement(events.board(), ["a"])}
    # Command: ls y n y, dir n n n. Pairs that agree: 1 of 3 and 3 of 3. Coincidences: o_yn = o_ny = 1, n_y = 2,
    # n_n = 4, so alpha = 1 - 5 * (1 + 1) / (2 * 2 * 4) = 0.375.
    assert rows["command"]["first"] == {"n": 2, "raw": pytest.approx(4 / 6, abs=1e-6), "alpha": 0.375}
    assert rows["command"]["last"] == {"n": 2, "raw": 1.0, "alpha": 1.0}
    assert rows["template"]["first"] == {"n": 2, "raw": 1.0, "alpha": 1.0}


def test_alpha_is_none_where_it_is_not_defined() -> None:
    events = Events(ITEM)
    events.judge("ada", "wrong")
    events.judge("ben", "wrong")
    assert [row["first"] for row in agreement(events.board(), ["a"])] == [{"n": 2, "raw": 1.0, "alpha": None}] * 2


def test_pairs_are_the_columns_of_table_7() -> None:
    events = Events(ITEM)
    events.judge("ada", "right")
    events.judge("ben", "wrong")
    found = pairs(events.board(), ["a"])
    assert [(row["measure"], row["judges"], row["n"], row["raw"]) for row in found] == [
        ("command", ["ada", "ben"], 2, 0.5),
        ("template", ["ada", "ben"], 2, 0.5),
    ]


steps = st.lists(
    st.tuples(st.sampled_from(["ada", "ben", "cy"]), st.sampled_from(["right", "structure", "wrong", "undo", "again"])),
    max_size=12,
)


@settings(deadline=None)
@given(steps, st.integers(0, 14))
def test_state_is_the_same_however_the_log_was_read(script: list[tuple[str, str]], cut: int) -> None:
    events = Events(ITEM)
    answers: dict[str, list[int]] = {"ada": [], "ben": [], "cy": []}
    for name, what in script:
        if what == "again":
            events.add(event="again", item="a", annotator=name, why="")
        elif what != "undo":
            answers[name].append(events.judge(name, what))
        elif answers[name]:
            events.add(event="undo", annotator=name, answer=answers[name].pop())
    whole, parts = events.board(), Board()
    parts.apply(events.all[:cut])
    parts.apply(events.all[cut:])
    assert whole.votes("a") == parts.votes("a") and whole.majority("a") == parts.majority("a")
    for name, left in answers.items():
        saved = whole.saved("a", name)
        assert (saved.n if saved else None) == (left[-1] if left else None)
        assert whole.owes("a", name) == parts.owes("a", name)
