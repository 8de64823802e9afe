"""Rows of training with examples: drawn by seed, and never told their own answer."""

from __future__ import annotations

from sayso.english.byte_bpe import read_bpe
from sayso.experiments.trunk_context import shape_of, with_context
from sayso.neural.translator import TOKENIZER
from sayso.targets.bash.corpus.unseen import Pair
from sayso.targets.bash.systems.combined import TRUNK
from sayso.targets.bash.systems.recalled import remembered

TOKENS = read_bpe((TRUNK / TOKENIZER).read_bytes())
KNOWN = [
    ("sort the people of people.csv by their age", "sort -t, -k2n people.csv"),
    ("sort the towns of towns.csv by the number of their people", "sort -t, -k3nr towns.csv"),
    ("show the first line of towns.csv", "head -n 1 towns.csv"),
]
MEMORY = remembered(KNOWN)
OWN = Pair(*KNOWN[0], "asked")


def shown(pair: Pair) -> str:
    (found,) = with_context([pair], TOKENS, 1.0, memory=MEMORY)
    return found.text if found else ""


def test_a_row_does_not_see_itself() -> None:
    assert "towns.csv by the number" in shown(OWN)
    assert "sort -t, -k2n" not in shown(OWN)


def test_a_row_about_other_names_does_not_see_what_it_was_made_of() -> None:
    twin = Pair("sort people of crew.csv by their age", "sort -t, -k2n crew.csv", "asked")
    assert "-k2n" not in shown(twin)


def test_a_mistyped_row_does_not_see_what_it_was_made_of() -> None:
    assert "-k2n" not in shown(Pair("sort poeple of crew.csv by their age", "sort -t, -k2n crew.csv", "asked"))


def test_other_words_for_the_same_are_shown() -> None:
    assert "-k2n" in shown(Pair("people.csv by age, youngest first", "sort -t, -k2n people.csv", "asked"))


def test_so_many_rows_have_context_and_the_seed_says_which() -> None:
    rows = [OWN] * 300
    drawn = [piece is not None for piece in with_context(rows, TOKENS, memory=MEMORY)]
    assert 70 < sum(drawn) < 130
    assert drawn == [piece is not None for piece in with_context(rows, TOKENS, memory=MEMORY)]
    assert drawn != [piece is not None for piece in with_context(rows, TOKENS, seed=1, memory=MEMORY)]


def test_a_shape_leaves_out_what_the_request_names() -> None:
    assert shape_of("lines of a.txt", "wc -l a.txt") == "wc -l _._"
