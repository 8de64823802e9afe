"""Rows from which the trunk learns calls: what they hold, and that what is exchanged is exchanged in both texts."""

from __future__ import annotations

from random import Random

from sayso.experiments.trunk_calls import hasty
from sayso.experiments.trunk_functions import (
    Lesson,
    about_others,
    is_held,
    lessons_of,
    otherwise,
    rows_of,
)
from sayso.experiments.trunk_wording import Row, pools_of, swapped
from sayso.targets.api.corpus.asked import taught_in
from sayso.targets.api.specs.prompts.answers import read_answer
from sayso.targets.api.syntax.calls import parse_call

ASKED = """# Now is 2025-03-10T09:30Z, a Monday.
## stock
fn POST receiveGoods | Book goods | sku:s! ; quantity:i! ; place:s ; on:d
> 40 of AC-5 came yesterday, put them on A-12 => sku=AC-5; quantity=40; place=A-12; on=2025-03-09
> 12 HB-0840 for the shelf on Candlemas => sku=HB-0840; quantity=12; on=2025-02-02
fn GET getItem | Read an article | @sku:s!
> what is AC-5 => sku=AC-5
> book a driver => -
"""


def lessons() -> list[Lesson | None]:
    return list(lessons_of(taught_in(ASKED)))


def test_days_stand_as_they_are_said_and_a_day_that_no_clock_finds_is_left_out() -> None:
    first, second, third = lessons()
    assert first is not None and first.values["body.on"] == "yesterday"
    assert second is None
    assert third is not None and third.values == {"sku": "AC-5"}


def test_every_row_can_be_read_back_and_others_are_not_asked_for() -> None:
    groups = list(taught_in(ASKED))
    rows = list(rows_of(groups, [one for one in lessons() if one], 1))
    assert {row.source for row in rows} == {"asked", "asked again", "beside", "nothing"}
    for row in rows:
        assert (row.answer == "-") == (row.source in ("beside", "nothing"))
    assert len([row for row in rows if row.source == "nothing"]) == 2


def test_another_signature_has_the_same_values_under_its_own_names() -> None:
    first = lessons()[0]
    assert first is not None
    for seed in range(60):
        other = otherwise(first, (), Random(seed))
        assert sorted(map(str, other.values.values())) == sorted(map(str, first.values.values()))
        assert all(other.operation.find(path) for path in other.values)
        line = "; ".join(f"{path.removeprefix('body.')}={value}" for path, value in other.values.items())
        assert read_answer(other.operation, line) == other.values


def test_what_is_exchanged_stands_in_both_texts() -> None:
    first = lessons()[0]
    assert first is not None
    pools: dict[str, list[object]] = {"a-9": ["ZZ-77"], "number 2": [33]}
    found = [about_others(first, pools, Random(seed)) for seed in range(20)]
    assert any("ZZ-77" in one.request for one in found) and any("33 of" in one.request for one in found)
    for one in found:
        assert all(str(value) in one.request for value in one.values.values())


def test_a_worded_request_about_others_keeps_its_call() -> None:
    rows = [
        Row("wording", (), "mails from Ann about the rota", "GET message FILTER message.from eq Ann SEARCH rota"),
        Row("wording", (), "mails from Bo about the keys", "GET message FILTER message.from eq Bo SEARCH keys"),
    ]
    found = {row.request: row.answer for seed in range(9) for row in swapped(rows, pools_of(rows), seed)}
    assert "mails from Bo about the rota" in found or "mails from Ann about the keys" in found
    for request, answer in found.items():
        assert all(getattr(one, "value", "") in request for one in parse_call(answer).clauses)


def test_haste_leaves_values_alone() -> None:
    row = Row("asked", (), "put Sunny, our INC-71's friend, on the list of people please", "name=Sunny; id=INC-71")
    found = {one.request for seed in range(40) for one in hasty([row], seed)}
    assert len(found) > 3
    assert all("Sunny," in one and "INC-71's" in one for one in found)


def test_a_tenth_of_the_groups_is_held_back() -> None:
    assert 60 < sum(is_held(f"group {at}") for at in range(1000)) < 140
