"""Everything that `--system` takes beside names of ours, and a stranger's answers that are kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.apps.test_cli_runs import WORDS, call, results  # noqa: F401

from sayso.runs import brought
from sayso.targets import TASKS

if TYPE_CHECKING:
    Call = Callable[..., tuple[int, str, str]]

MODULE = """
from sayso.core.types import Candidate, System

def shout(text):
    return [text.upper(), text]

class Loud:
    def translate(self, requests, k=1):
        return [[Candidate(request.text.upper(), 1.0)] for request in requests]

def made(workspace):
    return System(Loud())

number = 3

def faulty(text):
    raise ValueError("not for " + text)

class Needy:
    def __init__(self, more):
        self.more = more
"""
pytestmark = pytest.mark.usefixtures("results")


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "strangers.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))


def scored(call: Call, *words: str) -> dict[str, float]:  # noqa: F811
    code, out, err = call(*words, "--json")
    assert code == 0, err
    return {score["name"]: score["value"] for score in json.loads(out)["scores"]}


@pytest.mark.parametrize("given", ["strangers:shout", "strangers:Loud", "strangers:made"])
def test_a_function_a_class_or_a_maker_is_a_system(given: str, call: Call) -> None:  # noqa: F811
    assert scored(call, "eval", "toy/shout", "--system", given)["match@1"] == 1.0


def test_what_a_system_of_somebody_raises_is_told_as_its_own(call: Call, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "halves.py").write_text("answer = undefined\n")
    for given, what in (
        ("strangers:faulty", "ValueError: not for"),
        ("strangers:Needy", "TypeError"),
        ("halves:answer", "NameError"),
    ):
        code, _, err = call("eval", "toy/shout", "--system", given)
        assert code == 1 and f"{given} failed: {what}" in err and "bug in sayso" not in err


def test_a_path_that_is_not_there_is_no_unknown_system(call: Call) -> None:  # noqa: F811
    for given in ("gone.jsonl", "./gone"):
        code, _, err = call("eval", "toy/shout", "--system", given)
        assert code == 2 and f"there is no file or folder {given}" in err


def test_a_system_without_answers_here_is_told_how_to_get_them(call: Call) -> None:  # noqa: F811
    code, _, err = call("report", "toy/shout", "--split", "dev", "--systems", "default")
    assert code == 2 and "sayso eval toy/shout --split dev --system default" in err


def test_what_is_no_system_is_said_to_be_none(call: Call) -> None:  # noqa: F811
    code, _, err = call("eval", "toy/shout", "--system", "strangers:number")
    assert code == 2 and "its type is int" in err
    code, _, err = call("eval", "toy/shout", "--system", "strangers:absent")
    assert code == 2 and "cannot be had" in err


def test_an_installed_package_offers_a_system(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    point = EntryPoint("loud", "strangers:Loud", brought.GROUP)
    monkeypatch.setattr(brought, "entry_points", lambda group: [point] if group == brought.GROUP else [])
    assert scored(call, "eval", "toy/shout", "--system", "loud")["match@1"] == 1.0
    code, _, err = call("eval", "toy/shout", "--system", "luod")
    assert code == 2 and "loud" in err


def test_a_predictions_file_is_scored_and_kept_beside_ours(call: Call, tmp_path: Path) -> None:  # noqa: F811
    lines = [{"id": f"w:{word}", "candidates": [{"text": word.upper(), "score": 1}]} for word in WORDS]
    mine = tmp_path / "mine.jsonl"
    mine.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert scored(call, "eval", "toy/shout", "--system", str(mine))["match@1"] == 1.0
    assert scored(call, "score", "toy/shout", "--predictions", str(mine), "--keep", "stranger")["match@1"] == 1.0
    call("eval", "toy/shout", "--system", "mute")
    code, out, err = call("report", "toy/shout", "--systems", "mute,stranger")
    assert code == 0, err
    assert "match@1: mute beside stranger" in out and "McNemar" in out
    code, _, err = call("score", "toy/shout", "--predictions", str(mine), "--keep", "default")
    assert code == 2 and "name of a system" in err


def test_examples_with_references_go_out_as_lines_and_as_a_dataset(call: Call, tmp_path: Path) -> None:  # noqa: F811
    code, out, _ = call("data", "export", "toy/shout", "--references")
    assert code == 0
    assert json.loads(out.splitlines()[0]) == {
        "id": "w:stone",
        "text": "stone",
        "context": [{"kind": "code", "text": "x", "name": "a"}],
        "references": ["STONE"],
        "meta": "{}",
    }
    folder = tmp_path / "set"
    assert call("data", "export", "toy/shout", "--datasets", str(folder))[0] == 0
    card = (folder / "README.md").read_text()
    assert "- split: validation\n    path: data/validation.jsonl" in card
    assert len((folder / "data" / "validation.jsonl").read_text().splitlines()) == len(WORDS)
    code, _, err = call("data", "export", "toy/shout", "--datasets", str(folder))
    assert code == 2 and "not empty" in err
    assert "toy/shout" in TASKS
