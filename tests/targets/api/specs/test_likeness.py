"""What words mean to a slot, spans of more kinds, one value for what stands twice, and the requests to learn from."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

import pytest

from sayso.experiments.api_asked import dealing, fit_slots, operation_of
from sayso.targets.api.corpus.asked import taught
from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.specs.fill import fill, gathered, weighed
from sayso.targets.api.specs.functions import api_of
from sayso.targets.api.specs.model import Operation, Slot
from sayso.targets.api.specs.reader import reader_of, shipped_weights
from sayso.targets.api.specs.said.spans import said
from sayso.targets.api.specs.slots import context, meaning
from sayso.targets.api.specs.slots.likeness import as_values, lexicon
from sayso.targets.api.specs.slots.options import options_of

NOW = Clock(datetime(2024, 5, 15, 12, tzinfo=UTC), UTC)


def spans(text: str, kind: str) -> list[Any]:
    return [span.value for span in said(text, NOW).spans if span.kind == kind]


def function(name: str, told: str, **slots: dict[str, Any]) -> dict[str, Any]:
    required = [key for key, slot in slots.items() if not slot.pop("optional", False)]
    return {
        "name": name,
        "description": told,
        "parameters": {"type": "dict", "properties": slots, "required": required},
    }


@pytest.mark.parametrize(
    ("slot", "value", "other"),
    [("color", "green", "forest"), ("language", "english", "easter"), ("country", "brazil", "green")],
)
def test_a_value_fits_a_slot_of_its_kind_better_than_another(slot: str, value: str, other: str) -> None:
    takes = lexicon().as_slot([slot], "")
    fits = as_values(lexicon(), [[value], [other]]) @ takes
    assert fits[0] > fits[1] + 0.15


def test_a_word_without_a_row_says_nothing() -> None:
    assert not lexicon().mean(["qqzzx"]).any()
    assert as_values(lexicon(), []).shape[0] == 0
    assert lexicon().place("harbour's") == lexicon().place("harbour") >= 0


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("integrate x^2 + 3x - 1 from 0 to 4", "expression", "x^2 + 3x - 1"),
        ("area under y = x^3", "expression", "x^3"),
        ("rows where price > 20", "expression", "price > 20"),
        ("meet at 7 pm", "hour", "19:00"),
        ("meet at 12 am", "hour", "00:00"),
        ("reserve ICE 77", "name", "ICE 77"),
        ("a mail to Dr. Mbeki", "name", "Dr. Mbeki"),
        ("charges of 1e-9 and 2e-9", "number", 1e-9),
        ("for half an hour", "counted", 0.5),
        ("cases from 2015 to 2021", "list", ("number", [2015, 2021])),
        ("save it as /tmp/a.csv please", "id", "/tmp/a.csv"),
    ],
)
def test_more_kinds_of_values_are_found(text: str, kind: str, value: Any) -> None:
    assert value in spans(text, kind)


def test_a_long_run_of_marks_is_cut_up_quickly() -> None:
    start = time.process_time()
    for text in ("." * 500, "a" * 8000, "x+" * 3000, "(" * 500, "/a-" * 2500, "a.(" * 400, "1 = " * 400):
        said(text, NOW)
    assert time.process_time() - start < 10


def test_values_go_where_their_kind_is_taken() -> None:
    api = api_of([function("identify_bird", "Identify a bird", color={"type": "string"}, habitat={"type": "string"})])
    found = reader_of(api).read("Identify a green bird in the forest", NOW)[0]
    assert found.filled.arguments == {"body": {"color": "green", "habitat": "forest"}}


def test_what_stands_in_the_body_and_beside_it_has_one_value() -> None:
    doubled = Operation(
        "showAvatar",
        "post",
        "/avatars/{user}",
        slots=(
            Slot("user", "user", "path", required=True),
            Slot("body.user", "user", "body", required=True),
        ),
        body="application/json",
    )
    found = fill(said('the avatar of user "k77"', NOW), doubled, weighed(shipped_weights()["slots"]))
    assert found.arguments == {"user": "k77", "body": {"user": "k77"}}


def test_without_a_runtime_every_operation_is_as_near(monkeypatch: pytest.MonkeyPatch) -> None:
    api = api_of([function("get_weather", "Weather of a city", city={"type": "string"})])
    monkeypatch.setattr(meaning, "find_spec", lambda name: None)
    forget_what_was_read()
    try:
        reader = reader_of(api)
        assert reader.reads is None and "context" not in reader.weights["slots"]
        assert reader.index.meanings is None
        found = reader.read("weather in Oslo", NOW)[0]
        assert found.told["meaning"] == 0.0
        assert found.filled.arguments == {"body": {"city": "Oslo"}}
    finally:
        forget_what_was_read()


def forget_what_was_read() -> None:
    for kept in (meaning.encoder, context.shipped, shipped_weights):
        kept.cache_clear()


def test_the_reader_that_ships_knows_the_choices_that_it_learnt() -> None:
    if (reads := context.shipped()) is None:
        pytest.skip("there is no runtime for the sentence encoder")
    right = asked = 0
    plain = weighed(shipped_weights()["slots"])
    for group in list(taught())[30:34]:
        for one in group.wanted:
            operation = group.api.find(one.operation)
            for at, slot in enumerate(operation.slots if operation else ()):
                if not (operation and slot.enum and isinstance(one.values.get(slot.path), str)):
                    continue
                cut = said(one.text, one.clock)
                options, _ = context.in_context(cut, operation, options_of(cut, operation), reads)
                mine = [each for each in options if each.slot == at]
                best = max(mine, key=lambda each: each.dot(plain))
                asked, right = asked + 1, right + (best.value == one.values[slot.path])
    assert asked > 50 and right > 0.5 * asked, (right, asked)


def test_every_request_to_learn_from_names_what_its_function_takes() -> None:
    groups = list(taught())
    wanted = [one for group in groups for one in group.wanted]
    assert (len(groups), sum(len(group.api.operations) for group in groups), len(wanted)) == (207, 1362, 3790)
    assert sum(not one.operation for one in wanted) == 508
    assert len({(group.name, one.text, one.operation) for group in groups for one in group.wanted}) == len(wanted)
    for group in groups:
        for one in group.wanted:
            if one.operation:
                slots = {slot.path: slot for slot in operation_of(group, one).slots}
                for path, value in one.values.items():
                    values = value if isinstance(value, list) else [value]
                    assert not slots[path].enum or set(values) <= set(slots[path].enum), one.text


def test_learning_draws_values_to_their_slots() -> None:
    group = next(group for group in taught() if group.name == "maps")
    dealings = [dealing(operation_of(group, one), one) for one in group.wanted[:6]]

    def right(weights: dict[str, float]) -> int:
        plain = weighed(weights)
        return sum(one.is_met(one.deal(list(one.rows @ plain), plain)) for one in dealings)

    nothing = dict.fromkeys(shipped_weights()["slots"], 0.0)
    learnt = fit_slots(dealings, nothing)
    assert right(learnt) > right(nothing) + 1
    assert learnt == fit_slots(dealings, nothing)
    chosen = dealings[0].deal(list(dealings[0].rows @ weighed(learnt)), weighed(learnt)).chosen
    assert set(gathered(chosen, dealings[0].operation)) <= {slot.path for slot in dealings[0].operation.slots}
