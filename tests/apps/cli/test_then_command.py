"""`sayso then`: follow-ups on the last answer of a conversation, in real processes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def talk(warm: Run, request: pytest.FixtureRequest) -> Run:
    """`sayso` in a conversation of its own."""
    name = request.node.name

    def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
        return warm(*arguments, env={"SAYSO_SESSION": name}, **options)

    return run


def command(done: subprocess.CompletedProcess[str]) -> str:
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()[0]


def test_a_conversation(talk: Run) -> None:
    first = command(talk("find all python files", "-k", "1"))
    assert first.startswith("find") and "*.py" in first
    counted = command(talk("then", "count them"))
    assert counted == f"{first} | wc -l"
    assert command(talk("then", "undo that")) == first
    elsewhere = command(talk("then", "in /var/log instead"))
    assert "/var/log" in elsewhere and elsewhere.replace("/var/log", ".") == first
    deleting = talk("then", "delete them")
    assert command(deleting).endswith("-delete") and deleting.stdout.splitlines()[1].startswith("# destroys (")


def test_undo_goes_back_step_by_step_and_then_says_so(talk: Run) -> None:
    first = command(talk("find all python files", "-k", "1"))
    once = command(talk("then", "case insensitive"))
    command(talk("then", "count them"))
    assert command(talk("then", "undo")) == once
    assert command(talk("then", "undo")) == first
    assert command(talk("then", "undo")) == "# there is nothing to undo"


def test_what_is_no_edit_may_be_the_end_of_a_longer_request(talk: Run) -> None:
    command(talk("find all files", "-k", "1"))
    done = talk("then", "whose name ends in .bak and which are older than 30 days")
    assert done.returncode == 0 and ".bak" in done.stdout
    command(talk("how full is the disk", "-k", "1"))
    assert command(talk("then", "and play some music")).startswith("# I do not know how to change it")


def test_what_is_no_edit_may_be_the_next_thing_to_do(talk: Run) -> None:
    assert command(talk("then", "--after", "mkdir build", "and go into it")) == "mkdir build && cd build"
    done = talk("then", "--after", "cp -r docs backup", "and delete it")
    assert "rm" not in done.stdout and done.stdout.startswith("# ")
    shown = json.loads(talk("then", "--after", "mkdir build", "and go into it", "--json").stdout)
    assert list(shown) == ["target", "request", "previous", "candidates", "abstained", "seconds"]


def test_json_is_the_shape_of_an_answer(talk: Run) -> None:
    shown = json.loads(talk("then", "--after", "ls -l", "only the newest five", "--json").stdout)
    assert list(shown) == ["target", "request", "previous", "candidates", "abstained", "seconds"]
    assert shown["previous"] == "ls -l" and shown["candidates"][0]["text"] == "ls -lt | head -n 6"
    assert list(shown["candidates"][0]) == ["text", "score", "risk", "risky", "why"]


def test_what_cannot_be_done_is_said_in_one_line(talk: Run) -> None:
    done = talk("then", "--after", "ls -l", "make it purple")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == '# I do not know how to change it by "make it purple"\n'
    shown = json.loads(talk("then", "--after", "ls -l", "make it purple", "--json").stdout)
    assert shown["abstained"] and shown["candidates"] == [] and "purple" in shown["reason"]


def test_without_a_last_answer_it_says_what_to_type(talk: Run) -> None:
    done = talk("then", "count them")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("sayso: this terminal has no last answer\n\nhint: ask first")


def test_an_answer_of_i_dont_know_ends_the_conversation(talk: Run) -> None:
    command(talk("find all python files"))
    talk("colourless green ideas sleep furiously over the quantum marmalade")
    assert talk("then", "count them").returncode == 2


def test_nothing_said_is_refused(talk: Run) -> None:
    assert talk("then", "").returncode == 2
    assert talk("then", "--after", "", "count them").returncode == 2
