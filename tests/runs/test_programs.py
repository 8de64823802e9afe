"""Somebody's program as a system: what it is given, what is made of its answer, and what it cannot do."""

from __future__ import annotations

import socket
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sayso.core.errors import UserError
from sayso.core.types import Request, Workspace
from sayso.runs.evaluate import evaluate
from sayso.runs.programs import find_program, folder_digest, open_program, read_answer
from sayso.sandbox import open_sandbox

if TYPE_CHECKING:
    from tests.runs.conftest import Toy

REVERSE = """#!/usr/bin/python3
import json, sys
text = json.loads(sys.stdin.readline())["text"]
print(text[::-1])
"""


def program(folder: Path, text: str, name: str = "mine.py") -> str:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)
    return f"cmd:{folder / name}"


@pytest.fixture
def workspace(toy: Toy, tmp_path: Path) -> Workspace:
    return replace(toy.workspace, cache=tmp_path / "cache", sandbox=open_sandbox(tmp_path / "cache"))


def answers(given: str, toy: Toy, workspace: Workspace, text: str = "stone") -> tuple[list[str], list[str]]:
    system = open_program(find_program(given), toy.task, workspace)
    found = system.translator.translate([Request(text)], 3)[0]
    return [one.text for one in found], system.translator.notes  # type: ignore[attr-defined]


@pytest.mark.sandbox
def test_a_program_is_evaluated_like_any_system(toy: Toy, workspace: Workspace, tmp_path: Path) -> None:
    found = find_program(program(tmp_path / "mine", REVERSE))
    assert found.name == "cmd-mine"
    task = replace(toy.task, load=lambda workspace, split: list(toy.task.load(workspace, split))[:3])
    subject = replace(toy.subject(found.name), task=task)
    report = evaluate(subject, open_program(found, task, workspace), workspace, toy.results, toy.settings)
    assert report.scores[0].value == 1.0 and report.scores[0].n == 3
    assert report.notes == ()


@pytest.mark.sandbox
def test_the_folder_of_a_request_is_where_the_program_stands(toy: Toy, workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "README").write_text("run make")
    toy = replace(toy, task=replace(toy.task, folder=lambda workspace, request: tmp_path / "tree"))
    given = program(tmp_path / "mine", "#!/bin/sh\ncat README; touch here 2>/dev/null && echo WRITTEN\nexit 0\n")
    assert answers(given, toy, workspace) == (["run make"], [])
    assert [path.name for path in (tmp_path / "tree").iterdir()] == ["README"]


@pytest.mark.sandbox
def test_a_program_sees_neither_the_network_nor_the_users_files(toy: Toy, workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    script = f"#!/bin/sh\ncat {tmp_path}/secret 2>/dev/null; ls /sys/class/net 2>/dev/null | grep -v lo; echo end\n"
    assert answers(program(tmp_path / "mine", script), toy, workspace) == (["end"], [])


@pytest.mark.sandbox
def test_a_failing_program_has_no_answer_and_a_line_says_why(toy: Toy, workspace: Workspace, tmp_path: Path) -> None:
    given = program(tmp_path / "mine", "#!/bin/sh\necho half; echo 'no such model' >&2; exit 4\n")
    assert answers(given, toy, workspace) == ([], ["cmd-mine: stone: exit code 4: no such model"])
    given = program(tmp_path / "mine", "#!/bin/sh\necho '{\"candidates\": [1]}'\n")
    found, notes = answers(given, toy, workspace)
    assert found == [] and "not a candidate" in notes[0]


def test_answers_are_text_or_candidates() -> None:
    assert [one.text for one in read_answer(b"./configure\nmake\n", "")] == ["./configure\nmake"]
    assert read_answer(b" \n", "") == []
    several = b'{"candidates": [{"text": "a", "score": 0.1}, {"text": "b", "score": 0.9}]}'
    assert [one.text for one in read_answer(several, "")] == ["b", "a"]
    assert [one.text for one in read_answer(b"{ make; }", "")] == ["{ make; }"]
    assert [one.text for one in read_answer(b'{"a": 1}', "")] == ['{"a": 1}']


def test_another_program_or_other_arguments_are_another_system(tmp_path: Path) -> None:
    given = program(tmp_path / "mine", REVERSE)
    before = find_program(given).digest
    assert find_program(f"{given} --fast").digest != before
    (tmp_path / "mine" / "weights").write_text("1")
    assert find_program(given).digest != before
    assert find_program("cmd:cat").folder is None


@pytest.mark.parametrize(
    ("given", "words"),
    [("cmd:", "names no program"), ("cmd:'x", "cannot be read"), ("cmd:./nowhere", "no program ./nowhere"),
     ("cmd:no-such-program-here", "no program no-such-program-here")],
)  # fmt: skip
def test_what_cannot_be_run_is_told_in_a_line(given: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        find_program(given)


def test_a_program_without_a_sandbox_is_refused(toy: Toy, tmp_path: Path) -> None:
    found = find_program(program(tmp_path / "mine", REVERSE))
    with pytest.raises(UserError, match="sandbox only"):
        open_program(found, toy.task, replace(toy.workspace, sandbox=None))


def test_a_folder_with_too_much_beside_the_program_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "mine", REVERSE)
    monkeypatch.setattr("sayso.runs.programs.MOST_FILES", 0)
    with pytest.raises(UserError, match="would be shown"):
        folder_digest(tmp_path / "mine")


def test_where_links_lead_is_part_of_a_program(tmp_path: Path) -> None:
    given = program(tmp_path / "mine", REVERSE)
    (tmp_path / "mine" / "model").symlink_to("a")
    before = find_program(given).digest
    (tmp_path / "mine" / "model").unlink()
    (tmp_path / "mine" / "model").symlink_to("b")
    assert find_program(given).digest != before


def test_a_socket_beside_the_program_is_not_shown_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = program(tmp_path / "mine", REVERSE)
    monkeypatch.chdir(tmp_path / "mine")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("door")
        with pytest.raises(UserError, match="no plain file"):
            find_program(given)
