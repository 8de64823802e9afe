"""What writers of asked cells wrote: settings, phrasings, cells, what stands before each, marks that stand wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadFile
from sayso.targets.notebook.asked.sifting import FOLLOWS, NEAR, TWICE, measured, sift
from sayso.targets.notebook.asked.stored import load_asked, load_made, store_asked
from sayso.targets.notebook.asked.tried import Tried
from sayso.targets.notebook.asked.written import Ask, Setting, read_settings

TEXT = """\
=== hidden
open("hives.csv", "w").write("hive,kg\\n")
=== shown
import pandas as pd
# %%
hives = pd.read_csv("hives.csv")
=== ask
kg of each hive
how heavy is every hive
--- code
heavy = hives.groupby("hive")["kg"].sum()
heavy
=== ask then
and the heaviest of those
--- code
heavy.idxmax()
--- check
assert found(space, "a")
--- wrong
heavy.idxmin()
=== ask
how many rows
--- code
len(hives)
=== shown
x = 1
=== ask
double it
--- code
x * 2
"""


def read(text: str, folder: Path) -> list[Setting]:
    path = folder / "w1-01.txt"
    path.write_text(text, encoding="utf-8")
    return [*read_settings(path)]


def test_settings_are_read_with_what_stands_before_each_ask(tmp_path: Path) -> None:
    first, second = read(TEXT, tmp_path)
    assert first.shown == ("import pandas as pd", 'hives = pd.read_csv("hives.csv")')
    assert first.id.startswith("w1:") and first.id != second.id
    assert first.asks[0].phrasings == ("kg of each hive", "how heavy is every hive")
    assert [one.follows for one in first.asks] == [0, 1, 0]
    assert first.before(1) == (first.asks[0],) and first.before(2) == ()
    assert (first.asks[1].check, first.asks[1].wrong) == ('assert found(space, "a")', ("heavy.idxmin()",))
    assert second == Setting(second.id, "", ("x = 1",), (Ask(("double it",), "x * 2"),))


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("=== ask\nkg", "=== ask then\nkg", 7),
        ("--- code\nlen(hives)", "--- check\nlen(hives)", 23),
        ("--- check\n", "--- code\n", 17),
    ],
)
def test_a_mark_that_stands_wrong_is_named_with_its_line(old: str, new: str, line: int, tmp_path: Path) -> None:
    assert old in TEXT
    with pytest.raises(BadFile, match=rf"w1-01\.txt:{line}: "):
        read(TEXT.replace(old, new, 1), tmp_path)


def test_what_fails_or_is_near_is_dropped_with_what_stands_below_it(tmp_path: Path) -> None:
    written = read(TEXT, tmp_path)
    ran, fails = Tried("ran"), Tried("fails", "KeyError: kg")
    held = measured([("made-up", "double it"), ("made-up", "how heavy is every hive here")])
    found = sift(zip(written, [(fails, ran, ran), (ran,)], strict=True), held)
    assert [[ask.code for ask in setting.asks] for setting, _ in found.kept] == [["len(hives)"]]
    assert found.dropped == {"fails": 1, FOLLOWS: 1, NEAR: 1}
    kept = sift(zip(written, [(ran, ran, ran), (ran,)], strict=True), held).kept
    assert kept[0][0].asks[0].phrasings == ("kg of each hive",)


def test_one_request_is_asked_once_in_a_setting() -> None:
    asks = (Ask(("count the bees", "Count the bees!"), "1"), Ask(("count bees",), "2"))
    found = sift([(Setting("w1:0", "", ("x = 1",), asks), (Tried("ran"), Tried("ran")))], measured([]))
    assert [ask.phrasings for ask in found.kept[0][0].asks] == [("count the bees",)]
    assert found.dropped == {TWICE: 2}


WORDS = st.text(st.sampled_from('ab é"\\\n\u2028\t'), min_size=1, max_size=9)
ASKS = st.lists(st.builds(Ask, st.lists(WORDS, min_size=1, max_size=2).map(tuple), WORDS), min_size=1, max_size=3)


@settings(max_examples=12)  # packing takes most of it
@given(asks=ASKS, hidden=WORDS, shown=st.lists(WORDS, max_size=2), line=WORDS)
def test_what_is_stored_is_what_is_read(
    asks: list[Ask], hidden: str, shown: list[str], line: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    setting = Setting("w1:0", hidden, tuple(shown), tuple(asks))
    tried = tuple(Tried("ran", "", (line,), ((line, hidden),)) for _ in asks)
    store_asked([(setting, tried)], {"read": {"asks": len(asks)}}, folder)
    assert load_asked(folder) == [(setting, tried)]
    assert load_made(folder) == {"read": {"asks": len(asks)}}
