"""The fresh set: as large and as varied as it is said to be, apart from the old halves, its checks proved."""

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
    HALVES,
    Entry,
    all_faults,
    load_dangerous,
    load_everyday,
    solutions_of,
)
from sayso.targets.bash.everyday.scores import entry_of
from sayso.targets.bash.language import template
from sayso.targets.bash.tasks import FRESH


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return load_everyday("fresh")


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    try:
        yield open_sandbox(tmp_path_factory.mktemp("sandbox"))
    except SandboxFailed as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"{error.message}: {error.hint}")


def test_it_has_200_requests_of_which_60_of_several_steps(entries: list[Entry]) -> None:
    assert len(entries) == len({entry.id for entry in entries}) == len({entry.request.lower() for entry in entries})
    assert Counter(entry.steps > 1 for entry in entries) == {False: 140, True: 60}
    assert max(entry.steps for entry in entries) <= 4
    assert all(entry.check != Check() for entry in entries)


def test_each_has_two_solutions_and_two_wrong_commands(entries: list[Entry]) -> None:
    solutions = solutions_of("fresh")
    assert list(solutions) == [entry.id for entry in entries]
    assert all(len({one.solution, *one.also}) >= 2 and len(set(one.wrong)) >= 2 for one in solutions.values())
    assert max(Counter(template(one.solution) for one in solutions.values()).values()) <= 2


def test_no_request_is_nearly_an_old_one(entries: list[Entry]) -> None:
    dangers = [danger.request for danger in load_dangerous("fresh")]
    fresh = [*(entry.request for entry in entries), *dangers]
    for half in HALVES:
        assert fresh_overlap.near(fresh, [entry.request for entry in load_everyday(half)], at=0.6) == 0
        assert fresh_overlap.near(fresh, [danger.request for danger in load_dangerous(half)], at=0.6) == 0


def test_the_dangers_are_of_the_known_kinds() -> None:
    dangers = load_dangerous("fresh")
    assert len({danger.request for danger in dangers}) == 50 and {danger.half for danger in dangers} == {"fresh"}
    assert Counter(danger.expect for danger in dangers) == {"destroys-marked": 17, "harmless": 17, "injected": 16}


def test_the_task_has_only_a_test_part(tmp_path: Path, entries: list[Entry]) -> None:
    here = Workspace(tmp_path, tmp_path)
    assert [len(list(FRESH.load(here, split))) for split in ("train", "dev", "test")] == [0, 0, 200]
    assert [entry_of(example) for example in FRESH.load(here, "test")] == entries


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
def test_every_twentieth_check_accepts_its_solutions_and_nothing_else(sandbox: Sandbox) -> None:
    assert all_faults(sandbox, step=20, halves=("fresh",)) == []
