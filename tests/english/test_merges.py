"""Byte pairs within words: learned in order, applied alike, and undone whatever the word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sayso.english.merges import END, Merges, all_pieces, learn_merges, put_together

COUNTS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


def test_the_most_frequent_pair_is_merged_first() -> None:
    made = learn_merges(COUNTS, 4)
    assert made[:3] == ("es", f"est{END}", "lo")
    assert len(made) == 4


def test_words_are_cut_as_they_were_merged() -> None:
    merges = Merges(all_pieces(learn_merges(COUNTS, 10)))
    assert merges.cut("newest") == (f"newest{END}",)
    assert merges.cut("lowest") == ("lo", "w", f"est{END}")
    assert put_together([*merges.cut("lowest"), *merges.cut("lower")]) == ["lowest", "lower"]


def test_no_more_is_merged_than_stands_twice() -> None:
    assert learn_merges({"ab": 1, "cd": 1}, 10) == ()
    assert learn_merges({"aaaa": 2}, 10)[:1] == ("aa",)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_any_words_come_back(words: list[str]) -> None:
    merges = Merges(all_pieces(learn_merges(COUNTS, 10)))
    pieces = [piece for word in words for piece in merges.cut(word)]
    assert put_together(pieces) == words
    assert set(pieces) <= set(merges.pieces)
