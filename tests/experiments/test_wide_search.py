"""Answers and their cost are counted request by request; what cannot be judged counts for nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

from sayso.answer.rerank import Combined
from sayso.core.types import Request, Unscored
from sayso.experiments.weighing_outcomes import Trial
from sayso.experiments.wide_search import Timed, measured

RANKED = [SimpleNamespace(draft=SimpleNamespace(text=text)) for text in ("a", "b", "c", "d")]


def system(ranked: Sequence[Any]) -> Combined:
    target = SimpleNamespace(read=lambda request: request)
    return cast(Combined, SimpleNamespace(target=target, weigh=lambda asked: (list(ranked), {})))


def judged(*right: str) -> Trial:
    def judging(texts: Sequence[str]) -> Mapping[str, bool]:
        return {text: text in right for text in texts}

    return Trial("x", "do it and then that", cast(Any, judging))


def test_first_and_one_of_three_are_counted_and_the_fourth_is_not() -> None:
    cannot = Trial("y", "do it", lambda texts: Unscored("needs a network"))
    found = measured(system(RANKED), [judged("a"), judged("c"), judged("d"), cannot])
    assert (found["n"], found["first"], found["one of three"]) == (3, 1, 2)
    assert 0 <= found["p50"] <= found["p95"]


def test_no_answer_is_a_wrong_one() -> None:
    found = measured(system([]), [judged("a")])
    assert (found["n"], found["first"], found["one of three"]) == (1, 0, 0)


def test_each_telling_back_is_timed_and_given_on() -> None:
    timed = Timed(lambda request, texts: [-1.0 for _ in texts])
    assert timed(Request("x"), ["a", "b"]) == [-1.0, -1.0]
    assert len(timed.seconds) == 1
