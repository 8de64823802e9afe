"""What exists is known by name at once and loaded when it is asked for: no question loads another language."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from sayso.apps.cli.main import main
from sayso.core.errors import UserError
from sayso.core.types import Target, Workspace
from sayso.targets import TARGETS, TASKS, Loaded

ASKED = {"bash": "list the files here", "api": "unread mails from Anna"}
# A target without a default system answers no single requests: there is nothing to ask it.
ANSWERING = [name for name in TARGETS if TARGETS[name].answered_by]
SCRIPT = """
import json, sys
from pathlib import Path
from sayso.apps.answering import Answerer
from sayso.core.types import Workspace
from sayso.targets import TARGETS, TASKS
names = [*TARGETS, *TASKS]
before = [one for one in sys.modules if one.startswith("sayso.targets.")]
folder = Path(sys.argv[3])
reply = Answerer(Workspace(folder, folder)).reply({"do": "answer", "target": sys.argv[1], "text": sys.argv[2], "k": 2})
print(json.dumps([before, len(reply["candidates"]), [one for one in sys.modules if one.startswith("sayso.targets.")]]))
"""


@pytest.mark.parametrize("name", ANSWERING)
def test_an_answer_loads_no_module_of_another_target(name: str, tmp_path: Path) -> None:
    assert name in ASKED, "add a request of this target"
    command = [sys.executable, "-c", SCRIPT, name, ASKED[name], str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    before, answers, after = json.loads(done.stdout)
    assert before == [], "names are known before anything is loaded"
    assert answers == 2
    assert {one.split(".")[2] for one in after} == {name}


@pytest.mark.parametrize("name", TARGETS)
def test_the_names_are_those_of_the_target(name: str) -> None:
    listed = [task for task in TASKS if task.startswith(f"{name}/")]
    assert listed == list(importlib.import_module(f"sayso.targets.{name}.tasks").TASKS)
    assert all(TASKS[task].name == task for task in listed)


@pytest.mark.parametrize("name", ANSWERING)
def test_single_requests_are_answered_by_a_task_of_the_target(name: str) -> None:
    task = TASKS[TARGETS[name].answered_by]
    assert task.target is TARGETS[name] and "default" in task.systems


def test_values_are_made_once_and_tests_may_put_others_in(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def make(name: str) -> list[str]:
        made.append(name)
        return [name]

    known = Loaded({"a": make, "b": make})
    assert (list(known), len(known), "a" in known, "c" in known, made) == (["a", "b"], 2, True, False, [])
    assert known["a"] is known["a"] and made == ["a"]
    with monkeypatch.context() as patch:
        patch.setitem(known, "a", ["other"])
        patch.setitem(known, "c", ["new"])
        assert known["a"] == ["other"] and list(known.values()) == [["other"], ["b"], ["new"]]
    assert known["a"] == ["a"] and list(known) == ["a", "b"] and made == ["a", "b"]
    with pytest.raises(KeyError):
        known["c"]


def test_a_target_that_answers_nothing_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from dataclasses import replace

    from sayso.apps.answering import Answerer

    mute: Target = replace(TARGETS["api"], name="mute", answered_by="")
    monkeypatch.setitem(TARGETS, "mute", mute)
    with pytest.raises(UserError, match="mute answers no single requests"):
        Answerer(Workspace(tmp_path, tmp_path)).system("mute")


@pytest.mark.parametrize("name", ANSWERING)
def test_every_target_is_translated_in_a_batch(name: str, tmp_path: Path) -> None:
    requests = [
        {"id": str(at), "text": text} for at, text in enumerate((ASKED[name], "boil two potatoes", ASKED[name]))
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(one) + "\n" for one in requests))
    out = tmp_path / "out.jsonl"
    assert main(["translate", name, "--in", str(tmp_path / "in.jsonl"), "--out", str(out), "-k", "2"]) == 0
    first, other, again = map(json.loads, out.read_text().splitlines())
    assert [set(one) for one in (first, other, again)] == [{"id", "candidates", "abstained"}] * 3
    assert not first["abstained"] and other["abstained"] and {**again, "id": "0"} == first
    assert len(first["candidates"]) == 2 and set(first["candidates"][0]) == {"text", "score"}


def test_a_target_that_nobody_knows_is_not_translated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", "apy", "--in", "none.jsonl", "--out", "-"]) == 2
    assert 'unknown target "apy"' in capsys.readouterr().err
