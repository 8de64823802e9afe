"""What the trunk says as evidence: its values among those that rules find, days by the clock, nothing asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

import pytest

from sayso.core.types import Candidate, Request
from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.specs.functions import api_of
from sayso.targets.api.specs.model import Api, Operation, Slot
from sayso.targets.api.specs.prompts import shipped
from sayso.targets.api.specs.prompts.hearing import Heard, Hearing, hear, with_heard
from sayso.targets.api.specs.reader import Reader, reader_of
from sayso.targets.api.specs.said.spans import said
from sayso.targets.api.specs.slots.features import PLACE, Option

CLOCK = Clock(datetime(2024, 5, 15, 12, tzinfo=UTC), UTC)
WEIGHTS = json.loads((files("sayso.targets.api") / "data" / "spec_weights_alone.json").read_text())


@dataclass
class Speaks:
    """A trunk that says what it is told to, by a word of the signature."""

    says: Mapping[str, Sequence[tuple[str, float]]]
    asked: list[Request] = field(default_factory=list)

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        self.asked += requests
        head = requests[0].context[0].text.partition(":")[0]
        return [[Candidate(text, score) for text, score in self.says.get(head, ())]]


def api() -> Api:
    def function(name: str, told: str, **slots: Mapping[str, Any]) -> dict[str, Any]:
        needed = [one for one in slots if slots[one].pop("needed", False)]  # type: ignore[attr-defined]
        return {
            "name": name,
            "description": told,
            "parameters": {"type": "dict", "properties": slots, "required": needed},
        }

    return api_of(
        [
            function(
                "book_table", "Book a table in a restaurant",
                place={"type": "string", "description": "Where", "needed": True},
                guests={"type": "integer", "description": "How many people"},
                day={"type": "string", "format": "date"},
                seat={"type": "string", "enum": ["inside", "terrace"]},
                wishes={"type": "array", "items": {"type": "string"}},
            ),
            function("find_recipe", "Find a recipe", dish={"type": "string", "needed": True}),
        ]
    )  # fmt: skip


def reader(says: Mapping[str, Sequence[tuple[str, float]]]) -> tuple[Reader, Speaks]:
    speaks = Speaks(says)
    heard = {"heard": 4.0, "unheard": 1.0, "alone": 0.0, "unsaid": 0.0, "asked": 1.0}
    sure = {"bias": 0.0, "asked": 1.0}
    weights = {**WEIGHTS, "heard": heard, "heard-sure": sure, "heard-right": {"bias": 0.0}}
    found = reader_of(api(), weights)

    def hears(text: str, operation: Operation) -> Hearing:
        nothing = dict(says.get(operation.id, ())).get("-", 0.0)
        return Hearing(nothing, lambda: hear(speaks, text, operation))

    return replace(found, hears=hears), speaks


def operation() -> Operation:
    return api().operations[0]


def test_what_is_said_is_read_with_how_likely_it_is() -> None:
    speaks = Speaks({"book_table": [("place=Roma; guests=4", 0.6), ("nonsense", 0.2), ("-", 0.1)]})
    found = hear(speaks, "four at Roma", operation())
    assert found == Heard((({"body.place": "Roma", "body.guests": 4}, 0.6),), 0.1)
    assert found.asked > 1.5 and found.lead == 1.0
    piece = speaks.asked[0].context[0]
    assert piece.kind == "code" and "guests int: How many people" in piece.text
    assert hear(Speaks({}), "four at Roma", operation()) == Heard((), 0.5)
    assert hear(Speaks({"book_table": [("nonsense", 0.9)]}), "four at Roma", operation()) == Heard((), 0.0)
    nothing = hear(Speaks({"book_table": [("-", 0.98)]}), "hello", operation())
    assert nothing.asked < -2.5


def test_a_line_with_a_part_that_cannot_be_read_is_read_for_the_others() -> None:
    speaks = Speaks({"book_table": [("place=Roma; guests=a few; when=noon; wishes=quiet", 0.6)]})
    assert hear(speaks, "", operation()).answers == (({"body.place": "Roma", "body.wishes": ["quiet"]}, 0.6),)


def test_the_share_of_the_answers_that_have_a_value_speaks_for_it() -> None:
    cut = said("Roma on Friday for four", CLOCK)
    heard = Heard((({"body.place": "Roma", "body.day": "Friday"}, 0.6), ({"body.place": "Roma"}, 0.2)), 0.0)
    from sayso.targets.api.specs.slots.options import options_of

    found = with_heard(cut, operation(), options_of(cut, operation()), heard)
    features = [(one.slot, one.value, dict(one.features)) for one in found]
    for slot, value, told in features:
        is_roma, is_friday = (slot, value) == (0, "Roma"), slot == 2
        assert (PLACE["heard"] in told) == (is_roma or is_friday), (slot, value)
        assert (PLACE["unheard"] in told) != (PLACE["heard"] in told)
    assert {value for slot, value, _ in features if slot == 2} >= {"2024-05-17"}


@pytest.mark.parametrize(
    ("line", "slot", "value"),
    [
        ("place=Casa Bo", 0, "Casa Bo"),
        ("day=tomorrow", 2, "2024-05-16"),
        ("day=2024-06-01", 2, "2024-06-01"),
        ("seat=Terrace", 3, "terrace"),
        ("wishes=[quiet, by the window]", 4, ["quiet", "by the window"]),
        ("guests=6", 1, 6),
    ],
)
def test_a_value_that_no_rule_finds_is_one_more(line: str, slot: int, value: Any) -> None:
    cut = said("as ever", CLOCK)
    heard = hear(Speaks({"book_table": [(line, 0.9)]}), "as ever", operation())
    found = [one for one in with_heard(cut, operation(), [], heard) if PLACE["heard"] in dict(one.features)]
    assert (slot, value) in [(one.slot, one.value) for one in found]
    assert all(PLACE["alone"] in dict(one.features) for one in found)


def test_what_the_server_would_refuse_or_no_clock_tells_is_no_value() -> None:
    cut = said("as ever", CLOCK)
    for line in ("seat=roof", "day=harvest"):
        assert with_heard(cut, operation(), [], hear(Speaks({"book_table": [(line, 0.9)]}), "", operation())) == []


def test_nothing_is_made_up_for_a_path_and_the_name_of_a_thing_is_no_value() -> None:
    text = "delete an item"
    slot = Slot("item_id", "item_id", "path", required=True)
    deletes = replace(operation(), id="deleteItem", slots=(slot,))
    for line in ("item_id=7", "item_id=item", "item_id=it"):
        heard = hear(Speaks({"deleteItem": [(line, 0.9)]}), text, deletes)
        assert heard.answers and with_heard(said(text, CLOCK), deletes, [], heard) == [], line
    text = "delete boat raft"
    heard = hear(Speaks({"deleteItem": [("item_id=raft", 0.9)]}), text, deletes)
    assert [one.value for one in with_heard(said(text, CLOCK), deletes, [], heard)] == ["raft"]


def test_a_word_of_a_list_is_given_to_no_other_slot() -> None:
    cut = said("quiet and by the window", CLOCK)
    heard = hear(Speaks({"book_table": [("wishes=[quiet, by the window]", 0.9)]}), "", operation())
    assert [sorted(one.cover) for one in with_heard(cut, operation(), [], heard)] == [[0, 1, 2, 3, 4]]


def test_what_the_description_calls_a_choice_is_not_denied() -> None:
    glossed = Option(3, "inside", frozenset((0,)), "", ((PLACE["gloss"], 1.0),), 0)
    heard = hear(Speaks({"book_table": [("guests=2", 0.9)]}), "", operation())
    found = with_heard(said("warm for two", CLOCK), operation(), [glossed], heard)
    assert found[0] == glossed and len(found) > 1


def test_a_reader_takes_the_values_that_it_hears() -> None:
    text = "could you get us somewhere, Casa Bo if they have it, we are half a dozen, outside please"
    plain, _ = reader({})
    speaking, _ = reader({"book_table": [("place=Casa Bo; guests=6; seat=terrace", 0.8)], "find_recipe": [("-", 0.9)]})
    body = speaking.read(text, CLOCK)[0].filled.arguments["body"]
    assert body == {"place": "Casa Bo", "guests": 6, "seat": "terrace"}
    assert plain.read(text, CLOCK)[0].filled.arguments["body"] != body
    assert replace(speaking, hears=None).read(text, CLOCK) == reader_of(api(), WEIGHTS).read(text, CLOCK)


def test_an_operation_that_is_not_asked_for_gives_way_and_is_doubted() -> None:
    text = "book a table with dishes of the restaurant, a recipe for goulash"
    says = {"book_table": [("-", 0.99)], "find_recipe": [("dish=goulash", 0.9)]}
    found = reader(says)[0].read(text, CLOCK)
    assert [one.operation.id for one in found] == ["find_recipe", "book_table"]
    assert found[0].filled.arguments == {"body": {"dish": "goulash"}}
    assert found[0].chance > 0.5 > found[1].chance


def test_the_trunk_reads_no_more_operations_than_it_must() -> None:
    text = "a table at Roma"
    sure, speaks = reader({"book_table": [("place=Roma", 0.9)]})
    sure.read(text, CLOCK)
    assert len(speaks.asked) == 1


def test_the_trunk_is_looked_for_where_bundles_lie() -> None:
    from sayso.neural.installed import OWN

    assert shipped.TRUNK.parent == OWN and (shipped.TRUNK / "bundle.json").is_file()


def test_a_trunk_of_another_target_is_never_asked(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped.answers_for_calls.cache_clear()
    assert not shipped.answers_for_calls(tmp_path)
    from sayso.neural.bundle import write_bundle

    for also, expected in (([], False), (["api"], True)):
        folder = tmp_path / f"trunk-{len(also)}"
        write_bundle(folder, name="t", target="bash", kind="trunk", settings={"also": also}, files={}, licence="x")
        assert shipped.answers_for_calls(folder) is expected


def test_only_the_first_operation_and_what_is_close_is_asked_for_its_values() -> None:
    text = "book a table with dishes of the restaurant, a recipe for goulash"
    says = {"book_table": [("-", 0.99)], "find_recipe": [("dish=goulash", 0.9)]}
    found, speaks = reader(says)
    assert found.read(text, CLOCK)[0].operation.id == "find_recipe"
    assert [one.context[0].text.partition(":")[0] for one in speaks.asked] == ["find_recipe"]


def test_that_nothing_is_asked_for_is_known_before_the_trunk_answers() -> None:
    """Held to what its whole search says: `-` as often, and the same lines after it."""
    if not shipped.answers_for_calls():
        pytest.skip("no trunk that answers for calls")
    translator = shipped.values_translator()
    for text in ("a table at Roma for four on Friday", "how deep is the sea", "goulash, how do I make it"):
        for one in api().operations:
            whole, begun = hear(translator, text, one), shipped.hearing_of(translator, text, one)
            assert begun.nothing == pytest.approx(whole.nothing, abs=2e-3), (text, one.id)
            assert begun.heard().answers == whole.answers
