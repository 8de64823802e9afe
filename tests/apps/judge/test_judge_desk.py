"""What the page may ask for: queues, leases, saving twice, undo, and that everything is blind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sayso.apps.judge.desk import LEASE_SECONDS, Desk, Stale, check_name
from sayso.apps.judge.items import Item, Option
from sayso.apps.judge.store import Store
from sayso.core.errors import UserError

RIGHT, WRONG = (True, True), (False, False)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store") as opened:
        yield opened


def shown(desk: Desk, name: str, queue: str = "fresh") -> Any:
    return desk.next(name, queue)["item"]


def judge(desk: Desk, name: str, item: Any, said: tuple[bool, bool]) -> Any:
    verdicts = [{"text": one["text"], "command": said[0], "template": said[1]} for one in item["options"]]
    return desk.save(name, item["id"], item["look"], {"verdicts": verdicts}, False)


def test_a_queue_runs_out_and_the_count_follows(store: Store, verdicts: list[Item]) -> None:
    desk = Desk(store, verdicts)
    seen = []
    while item := shown(desk, "ada"):
        seen.append(item["id"])
        judge(desk, "ada", item, RIGHT)
    assert sorted(seen) == ["one", "two"]
    overview: Any = desk.overview("ada")
    assert overview["mine"] == {"done": 2, "left": 0, "second": 0}
    assert overview["items"] == {"total": 2, "complete": 0, "differ": 0}


def test_what_leaves_the_desk_names_no_system_and_no_other_judge(store: Store, verdicts: list[Item]) -> None:
    desk = Desk(store, verdicts)
    for name, said in (("ada", RIGHT), ("ben", WRONG), ("cy", RIGHT)):
        while item := shown(desk, name):
            judge(desk, name, item, said)
    item = shown(desk, "ben", "second")
    told = json.dumps(item)
    assert "secret" not in told and "ada" not in told and "cy" not in told
    assert item["why"] == ["the judges differ"] and item["look"] == 2 and item["differ"]
    assert [one["command"] for one in item["given"]["verdicts"]] == [False, False], "one's own answer is filled in"


def test_judges_see_the_candidates_in_orders_of_their_own(store: Store) -> None:
    item = Item("verdicts", "a", "r", tuple(Option(f"ls -{letter}") for letter in "abcdefgh"))
    desk = Desk(store, [item])
    orders = {tuple(one["text"] for one in shown(desk, name)["options"]) for name in ("ada", "ben", "cy")}
    assert len(orders) == 3
    again = tuple(one["text"] for one in shown(desk, "ada")["options"])
    assert again in orders, "a reload does not shuffle"


def test_two_writers_are_not_given_the_same_command(store: Store) -> None:
    now = [0.0]
    desk = Desk(store, [Item("describe", "a", "ls"), Item("describe", "b", "pwd")], clock=lambda: now[0])
    first, second = shown(desk, "ada"), shown(desk, "ben")
    assert {first["id"], second["id"]} == {"a", "b"}
    assert shown(desk, "cy") is None
    assert shown(desk, "ada")["id"] == first["id"], "one's own item comes back on reload"
    now[0] = LEASE_SECONDS + 1
    assert shown(desk, "cy") is not None, "whoever went home does not hold an item for ever"


def test_saving_twice_is_saving_once(store: Store, verdicts: list[Item]) -> None:
    desk = Desk(store, verdicts)
    item = shown(desk, "ada")
    judge(desk, "ada", item, RIGHT)
    size = store.path.stat().st_size
    judge(desk, "ada", item, RIGHT)
    assert store.path.stat().st_size == size


def test_the_last_judges_retry_does_not_count_as_a_second_look(store: Store, verdicts: list[Item]) -> None:
    desk = Desk(store, verdicts[:1])
    for name, said in (("ada", RIGHT), ("ben", WRONG), ("cy", RIGHT)):
        item = shown(desk, name)
        judge(desk, name, item, said)
    judge(desk, "cy", item, RIGHT)
    assert shown(desk, "cy", "second")["look"] == 2


def test_a_stale_page_and_an_invented_look_are_refused(store: Store, verdicts: list[Item]) -> None:
    desk = Desk(store, verdicts[:1])
    item = shown(desk, "ada")
    judge(desk, "ada", item, RIGHT)
    desk.again("ben", item["id"], "")
    judge(desk, "ada", shown(desk, "ada", "second"), WRONG)
    with pytest.raises(Stale):
        judge(desk, "ada", item, RIGHT)
    with pytest.raises(UserError, match="not given to you"):
        judge(desk, "ada", {**item, "look": 9}, RIGHT)


def test_undo_returns_the_item_with_the_answer_in_it(store: Store, verdicts: list[Item]) -> None:
    desk = Desk(store, verdicts)
    with pytest.raises(UserError, match="nothing to take back"):
        desk.undo("ada")
    item = shown(desk, "ada")
    judge(desk, "ada", item, RIGHT)
    back: Any = desk.undo("ada")["item"]
    assert back["id"] == item["id"] and [one["command"] for one in back["given"]["verdicts"]] == [True, True]
    overview: Any = desk.overview("ada")
    assert overview["mine"]["done"] == 0
    with pytest.raises(UserError, match="nothing to take back"):
        desk.undo("ben")


def test_pass_puts_an_item_last(store: Store) -> None:
    desk = Desk(store, [Item("describe", name, "ls") for name in "abc"])
    order = []
    for _ in range(4):
        order.append(shown(desk, "ada")["id"])
        desk.skip("ada", order[-1])
    assert len(set(order[:3])) == 3 and order[3] == order[0]


def test_asking_again_needs_an_answer_and_says_how_many(store: Store, verdicts: list[Item]) -> None:
    desk = Desk(store, verdicts[:1])
    with pytest.raises(UserError, match="nobody has answered"):
        desk.again("ada", "one", "why")
    judge(desk, "ada", shown(desk, "ada"), RIGHT)
    judge(desk, "ben", shown(desk, "ben"), RIGHT)
    assert desk.again("cy", "one", "look at -delete") == {"asked": 2}
    assert shown(desk, "ada", "second")["why"] == ["look at -delete"]
    with pytest.raises(UserError, match="no such item"):
        desk.again("ada", "none", "")


def test_warnings_are_told_once_and_may_be_accepted(store: Store) -> None:
    desk = Desk(store, [Item("describe", "a", "head -n 5 a.txt")])
    value: dict[str, object] = {"texts": ["show 6 lines of a.txt"]}
    told: Any = desk.save("ada", "a", 1, value, False)
    assert told["saved"] is False and [problem["fatal"] for problem in told["problems"]] == [False, False]
    assert shown(desk, "ada") is not None
    assert desk.save("ada", "a", 1, value, True) == {"saved": True, "problems": []}
    refused: Any = desk.save("ada", "a", 1, {"texts": ["One. Two."]}, True)
    assert refused["saved"] is False, "what is fatal cannot be accepted"


def test_a_second_run_adds_systems_and_keeps_verdicts(store: Store, verdicts: list[Item]) -> None:
    desk = Desk(store, verdicts[:1])
    judge(desk, "ada", shown(desk, "ada"), RIGHT)
    new = Option("find /srv -empty", "", ("secret-gamma",))
    more = Item("verdicts", "one", verdicts[0].text, (new, verdicts[0].options[0]))
    with Store(store.path.parent) as opened:
        again = Desk(opened, [more])
        item = shown(again, "ada")
        assert len(item["options"]) == 3 and len(item["given"]["verdicts"]) == 2
        assert again.board.items["one"].options[0].systems == ("secret-alpha", "secret-beta")
    size = store.path.stat().st_size
    with Store(store.path.parent) as opened:
        assert Desk(opened).active == ["one"], "a store knows its items"
    with Store(store.path.parent) as opened:
        Desk(opened, [more])
    assert store.path.stat().st_size == size, "known items are not written again"


def test_names_are_cleaned_and_checked() -> None:
    assert check_name("  Ada   L\u0301ovelace ") == "Ada Ĺovelace"
    for bad in ("", "   ", "x" * 61, "a\x00b", "a\u202eb"):
        with pytest.raises(UserError):
            check_name(bad)
