"""Precision, recall and F1: three shapes, two averages, worked out by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate, Example, Unscored
from sayso.metrics.overlap import Macro, Micro, Overlap, Part, Shape, ratio, shared

MakeExample = Callable[..., Example]
MakeAnswers = Callable[..., list[Candidate]]

letters = st.lists(st.sampled_from("abc"), max_size=8)


def words(text: str) -> list[str]:
    if "!" in text:
        raise BadInstruction("no !", text)
    return text.split()


def overlap(shape: Shape = "bag", k: int = 1, skip_empty: bool = False) -> Overlap:
    return Overlap(words, "words", shape, k, skip_empty)


@pytest.mark.parametrize(
    ("shape", "counts"),
    [
        # a b b c against b a b b: as bags a b b are shared, of 4 and 4.
        ("bag", [3, 4, 4]),
        # As sets {a b c} and {a b} share a and b.
        ("set", [2, 3, 2]),
        # In order: a b b is in both, 3 of 4 and 4.
        ("sequence", [3, 4, 4]),
    ],
)
def test_counts_by_shape(example: MakeExample, answers: MakeAnswers, shape: Shape, counts: list[int]) -> None:
    assert overlap(shape).count(example("b a b b"), answers("a b b c")) == counts


def test_order_matters_only_to_sequences() -> None:
    assert shared("abc", "cba", "bag") == 3
    # One letter at most stands in the same order in both.
    assert shared("abc", "cba", "sequence") == 1
    # a c d (or b c d) is common, e and x are not.
    assert shared("abcde", "bacxd", "sequence") == 3


@given(letters, letters)
def test_a_sequence_shares_no_more_than_a_bag(left: list[str], right: list[str]) -> None:
    in_order = shared(left, right, "sequence")
    assert in_order <= shared(left, right, "bag") <= min(len(left), len(right))
    assert in_order == shared(right, left, "sequence") == shared(left[::-1], right[::-1], "sequence")
    assert shared(left, left, "sequence") == len(left)


@pytest.mark.parametrize(
    ("part", "micro", "macro"),
    [
        # Example 1: a b c d wanted, a x answered: 1 shared, 2, 4. Example 2: e wanted, e answered: 1, 1, 1.
        # Pot: 2 shared, 3 answered, 5 wanted.
        ("precision", 2 / 3, (1 / 2 + 1) / 2),
        ("recall", 2 / 5, (1 / 4 + 1) / 2),
        # Pot: 2·2/(3+5); example 1: 2·1/(2+4), example 2: 1.
        ("f1", 4 / 8, (2 / 6 + 1) / 2),
    ],
)
def test_micro_and_macro(example: MakeExample, answers: MakeAnswers, part: Part, micro: float, macro: float) -> None:
    pairs = [(example("a b c d"), answers("a x")), (example("e"), answers("e"))]
    pooled, averaged = Micro("m", part, overlap()), Macro("m", part, overlap())
    assert pooled.reduce([pooled.measure(*pair) for pair in pairs]).value == pytest.approx(micro)
    assert averaged.reduce([averaged.measure(*pair) for pair in pairs]).value == pytest.approx(macro)


@pytest.mark.parametrize("part", ["precision", "recall", "f1"])
def test_nothing_wanted(part: Part) -> None:
    assert ratio([0, 0, 0], part) == 1.0
    assert ratio([0, 2, 0], part) == 0.0
    assert ratio([0, 0, 2], part) == 0.0


def test_an_empty_reference_may_be_left_out(example: MakeExample, answers: MakeAnswers) -> None:
    assert overlap().count(example(""), answers("a")) == [0, 1, 0]
    assert overlap(skip_empty=True).count(example(""), answers("a")) == Unscored("nothing in the reference")
    assert overlap(skip_empty=True).count(example("", "a"), []) == [0, 0, 1]


def test_the_pair_with_the_best_f1_counts(example: MakeExample, answers: MakeAnswers) -> None:
    ranked = answers("x y", "a b", "a b c")
    assert overlap(k=1).count(example("a b c", "x"), ranked) == [1, 2, 1]
    # a b against a b c has 4/5, x y against x only 2/3.
    assert overlap(k=2).count(example("a b c", "x"), ranked) == [2, 2, 3]
    assert overlap(k=3).count(example("a b c", "x"), ranked) == [3, 3, 3]


def test_what_cannot_be_split(example: MakeExample, answers: MakeAnswers) -> None:
    assert overlap().count(example("a b"), answers("a b!")) == [0, 0, 2]
    assert overlap().count(example("a!", "b"), answers("b")) == [1, 1, 1]
    assert overlap().count(example("a!"), answers("a!")) == Unscored("no reference can be split")
    assert overlap().count(example(), answers("a")) == Unscored("no reference")


def test_signatures_tell_the_settings_apart() -> None:
    shapes: tuple[Shape, ...] = ("bag", "set", "sequence")
    overlaps = [overlap(shape, k, skip) for shape in shapes for k in (1, 3) for skip in (True, False)]
    metrics = [kind("m", part, one) for kind in (Micro, Macro) for part in ("precision", "f1") for one in overlaps]
    assert len({metric.signature for metric in metrics}) == len(metrics) == 48
    assert Micro("m", "f1", overlap()).signature == (
        "f1|average:micro|bag|k:1|split:words|references:best|empty:scored|v:1"
    )
