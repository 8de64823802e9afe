"""Asked cells as rows: other names that agree everywhere and still run, the hand's own form, what rows share."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.types import Piece
from sayso.english.vocabulary import BOS, EOS
from sayso.experiments.asked_lessons import is_enough, lesson_of, request_of, varied
from sayso.experiments.asked_renamed import Lesson, Pools, renamed, requoted, with_column
from sayso.experiments.asked_rows import asked_rows, mined_rows
from sayso.targets.notebook.asked.tried import Tried
from sayso.targets.notebook.asked.written import Ask, Setting
from sayso.training.streams import LEARNT, READ

POOLS = Pools(
    ["hives", "parcels"], {"number": ["litres", "unit_price", "Net Weight"], "text": ["keeper", "Depot Name"]}
)
NAMES = ("trips: DataFrame [4, 2] [columns rider:object, km:float64]",)
SHOWN = 'trips = table({"rider": ["ann", "bo"], "km": [3.5, 4.5]})'
SETTING = Setting(
    "w1:0",
    "",
    (SHOWN,),
    (
        Ask(("mean km of each rider",), 'trips["km"], trips["rider"]'),
        Ask(("the longest first",), 'trips["km"][::-1]'),
        Ask(("riders and km of trips",), 'pairs = [*zip(trips["rider"], trips["km"])]\npairs'),
    ),
)
TRIED = tuple(Tried("ran", "", NAMES, (("trips.csv", "rider,km"),)) for _ in SETTING.asks)


class Letters:
    """An id a character."""

    def encode(self, text: str) -> list[int]:
        return [100 + ord(one) for one in text]


def value(lesson: Lesson) -> Any:
    """What the answer gives below the cells above it."""
    space: dict[str, Any] = {"table": dict}
    for kind, text in lesson.above:
        if kind == "code":
            exec(text, space)
    *first, last = lesson.code.splitlines()
    exec("\n".join(first), space)
    return eval(last, space)


@given(seed=st.integers(0, 10_000), place=st.sampled_from(range(len(SETTING.asks))))
def test_what_is_renamed_still_runs_and_names_agree(seed: int, place: int) -> None:
    lesson = lesson_of(SETTING, place, SETTING.asks[place].phrasings[0], TRIED, None)
    other = varied(lesson, POOLS, random.Random(seed), False)
    assert value(other) == value(lesson)
    columns = [*table_of(other)]
    told = [one.rpartition(":")[0] for one in other.names[0].partition("[columns ")[2].rstrip("]").split(", ")]
    assert told == columns and other.tables[0][1] == ",".join(columns)
    for new, old in zip(columns, ("rider", "km"), strict=True):
        if new != old:
            assert old not in other.request and old not in other.code


def table_of(lesson: Lesson) -> dict[str, Any]:
    space: dict[str, Any] = {"table": dict}
    exec(lesson.above[0][1], space)
    return next(one for name, one in space.items() if isinstance(one, dict) and name != "__builtins__")


def test_a_column_stays_where_the_request_speaks_of_it_in_other_words() -> None:
    lesson = lesson_of(SETTING, 1, "the longest first", TRIED, None)
    assert with_column(lesson, "km", "litres") == lesson
    assert with_column(lesson, "rider", "keeper").above[0][1].startswith('trips = table({"keeper"')


def test_a_name_with_spaces_is_put_only_where_the_old_one_is_always_quoted() -> None:
    lesson = Lesson((("code", SHOWN),), "mean km", "trips.km.mean()", NAMES)
    assert with_column(lesson, "km", "Net Weight") == lesson
    assert with_column(lesson, "km", "litres").code == "trips.litres.mean()"
    assert renamed(lesson, Pools([], {}), random.Random(1)).code.endswith(".km.mean()")


def test_quotes_are_changed_where_nothing_has_to_be_escaped() -> None:
    code = """x = "a" + "it's" + f"{d['k']}"\n"""
    assert requoted(code) == code.replace('"a"', "'a'")


def test_columns_are_told_unless_what_is_shown_is_enough() -> None:
    lesson = Lesson((("code", 'trips = pd.read_csv("trips.csv")'),), "mean km", 'trips["km"].mean()', NAMES)
    assert is_enough(lesson)
    blind = Lesson(lesson.above, "how far on average", lesson.code, NAMES, TRIED[0].tables)
    assert not is_enough(blind)
    kinds = {piece.kind for seed in range(40) for piece in request_of(blind, random.Random(seed)).context[:1]}
    assert kinds == {"names", "tables"}
    assert Piece("names", NAMES[0]) in request_of(blind, None).context


def test_rows_of_a_setting_that_stands_plain_begin_alike() -> None:
    found = [*asked_rows([(SETTING, TRIED)], Letters(), 6, random.Random(2))]
    assert all(one["prompt"][-1] == BOS and one["answer"][-1] == EOS for one in found)  # type: ignore[index]
    assert len({one["setting"] for one in found}) == len(found) / len(SETTING.asks)
    shared = [shares([one["prompt"] for one in found if one["setting"] == n]) for n in range(6)]
    assert max(shared) > len(SHOWN)


def shares(prompts: list[Any]) -> int:
    return next((at for at, some in enumerate(zip(*prompts, strict=False)) if len(set(some)) > 1), 0)


def test_a_mined_row_is_the_last_target_that_has_room() -> None:
    window = [11, *[200] * 40, LEARNT, 7, 8, EOS, READ, 9, EOS, LEARNT, 5, 6, 7, EOS]
    (prompt, answer), *rest = mined_rows([np.array(window, np.uint16)], 5, random.Random(0))
    assert not rest and answer == [5, 6, 7, EOS]
    assert prompt[-1] == BOS and READ not in prompt and len(prompt) == len(window) - len(answer)
