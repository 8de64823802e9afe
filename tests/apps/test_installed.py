"""What this machine's manual pages add to an answer: tools that are named, flags that are there after all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sayso.answer.answer import Answer, Proposal
from sayso.apps.installed import with_installed
from sayso.core.types import Request
from sayso.targets.bash.knowledge import MachineIndex
from sayso.targets.bash.manual import build_index
from sayso.targets.bash.tasks import BASH

PAGE = (
    ".TH X 1\n.SH NAME\n{0} \\- {1}\n.SH SYNOPSIS\n.B {0}\n[\\fIOPTION\\fR]... \\fIFILE\\fR\n.SH OPTIONS\n"
    ".TP\n\\fB\\-\\-gloom\\fR\nin gloom\n"
)


@pytest.fixture
def index(tmp_path: Path) -> MachineIndex:
    section = tmp_path / "man" / "man1"
    section.mkdir(parents=True)
    for name, gloss in (("grizzle", "measure the gloom of pictures"), ("sort", "sort lines")):
        (section / f"{name}.1").write_text(PAGE.format(name, gloss))
    build_index([tmp_path / "man"], tmp_path)
    return MachineIndex(tmp_path)


def proposal(text: str, score: float, *why: str) -> Proposal:
    return Proposal(text, score, BASH.risk(text), why)


def shown(index: MachineIndex, found: Answer, request: str, k: int = 3) -> Answer:
    return with_installed(BASH, found, Request(request), index, lambda name: True, k)


def test_the_tool_that_is_named_comes_first_and_nobody_knows_what_it_does(index: MachineIndex) -> None:
    unsure = Answer((proposal("python3 a.png", 0.1),), abstained=True)
    found = shown(index, unsure, "use grizzle on a.png")
    assert [one.text for one in found.candidates] == ["grizzle a.png"] and not found.abstained
    assert found.candidates[0].risk.level == "unknown"
    sure = Answer((proposal("file a.png", 0.9),))
    both = shown(index, sure, "use grizzle on a.png")
    assert [one.text for one in both.candidates] == ["grizzle a.png", "file a.png"]


def test_a_purpose_answers_nothing_and_stands_among_the_guesses(index: MachineIndex) -> None:
    unsure = Answer((proposal("file a.png", 0.1), proposal("ls", 0.05)), abstained=True)
    found = shown(index, unsure, "measure the gloom of the pictures a.png")
    assert found.abstained and found.candidates[0].text == "grizzle a.png"
    sure = Answer((proposal("file a.png", 0.9),))
    assert shown(index, sure, "measure the gloom of the pictures a.png") == sure


def test_an_answer_that_has_the_tool_already_stays(index: MachineIndex) -> None:
    sure = Answer((proposal("ls | grizzle a.png", 0.9),))
    assert shown(index, sure, "use grizzle on a.png") == sure


@pytest.mark.parametrize("kind", ["reason", "barred", "is_own"])
def test_what_was_refused_or_is_the_users_own_stays(index: MachineIndex, kind: str) -> None:
    for one in (
        Answer((), abstained=True, reason="no"),
        Answer((), abstained=True, barred=True),
        Answer((proposal("ls", 1.0),), is_own=True),
    ):
        if getattr(one, kind):
            assert shown(index, one, "use grizzle on a.png") == one


def test_what_the_request_does_not_give_is_not_overreached(index: MachineIndex) -> None:
    found = shown(index, Answer((), abstained=True), "use grizzle on a.png and delete everything in /")
    assert all(one.risk.level != "destroys" for one in found.candidates)


def test_reasons_that_the_pages_disprove_are_gone_and_others_stay(index: MachineIndex) -> None:
    false = [one.message for one in BASH.check("sort --gloom a")]
    true = [one.message for one in BASH.check("sort --glom a")]
    assert false and true
    found = shown(index, Answer((proposal("sort --gloom a", 0.9, *false, "does not use b"),)), "sort a")
    assert found.candidates[0].why == ("does not use b",)
    kept = shown(index, Answer((proposal("sort --frobnicate a", 0.9, *true),)), "sort a")
    assert kept.candidates[0].why == tuple(true)


def test_the_prompt_answers_with_what_is_installed_here(
    tmp_path: Path, user_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sayso.apps.answering import Answerer
    from sayso.apps.settings import workspace

    cache = user_folders / "cache" / "sayso"
    cache.mkdir()
    section = tmp_path / "man" / "man1"
    section.mkdir(parents=True)
    (section / "grizzle.1").write_text(PAGE.format("grizzle", "measure the gloom of pictures"))
    build_index([tmp_path / "man"], cache)
    question = {"target": "bash", "text": "use grizzle on a.png", "k": 1}
    assert Answerer(workspace()).reply(question)["candidates"][0]["text"] != "grizzle a.png", "it is not installed"
    program = tmp_path / "grizzle"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    first = Answerer(workspace()).reply(question)["candidates"][0]
    assert (first["text"], first["risk"]) == ("grizzle a.png", "unknown")
    config = user_folders / "config" / "sayso" / "config.toml"
    config.parent.mkdir()
    config.write_text("man_index = false\n")
    assert Answerer(workspace()).reply(question)["candidates"][0]["text"] != "grizzle a.png"
