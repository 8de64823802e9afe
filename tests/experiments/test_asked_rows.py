"""Asked cells as windows: other names that agree everywhere and still run, the hand's own form, what is learnt."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.types import Piece
from sayso.english.vocabulary import EOS
from sayso.experiments.asked_lessons import is_enough, is_held, lesson_of, request_of, varied
from sayso.experiments.asked_renamed import Lesson, Pools, renamed, requoted, with_column
from sayso.experiments.asked_rows import asked_windows, write_windows
from sayso.targets.notebook.asked.tried import Tried
from sayso.targets.notebook.asked.written import Ask, Setting
from sayso.training.streams import LEARNT, READ, TAG, read_windows, weights_of

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


def test_a_window_reads_what_is_above_and_learns_the_answer_alone() -> None:
    found = [window for _, window in asked_windows([(SETTING, TRIED)], Letters(), 3, random.Random(2))]
    assert len(found) == 3 * len(SETTING.asks)
    for window in found:
        start = window.index(LEARNT)
        assert window[0] == TAG and READ in window[:start] and window[-1] == EOS
        assert weights_of(np.array(window, np.uint16)).tolist() == [0.0] * (start + 1) + [1.0] * (
            len(window) - start - 1
        )


def test_windows_are_written_as_a_trunk_reads_them_and_held_ones_stand_once(tmp_path: Path) -> None:
    held = next(n for n in range(400) if is_held(f"w1:{n}"))
    settings = [(SETTING, TRIED), (replace(SETTING, id=f"w1:{held}"), TRIED)]
    made = [*asked_windows(settings, Letters(), 4, random.Random(3))]
    assert sum(is_kept for is_kept, _ in made) == len(SETTING.asks)
    write_windows(tmp_path / "w.xz", [window for _, window in made])
    assert [one.tolist() for one in read_windows(tmp_path / "w.xz")] == [window for _, window in made]
