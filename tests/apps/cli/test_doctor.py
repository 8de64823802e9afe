"""`sayso doctor`: every row says what was found and, where it is missing, what to do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sayso.apps import settings
from sayso.apps.cli import doctor, main


def rows(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, Any]]:
    assert main.main(["doctor", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    for row in shown["rows"]:
        assert set(row) == {"name", "ok", "detail", "cure", "needed"}
        assert bool(row["cure"]) != row["ok"], f"{row['name']}: a cure belongs to what is missing, and to nothing else"
    return {row["name"]: row for row in shown["rows"]}


def test_what_it_looks_at(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys)
    looked_at = {"python", "model bash", "config", "daemon", "data", "disk cache", "shell bash", "man pages", "browser"}
    assert looked_at <= set(found)
    assert {f"sayso[{extra}]" for extra in doctor.EXTRAS} <= set(found)
    assert any(name.startswith("sandbox") for name in found)
    assert found["model bash"]["ok"], found["model bash"]["detail"]


def test_a_broken_config_is_a_row_not_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(settings.config_file())
    path.parent.mkdir()
    path.write_text("k = = 3")
    row = rows(capsys)["config"]
    assert not row["ok"] and f"{path}:1" in row["detail"]


def test_a_missing_corpus_says_how_to_get_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SAYSO_DATA", raising=False)
    row = rows(capsys)["data"]
    assert not row["ok"] and "sayso data get" in row["cure"]


def test_a_look_that_breaks_is_a_row(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def models() -> Iterator[doctor.Row]:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(doctor, "LOOKS", (doctor.python, models))
    row = rows(capsys)["models"]
    assert not row["ok"] and "ZeroDivisionError: oops" in row["detail"]


def test_strict_fails_only_for_what_is_needed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    optional, needed = doctor.Row("a", False, "gone", "get it"), doctor.Row("b", False, "gone", "get it", True)
    monkeypatch.setattr(doctor, "LOOKS", (lambda: iter([optional]),))
    assert main.main(["doctor", "--strict"]) == 0
    assert capsys.readouterr().out == "missing  a  gone\n            → get it\n"
    monkeypatch.setattr(doctor, "LOOKS", (lambda: iter([optional, needed]),))
    assert main.main(["doctor", "--strict"]) == 3
    assert main.main(["doctor"]) == 0
