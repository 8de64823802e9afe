"""`sayso explain`: words, risk and findings, as text and as JSON."""

from __future__ import annotations

import json

import pytest

from sayso.apps.cli import main


def test_each_word_and_the_risk(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["explain", "rm -r old && ls"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("rm ") for line in lines)
    assert any(line.startswith("risk: destroys (rm") for line in lines)


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    command = "find . -name '*.py'"
    assert main.main(["explain", "--json", command]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert set(shown) == {"target", "command", "words", "risk", "risky", "findings"}
    assert (shown["target"], shown["command"], shown["risk"]) == ("bash", command, "reads")
    for word in shown["words"]:
        assert set(word) == {"text", "gloss", "start", "end"}
        assert command[word["start"] : word["end"]] == word["text"]
    assert "find" in [word["text"] for word in shown["words"]]


def test_a_flag_that_does_not_exist_is_pointed_at(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["explain", "find . -nmae x"]) == 0
    assert "check: " in capsys.readouterr().out


def test_what_does_not_parse_is_the_users_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["explain", "find . -name '"]) == 2
    assert capsys.readouterr().err.startswith("sayso: ")


def test_an_unknown_target_and_an_empty_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["explain", "--target", "bsh", "ls"]) == 2
    assert "did you mean bash?" in capsys.readouterr().err
    assert main.main(["explain", " "]) == 2
    assert capsys.readouterr().err.startswith("sayso: the command is empty\n")
