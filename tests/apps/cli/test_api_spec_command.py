"""`sayso api --spec`: one command reads a description and prints a request that runs; only --send sends, if told."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from tests.targets.api.specs.shop import SHOP, bad_server, written

from sayso.apps.cli import keyboard
from sayso.apps.cli.api_spec import taught_file
from sayso.apps.cli.main import main


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CACHE", "DATA", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    return written(tmp_path)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["api", *words]) == 0
    return capsys.readouterr().out


def test_a_request_becomes_a_curl_command(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "--spec", str(shop), "add an item titled 'Green tea'").splitlines()
    assert shlex.split(lines[0])[-1] == "https://shop.example/v1/items"
    assert json.loads(shlex.split(lines[0])[shlex.split(lines[0]).index("--data-raw") + 1]) == {"title": "Green tea"}
    assert all(line.startswith("# ") for line in lines[1:])


def test_the_json_shape_has_operation_arguments_missing_and_findings(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shape: dict[str, Any] = json.loads(said(capsys, "--spec", str(shop), "--json", "delete an item"))
    assert shape["operation"] == "deleteItem" and shape["missing"] == ["item_id"] and "item_id" in shape["question"]
    assert shape["candidates"][0]["risk"] == "destroys"
    assert {"url", "curl", "httpie", "python"} <= set(shape["requests"])


def test_lists_checks_and_explains(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "deleteItem" in said(capsys, "--spec", str(shop), "--list")
    assert "Corner Shop: OpenAPI 3.0.3, 3 operations" in said(capsys, "--spec", str(shop), "--check")
    assert "takes no size" in said(capsys, "--spec", str(shop), "--check", 'listItems {"size": 3}')
    assert main(["explain", "--spec", str(shop), 'listItems {"colour": "red"}']) == 0
    assert "risk: reads" in capsys.readouterr().out


def test_translates_a_file_of_requests(shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"id": "a", "text": "list red items"}\n')
    assert main(["translate", "api", "--spec", str(shop), "--in", str(source), "--out", str(out)]) == 0
    capsys.readouterr()
    assert json.loads(out.read_text())["candidates"][0]["text"] == 'listItems {"colour": "red"}'


@pytest.mark.parametrize(("method", "questions"), [("listItems {}", 1), ('addItem {"body": {"title": "x"}}', 2)])
def test_sending_asks_and_a_no_sends_nothing(
    tmp_path: Path,
    shop: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    questions: int,
) -> None:
    with bad_server() as (address, seen):
        path = written(tmp_path, {**SHOP, "servers": [{"url": address}]}, "local.json")
        monkeypatch.setenv("CORNER_SHOP_TOKEN", "s3cret")
        asked: list[str] = []
        monkeypatch.setattr(keyboard, "can_ask", lambda: True)
        monkeypatch.setattr(keyboard, "say", asked.append)
        monkeypatch.setattr(keyboard, "agrees", lambda question, by_default: False)
        assert main(["api", "--spec", str(path), "--send", method]) == 0
        assert not seen
        shown = "".join(asked).splitlines()  # each on a line of its own, the question below them
        assert shown[0].startswith(("GET ", "POST ")) and "".join(asked).endswith("\n")
        assert f"with the secret in $CORNER_SHOP_TOKEN, to {address.removeprefix('http://')}" in shown
        answers: list[str] = []

        def yes(question: str, by_default: bool) -> bool:
            answers.append(question)
            return True

        monkeypatch.setattr(keyboard, "agrees", yes)
        assert main(["api", "--spec", str(path), "--send", method]) == 0
        printed = capsys.readouterr()
        assert len(answers) == questions and len(seen) == 1
        assert "s3cret" not in printed.out + printed.err + "".join(asked + answers)


def test_nothing_is_sent_where_nobody_can_be_asked(
    shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyboard, "can_ask", lambda: False)
    assert main(["api", "--spec", str(shop), "--send", "listItems {}"]) == 2
    assert "nobody to ask" in capsys.readouterr().err


def test_teaching_shows_its_effect(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "--spec", str(shop), "--teach", 'listItems {"colour": "green"}', "binge on emerald stuff")
    assert "right of 1 taught: 0 before, 1 after" in out
    again = said(capsys, "--spec", str(shop), "binge on emerald stuff")
    assert "colour=green" in again and not again.rstrip().endswith("?")  # `List items, or List items?` was asked


def test_flags_of_a_description_need_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "--list"]) == 2
    assert "need --spec" in capsys.readouterr().err


def test_descriptions_of_one_name_are_taught_apart(tmp_path: Path) -> None:
    one, other = (str(tmp_path / folder / "openapi.yaml") for folder in ("one", "other"))
    assert taught_file(one) != taught_file(other)
    assert taught_file(one) == taught_file(one)
