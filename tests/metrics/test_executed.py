"""The executed metric over a comparison that runs nothing: k, unscored examples, and what it asks."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from sayso.core.errors import SandboxFailed
from sayso.core.types import Candidate, Example, Request, Unscored
from sayso.metrics.executed import Executed

ASKED = Example("toy", Request("list files"), ("ls",))


def same_length(example: Example, texts: Sequence[str]) -> list[bool]:
    return [any(len(text) == len(reference) for reference in example.references) for text in texts]


def answers(*texts: str) -> list[Candidate]:
    return [Candidate(text, -float(rank)) for rank, text in enumerate(texts)]


def test_one_of_the_first_k_candidates_is_enough() -> None:
    tried = answers("find", "rm")
    assert Executed("executed@1", 1, same_length, "length").measure(ASKED, tried) == 0
    assert Executed("executed@3", 3, same_length, "length").measure(ASKED, tried) == 1
    assert Executed("executed@3", 3, same_length, "length").measure(ASKED, []) == 0


def test_only_the_first_k_candidates_are_run() -> None:
    seen: list[str] = []

    def watch(example: Example, texts: Sequence[str]) -> list[bool]:
        seen.extend(texts)
        return [False for _ in texts]

    Executed("executed@2", 2, watch, "watch").measure(ASKED, answers("a", "b", "c"))
    assert seen == ["a", "b"]


def test_what_cannot_be_told_is_counted_and_left_out_of_the_mean() -> None:
    def unsure(example: Example, texts: Sequence[str]) -> Unscored:
        return Unscored("needs a network")

    metric = Executed("executed@1", 1, unsure, "unsure")
    statistic = metric.measure(ASKED, answers("ls"))
    assert statistic == Unscored("needs a network")
    score = metric.reduce([1, statistic, 0, statistic])
    assert (score.value, score.n, dict(score.unscored)) == (0.5, 2, {"needs a network": 2})
    assert math.isnan(metric.reduce([statistic]).value)


def test_an_example_without_a_reference_is_not_run() -> None:
    def never(example: Example, texts: Sequence[str]) -> list[bool]:
        raise AssertionError("it was run")

    example = Example("toy", Request("list files"), ())
    assert Executed("executed@1", 1, never, "never").measure(example, answers("ls")) == Unscored("no reference")


def test_a_broken_sandbox_is_no_verdict() -> None:
    def breaks(example: Example, texts: Sequence[str]) -> list[bool]:
        raise SandboxFailed("it broke")

    with pytest.raises(SandboxFailed):
        Executed("executed@1", 1, breaks, "breaks").measure(ASKED, answers("ls"))


def test_the_signature_tells_comparisons_apart() -> None:
    one, other = (Executed("executed@1", 1, same_length, name) for name in ("length", "width"))
    assert one.signature != other.signature
    assert "k:1" in one.signature
