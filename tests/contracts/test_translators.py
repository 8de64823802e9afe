"""What every system that ships must do, whatever it is made of."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sayso.answer.answer import answer
from sayso.core.errors import MissingData
from sayso.core.types import Candidate, Request, System, Workspace
from sayso.targets import TASKS

# A trunk takes a third of a second a request.
MARKS = {("bash/command", name): [pytest.mark.slow] for name in ("trunk", "default")}
# A notebook trunk draws five cells of up to 192 ids each: tests/training/test_trunk_streams.py asks a tiny one instead.
LONG_WINDED = [("notebook/code", "default"), ("notebook/apis", "default"), ("notebook/assignments", "default")]
SYSTEMS = [
    pytest.param((task, name), marks=MARKS.get((task, name), []), id=f"{task}:{name}")
    for task, name in {
        TASKS[task].systems[name]: (task, name) for task in reversed(list(TASKS)) for name in TASKS[task].systems
    }.values()
    if (task, name) not in LONG_WINDED
]
REQUESTS = [
    Request(text)
    for text in (
        "list all files",
        "count the lines in notes.txt",
        "copy a.txt to /tmp and delete it",
        "",
        "   ",
        "🎉 ünïcödé 你好 \u200b\u202e مرحبا",
        "'unbalanced \"quotes `everywhere $( {{{",
        "x\ny\tz\r\n",
        "\\ \\\\ %s %d {0} {dir} <? ?>",
    )
]
# More than any system reads; a trunk that reads all its places takes seconds, so one is enough.
LONG = [Request("word " * 2000)]


@pytest.fixture(scope="module", params=SYSTEMS)
def shipped(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, System]:
    """Every system; one that reads a corpus is skipped, with the reason, where that corpus is not."""
    task, name = request.param
    empty = tmp_path_factory.mktemp("workspace")
    data = Path(os.environ.get("SAYSO_DATA") or empty)
    if task.startswith("notebook/"):
        data = request.getfixturevalue("small_notebooks")
    try:
        system = TASKS[task].systems[name](Workspace(data, empty / "cache"))
        system.translator.translate(REQUESTS[:1], 1)  # some read their corpus with the first request
    except MissingData as error:
        pytest.skip(error.message)
    return task, system


@pytest.fixture(scope="module")
def answered(shipped: tuple[str, System]) -> dict[int, list[list[Candidate]]]:
    """Few, some and more candidates than any system looks at, asked for once for all tests here."""
    return {k: shipped[1].translator.translate(REQUESTS, k) for k in (2, 5, 10)}


def test_no_more_than_k_candidates_best_first(answered: dict[int, list[list[Candidate]]]) -> None:
    for k, found in answered.items():
        assert len(found) == len(REQUESTS)
        for candidates in found:
            assert len(candidates) <= k
            scores = [candidate.score for candidate in candidates]
            assert scores == sorted(scores, reverse=True)
            assert len({candidate.text for candidate in candidates}) == len(candidates)


def test_the_same_request_gets_the_same_answer(
    shipped: tuple[str, System], answered: dict[int, list[list[Candidate]]]
) -> None:
    """Asked again, alone and in another order."""
    _, system = shipped
    again = [system.translator.translate([request], 2)[0] for request in reversed(REQUESTS)]
    assert again[::-1] == answered[2]


def test_fewer_candidates_are_the_first_of_more(answered: dict[int, list[list[Candidate]]]) -> None:
    assert [candidates[:2] for candidates in answered[5]] == answered[2]


def test_a_request_of_any_length_is_read(shipped: tuple[str, System]) -> None:
    assert all(len(candidates) <= 2 for candidates in shipped[1].translator.translate(LONG, 2))


def test_an_empty_batch_is_an_empty_answer(shipped: tuple[str, System]) -> None:
    assert shipped[1].translator.translate([], 3) == []


def test_the_plainest_request_is_answered(shipped: tuple[str, System]) -> None:
    task, system = shipped
    if system.abstain_below > float("-inf"):
        assert not answer(TASKS[task].target, system, Request("list all files"), 1).abstained


def test_nonsense_is_abstained_from_with_what_is_known(shipped: tuple[str, System]) -> None:
    task, system = shipped
    for text in ("", "qwzx vbnk", "🎉🎉"):
        found = answer(TASKS[task].target, system, Request(text), 3)
        assert found.abstained or system.abstain_below == float("-inf")
        assert len(found.nearest) <= 3
