"""What weighs cells is fitted on what was written; an answer is cut where the runtime would have left it."""

from __future__ import annotations

import numpy as np
import pytest

from sayso.core.types import Example, Request
from sayso.english.vocabulary import EOS
from sayso.experiments.notebook_weighing import Question, chosen, cross_fitted, fitted, question, sentence_bleu, until
from sayso.targets.notebook.systems.columns import COLUMNS, Option

pytest.importorskip("sacrebleu")


class Letters:
    def encode(self, text: str) -> list[int]:
        return [100 + ord(one) for one in text]

    def decode(self, ids: object) -> str:
        return "".join(chr(one - 100) for one in ids if one != EOS)  # type: ignore[attr-defined]


def made(repository: str, n: int) -> Question:
    """Two options, of which the one that keeps what is given is right."""
    rows = np.zeros((2, len(COLUMNS)))
    rows[n % 2, COLUMNS.index("kept")] = 1
    rows[:, COLUMNS.index("repeats")] = n % 3
    texts = ["print(total + 1)", "x = 2\ny = x"]
    texts = texts if n % 2 == 0 else texts[::-1]
    example = Example(str(n), Request("a"), ("print(total + 1)",), {"repository": repository})
    return example, [Option(text, "trunk") for text in texts], rows, np.array([1.0, 0.1] if n % 2 == 0 else [0.1, 1.0])


def test_the_column_that_tells_is_found_and_holds_for_other_repositories() -> None:
    questions = [made(f"r/{n % 3}", n) for n in range(12)]
    weighing = fitted(questions)
    weights = dict(zip(COLUMNS, weighing["weight"], strict=True))
    assert weights["kept"] > 0.5 > abs(weights["repeats"])
    assert [chosen(weighing, one) for one in questions] == [n % 2 for n in range(12)]
    found = cross_fitted(questions)
    assert found["weighed"] == found["best of all"] == pytest.approx(100) and found["likeliest"] < 60


def test_an_answer_ends_where_it_says_so_where_it_goes_round_or_where_it_is_too_long() -> None:
    assert until([5, 6, EOS, 7]) == ([5, 6, EOS], True)
    said, is_ended = until([5, 6, 7] * 50)
    assert len(said) < 60 and not is_ended
    assert until(list(range(20, 420)), longest=100) == (list(range(20, 120)), False)


def test_options_are_weighed_by_how_like_they_are_to_what_was_written() -> None:
    tokens = Letters()
    example = Example("1", Request("Add"), ("x = 1",), {"runnable": "x = 1\ny = x + 2"})
    answers = [[[*tokens.encode(text), EOS], -2.0] for text in ("x = 1\ny = x + 2", "print('no')", "x = 1\ny = x + 2")]
    _, options, rows, like = question(example, answers, tokens)
    assert [option.text for option in options] == ["x = 1\ny = x + 2", "print('no')"]
    assert rows.shape == (2, len(COLUMNS)) and like[0] == pytest.approx(1) and like[1] < 0.3
    assert sentence_bleu([], ["x"]) == 0 and sentence_bleu(["x"] * 4, ["x"] * 8) < 0.5
