"""Several answers in one pass, with a trunk that is a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from sayso.core.errors import UserError
from sayso.english.vocabulary import EOS
from sayso.neural.drawing import Draws, draw, drawn, goes_round, whole_lines

SIZE = 64


class Table:
    """After id n come n + 1 (likelier) and n + 2; 30 and what is above end. Counts the rows of its steps."""

    def __init__(self) -> None:
        self.rows: list[int] = []

    def after(self, last: Sequence[int]) -> Any:
        odds = np.full((len(last), SIZE), 1e-9, np.float32)
        for row, one in enumerate(last):
            if one >= 30:
                odds[row, EOS] = 1
            else:
                odds[row, one + 1], odds[row, one + 2] = 0.6, 0.4
        return np.log(odds)

    def go_on(self, prompt: Sequence[int], kept: Any, rows: int, ahead: int) -> tuple[Any, Any, Any]:
        return self.after(prompt[-1:]), [list(prompt)], tuple(prompt)

    def step(self, state: Any, last: Any, parents: Any) -> tuple[Any, Any]:
        self.rows.append(len(last))
        state = [[*state[parent], one] for parent, one in zip(parents.tolist(), last.tolist(), strict=True)]
        assert len({tuple(one) for one in state}) == len(state), "rows that said the same are one"
        return self.after(last.tolist()), state


def answers(prompt: list[int], **settings: Any) -> tuple[Any, list[bool], Table]:
    table = Table()
    found, ended, kept = draw(table, prompt, Draws(**settings))  # type: ignore[arg-type]
    assert list(kept) == prompt  # type: ignore[call-overload]
    return found, ended, table


def test_the_first_says_the_likeliest_id_every_time_and_others_are_drawn() -> None:
    found, ended, table = answers([20], answers=6)
    assert found[0].ids == tuple(range(21, 31)) and all(ended)
    assert found[0].log_prob == pytest.approx(10 * np.log(0.6), abs=1e-3)
    assert len({one.ids for one in found}) > 2
    assert all(two - one in (1, 2) for each in found for one, two in zip((20, *each.ids), each.ids, strict=False))
    assert table.rows[0] <= 2 and max(table.rows) <= 6


def test_a_question_has_the_same_answers_again_and_another_has_others() -> None:
    assert answers([5, 20])[0] == answers([5, 20])[0]
    assert answers([5, 20])[0] != answers([6, 20])[0]


def test_an_answer_that_is_too_long_is_not_ended() -> None:
    found, ended, _ = answers([20], answers=3, longest=2)
    assert [len(one.ids) for one in found] == [2, 2, 2] and not any(ended)


def test_an_answer_that_goes_round_in_circles_is_left_off() -> None:
    assert goes_round([1, 2, 3, 4] * 10) and not goes_round(list(range(40)))
    assert not goes_round([*range(24), *range(24)]), "said twice is not in circles"
    assert whole_lines("a = 1\nb = 2\nc = (") == "a = 1\nb = 2" and whole_lines("c = (") == "c = ("


def test_an_id_is_drawn_from_the_likeliest_alone() -> None:
    log_probs = np.log(np.array([0.5, 0.3, 0.15, 0.05]))
    some = [drawn(log_probs, number, Draws(temperature=1, share=0.7)) for number in (0.0, 0.6, 0.63, 0.999)]
    assert some == [0, 0, 1, 1]


def test_settings_that_draw_nothing_are_refused() -> None:
    with pytest.raises(UserError):
        Draws(answers=0)
