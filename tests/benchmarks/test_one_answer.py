"""An answer is a line: a request is read once, a candidate parsed once, and rooms are not changed for each word."""

from __future__ import annotations

import pytest
from benchmarks.one_answer import MOST_CHANGES, MOST_PARSES, REQUESTS, counted, default_system

from sayso.answer.answer import answer
from sayso.core.types import Request, System
from sayso.targets.bash.tasks import BASH

pytest.importorskip("onnxruntime")


@pytest.fixture(scope="module")
def system() -> System:
    return default_system()


@pytest.mark.parametrize("text", [REQUESTS[1], REQUESTS[4]], ids=["by recipes", "with the trunk"])
def test_one_warm_answer_stays_within_its_limits(text: str, system: System) -> None:
    answer(BASH, system, Request(text), 3)
    found = counted(lambda: answer(BASH, system, Request(text), 3))
    assert found.changes_each(text) <= MOST_CHANGES and found.parses_each <= MOST_PARSES
    assert found.candidates >= 8, "more than the three that are shown were looked at"


def test_what_changes_rooms_and_parses_is_counted() -> None:
    found = counted(lambda: BASH.draft(["ls -a", "ls 'it"]))
    assert (found.changes, found.parses, found.candidates) == (2, 2, 2)
    assert counted(lambda: [BASH.draft([text]) for text in ("ls", "pwd")]).changes == 4
