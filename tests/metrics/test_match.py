"""Exact match: top k, several references, and text that does not parse."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from sayso.core.errors import BadInstruction, RunFailed
from sayso.core.types import Candidate, Example, Unscored
from sayso.metrics.match import Match

MakeExample = Callable[..., Example]
MakeAnswers = Callable[..., list[Candidate]]


def squeeze(text: str) -> str:
    """Canonical form of the toy language: single spaces, and no brackets anywhere."""
    if "(" in text:
        raise BadInstruction("a bracket", text, text.index("("))
    return " ".join(text.split())


def match(k: int = 1) -> Match:
    return Match(f"match@{k}", k, squeeze, "squeeze")


def test_equal_only_in_canonical_form_is_right(example: MakeExample, answers: MakeAnswers) -> None:
    assert match().measure(example("ls  -a"), answers("ls -a ")) == 1
    assert match().measure(example("ls -a"), answers("ls -A")) == 0


def test_any_reference_and_any_of_the_first_k(example: MakeExample, answers: MakeAnswers) -> None:
    two = example("ls", "dir")
    assert match(1).measure(two, answers("pwd", "dir")) == 0
    assert match(2).measure(two, answers("pwd", "dir")) == 1
    assert match(2).measure(two, answers("pwd", "cd", "ls")) == 0


def test_no_candidate_is_wrong_and_no_reference_is_unscored(example: MakeExample, answers: MakeAnswers) -> None:
    assert match().measure(example("ls"), []) == 0
    assert match().measure(example(), answers("ls")) == Unscored("no reference")


def test_text_that_does_not_parse_equals_only_itself(example: MakeExample, answers: MakeAnswers) -> None:
    assert match().measure(example("ls"), answers("(ls")) == 0
    assert match().measure(example("(ls  -a"), answers(" (ls  -a\n")) == 1
    assert match().measure(example("(ls  -a"), answers("(ls -a")) == 0
    assert match(2).measure(example("ls"), answers("(ls", "ls")) == 1


def test_raw_text_is_kept_apart_from_canonical_text(example: MakeExample, answers: MakeAnswers) -> None:
    def drop_brackets(text: str) -> str:
        if text == "x":
            raise BadInstruction("no x")
        return text.strip("()")

    assert Match("m", 1, drop_brackets, "drop").measure(example("x"), answers("(x)")) == 0


def test_other_errors_are_not_a_wrong_answer(example: MakeExample, answers: MakeAnswers) -> None:
    def broken(text: str) -> str:
        raise RunFailed("no parser")

    with pytest.raises(RunFailed):
        Match("m", 1, broken, "broken").measure(example("ls"), answers("ls"))


def test_reduce_is_the_mean_of_what_was_scored() -> None:
    score = match().reduce([1, 0, Unscored("late"), 1, 1, Unscored("late"), Unscored("odd")])
    assert score.value == 3 / 4
    assert score.n == 4
    assert score.unscored == {"late": 2, "odd": 1}
    assert score.name == "match@1"
    assert score.signature == "match|k:1|canonical:squeeze|references:any|v:1"


def test_a_score_over_nothing_is_not_zero() -> None:
    score = match().reduce([Unscored("late")])
    assert score.n == 0
    assert score.value != score.value


def test_importing_match_loads_neither_numpy_nor_sacrebleu() -> None:
    code = "import sys, sayso.metrics.match, sayso.metrics.bleu, sayso.metrics.overlap, sayso.metrics.judged; " + (
        "sys.exit(bool({'numpy', 'sacrebleu'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
