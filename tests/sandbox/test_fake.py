"""The scripted sandbox answers as told and remembers what it was asked."""

from __future__ import annotations

import pytest

from sayso.core.errors import RunFailed, SandboxFailed
from sayso.core.types import FileSpec, Limits, Outcome, Sandbox
from sayso.sandbox.fake import ScriptedSandbox


def test_it_answers_from_its_script() -> None:
    hello = Outcome(0, b"hello\n", b"")
    fake = ScriptedSandbox({"echo hello": hello, "boom": SandboxFailed("broken", reason="no sandbox")})
    sandbox: Sandbox = fake
    assert sandbox.run("echo hello", [FileSpec("a")], Limits()) == hello
    assert sandbox.run("anything", [], Limits()).exit_code == 0
    with pytest.raises(SandboxFailed):
        sandbox.run("boom", [], Limits())
    assert [asked.script for asked in fake.asked] == ["echo hello", "anything", "boom"]
    assert fake.asked[0].files == (FileSpec("a"),)


def test_layers_differ_where_what_made_them_does() -> None:
    fake = ScriptedSandbox({"false": Outcome(1, b"", b"no")})
    first, again, other = (fake.layer(script, [], Limits()) for script in ("make", "make", "make all"))
    assert first == again != other
    assert fake.layer("make", [], Limits(), [other]) != first
    with pytest.raises(RunFailed):
        fake.layer("false", [], Limits())
