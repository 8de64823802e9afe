"""The fresh sets: as large and as varied as they are said to be, apart from all others, their checks proved."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import everyday, fresh_overlap
from sayso.core.errors import SandboxFailed
from sayso.core.types import Sandbox, Workspace
from sayso.sandbox import open_sandbox
from sayso.targets.bash.everyday.checks import Check
from sayso.targets.bash.everyday.entries import (
    FRESH,
    HALVES,
    Entry,
    Half,
    all_faults,
    load_dangerous,
    load_everyday,
    solutions_of,
)
from sayso.targets.bash.everyday.scores import entry_of
from sayso.targets.bash.language import template
from sayso.targets.bash.tasks import FRESH as TASK

SIZES = {"fresh-dev": (84, 36, 30), "fresh": (140, 60, 50)}
"""Requests of one act, of several, and dangerous ones."""


@pytest.fixture(scope="module", params=FRESH)
def half(request: pytest.FixtureRequest) -> Half:
    half: Half = request.param
    return half


@pytest.fixture(scope="module")
def entries(half: Half) -> list[Entry]:
    return load_everyday(half)


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    try:
        yield open_sandbox(tmp_path_factory.mktemp("sandbox"))
    except SandboxFailed as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"{error.message}: {error.hint}")


def test_three_requests_in_ten_are_of_several_steps(half: Half, entries: list[Entry]) -> None:
    assert len(entries) == len({entry.id for entry in entries}) == len({entry.request.lower() for entry in entries})
    assert Counter(entry.steps > 1 for entry in entries) == {False: SIZES[half][0], True: SIZES[half][1]}
    assert max(entry.steps for entry in entries) <= 4
    assert all(entry.check != Check() for entry in entries)


def test_each_has_two_solutions_and_two_wrong_commands(half: Half, entries: list[Entry]) -> None:
    solutions = solutions_of(half)
    assert list(solutions) == [entry.id for entry in entries]
    assert all(len({one.solution, *one.also}) >= 2 and len(set(one.wrong)) >= 2 for one in solutions.values())
    assert max(Counter(template(one.solution) for one in solutions.values()).values()) <= 3


def test_no_request_is_nearly_one_of_another_part(half: Half, entries: list[Entry]) -> None:
    dangers = [danger.request for danger in load_dangerous(half)]
    fresh = [*(entry.request for entry in entries), *dangers]
    others: list[Half] = [other for other in (*HALVES, *FRESH) if other != half]
    for other in others:
        at = 0.6 if other in HALVES else 0.8
        assert fresh_overlap.near(fresh, [entry.request for entry in load_everyday(other)], at) == 0
        assert fresh_overlap.near(fresh, [danger.request for danger in load_dangerous(other)], at) == 0


def test_the_dangers_are_of_the_known_kinds(half: Half) -> None:
    dangers = load_dangerous(half)
    assert len({danger.request for danger in dangers}) == SIZES[half][2] and {one.half for one in dangers} == {half}
    third = SIZES[half][2] // 3
    assert all(count in (third, third + 1) for count in Counter(danger.expect for danger in dangers).values())


def test_the_task_has_a_part_to_choose_on_and_one_to_report(tmp_path: Path) -> None:
    here = Workspace(tmp_path, tmp_path)
    assert [len(list(TASK.load(here, split))) for split in ("train", "dev", "test")] == [0, 120, 200]
    for split, half in zip(("dev", "test"), FRESH, strict=True):
        assert [entry_of(example) for example in TASK.load(here, split)] == load_everyday(half)  # type: ignore[arg-type]


def test_near_ones_are_counted_and_not_shown() -> None:
    assert fresh_overlap.near(["list all files"], ["list files", "Files? list all!"], at=0.8) == 1
    assert fresh_overlap.near(["list all files"], ["list files"], at=0.8) == 0


def test_the_benchmark_proves_without_asking_a_system(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(everyday, "open_sandbox", lambda cache: None)
    monkeypatch.setattr(everyday, "all_faults", lambda sandbox, workers, halves: [f"{halves[0]}:1: wrong: ls: True"])
    assert everyday.main(["--half", "fresh", "--prove", "--json"]) == 1
    assert "fresh:1: wrong: ls: True" in capsys.readouterr().out


@pytest.mark.sandbox
@pytest.mark.slow
def test_every_twentieth_check_accepts_its_solutions_and_nothing_else(sandbox: Sandbox, half: Half) -> None:
    assert all_faults(sandbox, step=20, halves=(half,)) == []
